"""Composition of the command line: the global options and one line per command."""

from typing import Annotated

import typer

from agent.cli.bench import bench
from agent.cli.check import check
from agent.cli.demo import demo
from agent.cli.experiment import experiment
from agent.cli.explain import explain
from agent.cli.operations import cancel, done, pause, resume, retry
from agent.cli.parse import parse
from agent.cli.reason import reason
from agent.cli.run import run
from agent.cli.serve import serve
from agent.cli.start import start
from agent.cli.why import why

app = typer.Typer(
    name="milepost",
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


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
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


app.command()(demo)
app.command()(serve)
app.command()(start)
app.command()(run)
app.command()(pause)
app.command()(resume)
app.command()(cancel)
app.command()(retry)
app.command()(done)
app.command()(why)
app.command()(reason)
app.command()(parse)
app.command()(check)
app.add_typer(bench, name="bench")
app.add_typer(experiment, name="experiment")
app.command()(explain)
