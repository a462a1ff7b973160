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
    from agent.cli.output import save_triples, show_triples
    from agent.cli.retrieval import retrieve
    from agent.runtime.derive import derive
    from agent.runtime.inputs import load_facts, load_programs

    rules = load_programs(program, retrieve)
    if rules.requests:
        typer.echo(_left_out(len(rules.requests)), err=True)
    derived = derive(rules, load_facts(inputs or [], retrieve), numeric=numeric).triples
    if output:
        save_triples(derived, output, prefixes=rules.prefixes)
    else:
        typer.echo(show_triples(derived, rules.prefixes), nl=False)


def _left_out(count: int) -> str:
    if count == 1:
        return "1 request rule left out; milepost run carries it out"
    return f"{count} request rules left out; milepost run carries them out"
