"""The forms in which triples are written: N-Triples, Turtle, Notation3."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Literal, TypeAlias

from agent.errors import UsageError
from agent.n3.data_lists import without_lists
from agent.n3.write import show
from agent.rdf.serialise import sorted_ntriples, to_ntriples
from agent.rdf.statements import Statements
from agent.rdf.terms import ListTerm, Term, Triple

Form: TypeAlias = Literal["nt", "turtle", "n3"]

_ENDINGS: dict[str, Form] = {".nt": "nt", ".ttl": "turtle", ".n3": "n3"}
_NAMES = {"nt": "N-Triples", "turtle": "Turtle"}


def form_of(name: str) -> Form | None:
    """Return the form that the ending of a file's name asks for, or nothing if it says nothing."""
    return _ENDINGS.get(Path(name).suffix.lower())


def graph_text(triples: Iterable[Triple], prefixes: Mapping[str, str], form: Form | None) -> Sequence[str]:
    """Return ``triples``, a set, for people: sorted, subjects together; N-Triples sorted by line. The text comes in pieces.

    Without ``form``, N-Triples if they can say it all, else Notation3. USE006 if ``form`` cannot say it.
    """
    distinct = triples if isinstance(triples, Statements) else list(triples)
    plain = _ntriples(distinct) if form in {None, "nt"} else None
    if plain is not None:
        return plain
    from agent.n3.document import write_data

    _check(form, distinct)
    return [write_data(distinct, prefixes, turtle=form == "turtle")]


def statements_text(
    triples: Sequence[Triple], lone: Sequence[Term], prefixes: Mapping[str, str], form: Form | None
) -> Sequence[str]:
    """Return ``triples`` and terms that stand alone in the order given; N-Triples sorted. The rest as ``graph_text``."""
    plain = _ntriples(list(dict.fromkeys(triples))) if form in {None, "nt"} and not lone else None
    if plain is not None:
        return plain
    from agent.n3.document import write_statements

    _check(form, triples, lone)
    return [write_statements(triples, lone, prefixes)]


def _check(form: Form | None, triples: Iterable[Triple], lone: Sequence[Term] = ()) -> None:
    """Raise USE006 for the first of the things to write that ``form``, which is not N3, cannot say."""
    if form in {None, "n3"}:
        return
    bad = next((triple for triple in triples if not _fits(triple, form)), None)
    if bad is None and not lone:
        return
    shown = " ".join(map(show, bad)) if bad else show(lone[0])
    raise UsageError(
        "USE006",
        f"{_NAMES[form or '']} cannot say  {shown} .",
        hint="Write Notation3: --format n3, or a file whose name ends in .n3.",
    )


def _fits(triple: Triple, form: Form | None) -> bool:
    from agent.n3.document import fits_turtle

    return fits_turtle(triple) and (form != "nt" or bool(to_ntriples(without_lists([triple]))))


def _ntriples(triples: Collection[Triple]) -> Sequence[str] | None:
    """Return sorted N-Triples, or nothing if they cannot hold all ``triples``, of which none comes twice."""
    spelt = list(without_lists(triples)) if _has_lists(triples) else triples
    return sorted_ntriples(spelt)


def _has_lists(triples: Collection[Triple]) -> bool:
    if not isinstance(triples, Statements):
        return ListTerm in map(type, chain.from_iterable(triples))
    # Which of the terms stand in a triple takes longer to find out, and matters only if one is a list.
    return ListTerm in map(type, triples.terms) and ListTerm in map(
        type, map(triples.terms.__getitem__, triples.used())
    )
