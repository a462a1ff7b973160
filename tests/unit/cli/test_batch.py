"""A command that ends soon does without the collector of garbage, and only that command."""

import gc

import pytest

from agent.cli.batch import without_collection


@pytest.fixture(autouse=True)
def collecting() -> None:
    gc.enable()


def test_the_collector_rests_meanwhile_and_runs_again_afterwards() -> None:
    with without_collection():
        meanwhile = gc.isenabled()

    assert (meanwhile, gc.isenabled()) == (False, True)


def test_the_collector_runs_again_after_an_error() -> None:
    with pytest.raises(KeyError), without_collection():
        raise KeyError

    assert gc.isenabled()


def test_a_collector_that_was_switched_off_stays_off() -> None:
    gc.disable()
    try:
        with without_collection():
            pass

        assert not gc.isenabled()
    finally:
        gc.enable()
