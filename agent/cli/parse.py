"""``milepost parse``: whether files parse, and what they say."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from agent.cli.batch import without_collection
from agent.cli.console import echo
from agent.cli.parameters import Argument, Option
from agent.errors import MilepostError, all_faults, counted, describe

if TYPE_CHECKING:
    from agent.n3.parsed import ParsedFile
    from agent.rdf.terms import Term, Triple

DATA_TYPES = {
    ".nq": "application/n-quads",
    ".trig": "application/trig",
    ".jsonld": "application/ld+json",
    ".rdf": "application/rdf+xml",
    ".owl": "application/rdf+xml",
}


class Said(NamedTuple):
    """What files say: triples, terms that stand alone, prefixes; how many of those statements are rules and requests."""

    triples: "list[Triple]"
    lone: "list[Term]"
    prefixes: dict[str, str]
    rules: int = 0
    requests: int = 0

    def __str__(self) -> str:
        """Return the number of statements in words, and of what kinds they are."""
        kinds = ((self.rules, "rule"), (self.requests, "request"))
        shown = ", ".join(counted(count, kind) for count, kind in kinds if count)
        total = len(self.triples) + len(self.lone)
        return (counted(total, "statement") if total else "no statements") + (f" ({shown})" if shown else "")


@without_collection()
def parse(
    files: Annotated[list[str], Argument(metavar="FILE", help="Files or globs.")],
    base: Annotated[
        str, Option("--base", metavar="IRI", help="Base of relative references [default: the file].")
    ] = "",
    output: Annotated[
        str, Option("-o", "--output", metavar="OUT", help="Write what the files say to this file.")
    ] = "",
) -> int:
    """Parse rules and RDF: one line per file, exit code 1 if any of them failed.

    Files are read as Notation3, which Turtle and N-Triples are part of, unless their ending says otherwise
    (.nq, .trig, .jsonld, .rdf, .owl). Up to 20 faults of a file are told. OUT, for which all files have to be good,
    is N-Triples, Turtle or N3 by its ending (.nt, .ttl, .n3), else N-Triples if they can say it, or N3.
    """
    from agent.cli.forms import form_of, statements_text
    from agent.cli.output import check_writable, save_pieces

    check_writable(output)
    total = Said([], [], {})
    failed = False
    for name in _names(files):
        try:
            said = _read(name, base)
        except MilepostError as error:
            failed = True
            echo("\n".join(map(describe, all_faults(error))))
            continue
        total = Said(
            total.triples + said.triples, total.lone + said.lone, {**said.prefixes, **total.prefixes}
        )
        echo(f"{name}  {said}")
    if output and not failed:
        save_pieces(statements_text(total.triples, total.lone, total.prefixes, form_of(output)), output)
    return 1 if failed else 0


def _of_file(triple: "Triple", name: str) -> "Triple":
    """Return ``triple``, without formulas, with blank nodes of this file alone: all files may be read with one base."""
    from agent.rdf.terms import BlankNode, Triple

    return Triple(
        *(
            BlankNode(part.label, f"{name} {part.scope}") if isinstance(part, BlankNode) else part
            for part in triple
        )
    )


def _names(given: list[str]) -> list[str]:
    from agent.runtime.files import expand

    names: list[str] = []
    for name in given:
        try:
            names += expand([name])
        except MilepostError:
            names.append(name)  # reading it will tell what is wrong, on its own line
    return names


def _read(name: str, base: str) -> Said:
    from agent.n3.parser import parse as parse_n3
    from agent.rdf.documents import parse_document
    from agent.runtime.files import base_of, read_bytes, read_text

    base = base or base_of(name)
    media_type = DATA_TYPES.get(Path(name).suffix.lower())
    if media_type:
        document = parse_document(read_bytes(name), media_type, base, strict=True, source=name)
        return Said([_of_file(triple, name) for triple in document.triples], [], {})
    parsed = parse_n3(read_text(name), source=name, base=base, scope=f"{name} {base}")
    triples = [pattern.triple for pattern in parsed.statements]
    rules, requests = _kinds(parsed)
    return Said(triples, [lone.term for lone in parsed.lone], parsed.prefixes, rules, requests)


def _kinds(parsed: "ParsedFile") -> tuple[int, int]:
    """Return how many of the statements are rules that derive, and how many ask for requests."""
    from agent.n3.program import IMPLIES, IS_IMPLIED_BY
    from agent.n3.requests import asks_for_request
    from agent.rdf.terms import Formula

    def asks(head: "Term") -> bool:
        return isinstance(head, Formula) and asks_for_request(parsed.patterns_of(head))

    rules, requests = 0, sum(asks(lone.term) for lone in parsed.lone)
    for subject, predicate, object_ in (pattern.triple for pattern in parsed.statements):
        if predicate in {IMPLIES, IS_IMPLIED_BY}:
            is_request = asks(object_ if predicate == IMPLIES else subject)
            rules, requests = rules + (not is_request), requests + is_request
    return rules, requests
