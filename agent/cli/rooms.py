"""The commands of the command line: where each is, and how it is begun."""

import gc
from collections.abc import Callable
from importlib import import_module

from agent.cli.batch import BATCH
from agent.cli.parameters import Group

ROOMS = {
    "demo": "demo",
    "serve": "serve",
    "start": "start",
    "run": "run",
    "pause": "operations",
    "resume": "operations",
    "cancel": "operations",
    "retry": "operations",
    "done": "operations",
    "why": "why",
    "reason": "reason",
    "parse": "parse",
    "check": "check",
    "explain": "explain",
    "bench": "bench",
    "experiment": "experiment",
}
"""The commands in the order of the help, each with the module that defines it under the same name."""


def load(name: str) -> Callable[..., int | None] | Group:
    """Return the function or the group of functions that is the command ``name``."""
    defined: Callable[..., int | None] | Group = getattr(import_module(f"agent.cli.{ROOMS[name]}"), name)
    return defined


def begin(name: str | None) -> None:
    """Prepare the process for the command ``name``, None if there is none."""
    if name not in BATCH:
        gc.enable()  # a process begins without it
        _quiet_rdflib()


def _quiet_rdflib() -> None:
    """Keep rdflib from logging a traceback for each odd literal in a query or a body; what is wrong we say ourselves."""
    import logging

    logging.getLogger("rdflib").setLevel(logging.CRITICAL)
