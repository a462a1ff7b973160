"""What a command says about its parameters: how they are written, and what the help tells of them."""

from collections.abc import Callable


class Option:
    """An option written as one of ``names``; numbers are at least ``min`` and at most ``max``.

    ``show_default`` lets the help tell its default.
    """

    def __init__(
        self,
        *names: str,
        help: str,  # noqa: A002  this and the others are the words of typer, which gets them
        metavar: str | None = None,
        min: float | None = None,  # noqa: A002  as above
        max: float | None = None,  # noqa: A002  as above
        show_default: bool = True,
    ) -> None:
        self.names = names
        self.help = help
        self.metavar = metavar
        self.min = min
        self.max = max
        self.show_default = show_default


class Argument:
    """An argument, known by its place; ``show_default`` lets the help tell its default."""

    def __init__(self, *, help: str, metavar: str, show_default: bool = True) -> None:  # noqa: A002  as above
        self.help = help
        self.metavar = metavar
        self.show_default = show_default


class Group:
    """Commands that are called by the name of the group and their own."""

    def __init__(self, help: str, *commands: Callable[..., int | None]) -> None:  # noqa: A002  as above
        self.help = help
        self.commands = {command.__name__: command for command in commands}
