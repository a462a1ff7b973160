"""The commands of the command line, each loaded when it is chosen."""

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any, TypeAlias, cast

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from agent.cli.plain import PlainCommand

Command: TypeAlias = TyperCommand | TyperGroup

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


class CommandGroup(TyperGroup):
    """The group of all commands."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401  they are typer's, and go on to it
        super().__init__(**settings)
        self.commands = _Commands()

    def get_help_option(self, ctx: Any) -> TyperOption | None:  # noqa: ANN401  typer hides the type
        """Return the option ``--help``, false if it is not given: for nothing at all typer loads its converters."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.default = False
        return option


class _Commands(MutableMapping[str, Any]):
    """The commands by their names, each built when it is asked for."""

    def __init__(self) -> None:
        self._built: dict[str, Command] = {}

    def __getitem__(self, name: str) -> Command:
        if name not in self._built:
            self[name] = _command(name)
        return self._built[name]

    def __setitem__(self, name: str, command: Command) -> None:
        self._built[name] = command

    def __delitem__(self, name: str) -> None:
        del self._built[name]

    def __iter__(self) -> Iterator[str]:
        return iter(ROOMS)

    def __len__(self) -> int:
        return len(ROOMS)


def _command(name: str) -> Command:
    """Return what typer makes of the function or the group of functions ``name``."""
    defined = getattr(import_module(f"agent.cli.{ROOMS[name]}"), name)
    if isinstance(defined, typer.Typer):
        return typer.main.get_group(defined)
    command = typer.models.CommandInfo(name, cls=PlainCommand, callback=defined)
    built = typer.main.get_command_from_info(command, pretty_exceptions_short=False, rich_markup_mode=None)
    return cast("PlainCommand", built)  # as was asked for
