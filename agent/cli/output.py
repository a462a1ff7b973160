"""Triples written for people and other programs."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from agent.errors import UsageError
from agent.n3.write import Writer
from agent.rdf.serialise import to_ntriples
from agent.rdf.terms import Term, Triple

N3_ENDINGS = (".n3", ".ttl")
N_TRIPLES_ENDINGS = (".nt",)


def save_triples(
    triples: Sequence[Triple],
    name: str,
    *,
    lone: Sequence[Term] = (),
    prefixes: Mapping[str, str] | None = None,
) -> None:
    """Write ``triples``, and terms that stand alone, to the file ``name``; USE004 if that is impossible.

    N3 if ``name`` ends so, or if the content needs it; else sorted N-Triples.
    """
    plain = None if lone or name.endswith(N3_ENDINGS) else _ntriples(triples)
    if plain is None and name.endswith(N_TRIPLES_ENDINGS):
        raise UsageError(
            "USE004",
            f"{name} cannot hold rules, variables, lists or literal subjects",
            hint="Give the file a name that ends in .n3.",
        )
    save_bytes((_n3(triples, lone, prefixes or {}) if plain is None else plain).encode(), name)


def save_bytes(content: bytes, name: str) -> None:
    """Write ``content`` to the file ``name``; USE004 if that is impossible."""
    try:
        Path(name).write_bytes(content)
    except OSError as error:
        raise UsageError("USE004", f"{name} cannot be written: {error.strerror}") from None


def show_triples(triples: Sequence[Triple], prefixes: Mapping[str, str]) -> str:
    """Return ``triples`` as sorted N-Triples, or as N3 if N-Triples cannot say all of them."""
    plain = _ntriples(triples)
    return _n3(triples, (), prefixes) if plain is None else plain


def _ntriples(triples: Sequence[Triple]) -> str | None:
    distinct = dict.fromkeys(triples)
    text = to_ntriples(distinct, ordered=True)
    return text if text.count("\n") == len(distinct) else None


def _n3(triples: Sequence[Triple], lone: Sequence[Term], prefixes: Mapping[str, str]) -> str:
    writer = Writer(prefixes)
    said = [writer.triple(triple) for triple in dict.fromkeys(triples)] + [writer.term(term) for term in lone]
    return writer.head() + "".join(f"{sentence} .\n" for sentence in said)
