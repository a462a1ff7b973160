"""``milepost reason``: the N3 reasoner alone, without HTTP."""

from typing import Annotated, Literal

import typer


def reason(
    program: Annotated[
        list[str], typer.Option("-p", "--program", metavar="RULES...", help="Rules: files, globs or URLs.")
    ],
    inputs: Annotated[
        list[str] | None, typer.Option("-i", "--input", metavar="RDF...", help="Facts: files, globs or URLs.")
    ] = None,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="OUT", help="Write to this file [default: print].")
    ] = "",
    numeric: Annotated[
        Literal["strict", "cwm"],
        typer.Option("--numeric", help="How numbers compute: as W3C says, or as the program cwm does."),
    ] = "strict",
) -> None:
    """Derive everything that the rules make of the facts, without any request.

    Prints the facts and all that follows from them, as sorted N-Triples, or as N3 where N-Triples cannot say it.
    Request rules are left out, and their number is told.
    """
    from agent.cli.output import triples_text, write_triples
    from agent.cli.retrieval import retrieve
    from agent.runtime.api import derive
    from agent.runtime.inputs import load_facts, load_programs

    loaded = load_programs(program, retrieve)
    if loaded.requests:
        typer.echo(f"{len(loaded.requests)} request rules left out; milepost run carries them out", err=True)
    derived = derive(loaded, load_facts(inputs or [], retrieve), numeric)
    if output:
        write_triples(derived, output)
    else:
        typer.echo(triples_text(derived), nl=False)
