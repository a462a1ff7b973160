"""Triples written for people and other programs."""

from collections.abc import Sequence
from pathlib import Path

from agent.errors import UsageError
from agent.rdf.serialise import term_text, to_ntriples
from agent.rdf.terms import Triple

N3_ENDINGS = (".n3", ".ttl")


def write_triples(triples: Sequence[Triple], name: str) -> None:
    """Write ``triples`` to the file ``name`` (see ``triples_text``); USE004 if that is impossible."""
    write_text(triples_text(triples, n3=name.endswith(N3_ENDINGS)), name)


def write_text(text: str, name: str) -> None:
    """Write ``text`` to the file ``name``; USE004 if that is impossible."""
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError("USE004", f"{name} cannot be written: {error.strerror}") from None


def triples_text(triples: Sequence[Triple], *, n3: bool = False) -> str:
    """Return ``triples`` as sorted N-Triples; as N3 if asked to, or if N-Triples cannot say all of them."""
    distinct = list(dict.fromkeys(triples))
    text = to_ntriples(distinct, ordered=True)
    if not n3 and text.count("\n") == len(distinct):
        return text
    return "".join(sorted(f"{' '.join(map(term_text, triple))} .\n" for triple in distinct))
