"""Composition of the command line: the global options and the commands."""

import gc
from typing import Annotated

import typer

from agent.cli.batch import BATCH
from agent.cli.commands import CommandGroup

app = typer.Typer(
    name="milepost",
    cls=CommandGroup,
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _quiet_rdflib() -> None:
    """Keep rdflib from logging a traceback for each odd literal in a query or a body; what is wrong we say ourselves."""
    import logging

    logging.getLogger("rdflib").setLevel(logging.CRITICAL)


def _print_version(wanted: bool) -> None:
    if wanted:
        from agent import __version__

        typer.echo(f"milepost {__version__}")
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
    if context.invoked_subcommand not in BATCH:
        gc.enable()  # a process begins without it
        _quiet_rdflib()
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
