"""Who runs W(n): Milepost, and two baselines that a checkout has in its tests."""

import sys
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

CHECKOUT = Path(__file__).resolve().parents[3]
BASELINES = ("naive", "sparql")
"""The names of the baselines, in the order of the table."""

_RUN = "import sys, runpy; sys.path.insert(0, {root!r}); runpy.run_module({module!r}, run_name='__main__')"
_TITLES = {"naive": "naive rdflib", "sparql": "SPARQL rules"}


class Runner(Struct, frozen=True):
    """A program that runs W(n); ``command`` takes the server's base URL, and numbers as texts.

    The numbers are those of idle steps and of steps after a change by others, and the seed of the changes.
    ``missing`` says why it is not there.
    """

    name: str
    title: str
    command: Callable[..., list[str]]
    missing: str = ""


def find_runners(baselines: list[str], checkout: Path = CHECKOUT) -> tuple[Runner, ...]:
    """Return Milepost and the named ``baselines``."""
    milepost = Runner("milepost", "milepost", _command(CHECKOUT, "agent.bench.workflow.client"))
    return (milepost, *(_baseline(name, checkout) for name in BASELINES if name in baselines))


def _baseline(name: str, checkout: Path) -> Runner:
    place = checkout / "tests" / "benchmarks" / "baselines" / "__main__.py"
    missing = "" if place.is_file() else "the baselines are among the tests of a checkout: run it there"
    command = _command(checkout, "tests.benchmarks.baselines", name)
    return Runner(name, _TITLES[name], command, missing)


def _command(root: Path, module: str, *first: str) -> Callable[..., list[str]]:
    code = _RUN.format(root=str(root), module=module)
    return lambda *others: [sys.executable, "-P", "-c", code, *first, *others]
