"""Milepost: a rule-driven agent runtime for read-write Linked Data.

The names below are all that callers need; the rooms behind them are loaded on first use.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING

from agent.errors import (
    BudgetError,
    BugError,
    ClashError,
    MilepostError,
    ProgramError,
    UsageError,
    WorldError,
)

if TYPE_CHECKING:
    from agent.runtime.api import check, load_program, parse, reason, run, why

__version__ = "0.1.0"

__all__ = [
    "BudgetError",
    "BugError",
    "ClashError",
    "MilepostError",
    "ProgramError",
    "UsageError",
    "WorldError",
    "check",
    "load_program",
    "parse",
    "reason",
    "run",
    "why",
]


class _Package(ModuleType):
    """The package, in which a public function wins over the room of the same name (``agent.reason``)."""

    def __setattr__(self, name: str, value: object) -> None:
        """Bind ``name``; rooms are bound by the import system, and reached by ``from agent.reason import ...``."""
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


if not TYPE_CHECKING:  # a type checker knows the names from the imports above

    def __getattr__(name: str) -> object:
        """Load a public function when it is asked for the first time."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from agent.runtime import api

        return getattr(api, name)


sys.modules[__name__].__class__ = _Package
