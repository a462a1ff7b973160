"""Settings of the whole suite: hypothesis runs are the same every time, and interrupts reach what tests start."""

import os
import signal
import sys
from collections.abc import Generator, Iterator

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.support.depth import DEEP
from tests.support.milepost_with_twins import FOLDER
from tests.support.replays import REPLAYED, REPLAYED_ITSELF, look, note_in, noted_in

settings.register_profile(
    "milepost",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    database=None,
    # Making a failing example smaller may take five minutes: a quick run tells the first one it finds.
    phases=list(Phase) if DEEP else [Phase.explicit, Phase.generate],
)
settings.load_profile("milepost")

# Where Python is told to keep no compiled files, each of the processes that tests start compiles all of Milepost.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell that starts the suite in the background has it ignore interrupts; what ignores them passes that on.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Run one more at a time than there are processors: a test waits now and then for what it has started."""
    asked_for = "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ
    return (yield) + (not asked_for)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Let a test at full depth take longer, unless the command line says how long."""
    if DEEP and config.getoption("timeout", default=None) is None:
        config.option.timeout = 7200


@pytest.fixture(autouse=True)
def steps_again(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Take every step again in the other mode, in tests that drive agents; fail if it comes to something else."""
    if request.path.parent.name not in REPLAYED or request.path.name == REPLAYED_ITSELF:
        yield
        return
    folder = tmp_path_factory.mktemp("replays")
    monkeypatch.setenv(FOLDER, str(folder))
    look(note_in(folder), monkeypatch.setattr)
    yield
    assert [difference for difference in noted_in(folder) if difference] == []
