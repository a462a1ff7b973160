"""The commands as typer knows them, each built when it is asked for."""

from collections.abc import Callable, Iterator, MutableMapping
from inspect import signature
from typing import Annotated, Any, TypeAlias, cast, get_args, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from agent.cli.parameters import Group, Option
from agent.cli.rooms import ROOMS, load

Command: TypeAlias = TyperCommand | TyperGroup


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


def declared(function: Callable[..., object]) -> Callable[..., object]:
    """Return ``function`` with its parameters declared in typer's way."""
    hints = {name: _hint(hint) for name, hint in get_type_hints(function, include_extras=True).items()}
    parameters = [
        each.replace(annotation=hints[name]) for name, each in signature(function).parameters.items()
    ]

    def call(**values: object) -> object:
        return function(**values)

    call.__name__, call.__doc__, call.__annotations__ = function.__name__, function.__doc__, hints
    call.__signature__ = signature(function).replace(parameters=parameters)  # type: ignore[attr-defined]  # as inspect reads it
    return call


def _hint(hint: Any) -> Any:  # noqa: ANN401  annotations are of any kind
    """Return the annotation of a parameter, or of what is returned, in typer's way."""
    if not hasattr(hint, "__metadata__"):
        return hint
    kind, said = get_args(hint)
    told = {"metavar": said.metavar, "help": said.help, "show_default": said.show_default}
    if isinstance(said, Option):
        return Annotated[kind, typer.Option(*said.names, min=said.min, max=said.max, **told)]
    return Annotated[kind, typer.Argument(**told)]


def _command(name: str) -> Command:
    """Return what typer makes of the function or the group of functions ``name``."""
    defined = load(name)
    if isinstance(defined, Group):
        return _group(defined)
    command = typer.models.CommandInfo(name, callback=declared(defined))
    built = typer.main.get_command_from_info(command, pretty_exceptions_short=False, rich_markup_mode=None)
    return cast("TyperCommand", built)  # as no group was asked for


def _group(defined: Group) -> TyperGroup:
    app = typer.Typer(rich_markup_mode=None, help=defined.help)
    app.callback()(lambda: None)  # with this, typer keeps the name of a command that is the only one
    for command in defined.commands.values():
        app.command()(declared(command))
    return typer.main.get_group(app)
