"""The command line as typer reads it: the global options and the commands."""

from collections.abc import Sequence
from typing import Annotated

import typer

from agent.cli.commands import CommandGroup
from agent.cli.console import echo
from agent.cli.rooms import begin
from agent.errors import UsageError

app = typer.Typer(
    name="milepost",
    cls=CommandGroup,
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from agent import __version__

        echo(f"milepost {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def milepost(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the details of a fault of ours.")] = False,
) -> None:
    """Run rules and workflows on read-write Linked Data."""
    begin(context.invoked_subcommand)
    if context.invoked_subcommand is None:
        echo(context.get_help())


def call_with_typer(words: Sequence[str]) -> int | None:
    """Call the command that ``words`` mean and return its exit code, None for 0; UsageError USE001 if a word is wrong."""
    command = typer.main.get_command(app)
    try:
        code: int | None = command(list(words), prog_name="milepost", standalone_mode=False)
    except typer.TyperException as error:
        raise UsageError(
            "USE001", _in_our_words(error.format_message()), hint="Run the command with --help."
        ) from None
    return code


def _in_our_words(message: str) -> str:
    """Return a message about an argument without the phrases of the library that read it."""
    return message.replace(": Value error, ", ": ").replace(": Input should be ", ": it should be ")
