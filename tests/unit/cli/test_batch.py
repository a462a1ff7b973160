"""A command that ends soon does without the collector of garbage, and only that command."""

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from agent.cli.batch import without_collection
from tests.support.documents import CHECKOUT

COUNTED = """
import gc, sys
from agent.__main__ import main

gc.collect()
searches = []
gc.callbacks.append(lambda phase, about: searches.append(phase))
try:
    main()
finally:
    print(len(searches), gc.isenabled(), file=sys.stderr)
"""


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


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(["reason", "-p"], "0 False"), (["parse"], "0 False"), (["check"], "True")],
    ids=["reason", "parse", "check"],
)
def test_in_a_process_of_its_own_it_never_looks(arguments: list[str], told: str, tmp_path: Path) -> None:
    program = tmp_path / "program.n3"
    program.write_text("".join(f"<#a{n}> <#p> <#b{n}> .\n" for n in range(1000)), encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-c", COUNTED, *arguments, str(program)],
        capture_output=True,
        check=False,
        cwd=CHECKOUT,
        encoding="utf-8",
    )

    assert done.stderr.splitlines()[-1].endswith(told)
