"""Whatever terms a builtin meets: it never raises, what it gives is bounded, and what it finds it also holds for."""

from collections.abc import Iterable
from itertools import islice

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from agent.n3.builtins import BUILTINS, Builtin, Context
from agent.rdf.terms import (
    IRI,
    LANG_STRING,
    XSD_BOOLEAN,
    XSD_DATETIME,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    XSD_STRING,
    BlankNode,
    Formula,
    ListTerm,
    Literal,
    Term,
    Triple,
    Variable,
)
from agent.vocab import XSD
from tests.support.depth import depth

CONTEXTS = [Context("2026-01-02T03:04:05.678Z"), Context("2026-01-02T03:04:05.678Z", "cwm")]
MAX_PAIRS = 20_000
MAX_SIZE = 1_100_000
"""Characters and terms of a result, besides ten times those of the arguments."""

NUMBERS = [
    "0",
    "-0",
    "1",
    " 2 ",
    "-7",
    "2.50",
    ".5",
    "-1e0",
    "1e308",
    "1e-320",
    "1e400",
    "INF",
    "-INF",
    "NaN",
    "1_0",
    "²",
    "\u0661",
]
LONG = {
    "nines": "9" * 3999,
    "too many nines": "9" * 4001,
    "a tiny number": "0." + "0" * 3990 + "1",
    "a wide number": "1" + "0" * 2000 + ".5",
    "sharp s": "ß" * 3000,
    "letters": "a" * 20_000 + "!",
}
INSTANTS = [
    "2002",
    "2002-02-30",
    "2002-06-22T22:09:32.123456789012-05:00",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
    "2002-06-22T24:00:00Z",
    "2002-06-22T23:59:60Z",
]
PATTERNS = [
    "(a+)+$",
    "(",
    ")",
    "[",
    "\\",
    "(?i)a",
    "(?x)a#",
    "((a{1000}){1000}){1000}",
    "(a)\\1",
    "$1",
    "^",
    "a|",
    "(?<n>a)",
    "(?P<n>a)",
]
FORMATS = ["%s", "%d", "%", "%%", "%9999s", "%99999s", "%.999f", "%*d", "%s%d%x%e%c", "%-+ #0.3g"]
ODD = [
    "",
    " ",
    "\0",
    "\ud800",
    "a\nb",
    "http://e.example/#x",
    "true",
    ":a :b :c .",
    "{",
    "e\u0301",
]
TEXTS = st.one_of(
    st.sampled_from([*NUMBERS, *NUMBERS, *INSTANTS, *PATTERNS, *FORMATS, *ODD]),
    st.sampled_from(list(LONG)).map(LONG.__getitem__),
    st.text(max_size=8),
    st.integers().map(str),
    st.floats().map(repr),
)
DATATYPES = st.sampled_from(
    [XSD_STRING] * 3
    + [
        XSD_INTEGER,
        XSD_DECIMAL,
        XSD_DOUBLE,
        XSD + "float",
        XSD + "byte",
        XSD_BOOLEAN,
        XSD_DATETIME,
        XSD + "gYear",
        "http://t/",
    ]
)


@st.composite
def literals(draw: st.DrawFn) -> Literal:
    """Draw a literal, one in five with a language."""
    text = draw(TEXTS)
    return (
        Literal(text, LANG_STRING, "en") if draw(st.integers(0, 4)) == 0 else Literal(text, draw(DATATYPES))
    )


NAMES = st.sampled_from(
    [IRI("http://e.example/#x"), IRI(""), IRI("rel"), IRI(XSD_INTEGER), BlankNode("b"), Variable("v")]
)


def _nested(depth_: int) -> Term:
    """Return a list in a formula in a list, ``depth_`` deep."""
    term: Term = Literal("1")
    for level in range(depth_):
        term = ListTerm((term,)) if level % 2 else Formula((Triple(term, IRI("p:"), term),))
    return term


def _compound(parts: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    triples = st.builds(Triple, parts, parts, parts)
    return st.one_of(
        st.lists(parts, max_size=4).map(lambda items: ListTerm(tuple(items))),
        st.lists(triples, max_size=2).map(lambda each: Formula(tuple(each))),
    )


PLAIN = st.one_of(literals(), literals(), NAMES)
TERMS = st.one_of(
    PLAIN,
    st.recursive(PLAIN, _compound, max_leaves=6),
    st.lists(literals(), max_size=3).map(lambda items: ListTerm(tuple(items))),
)
CALLS = depth(6, 600)


def _size(terms: Iterable[Term | None]) -> int:
    """Return how many characters and terms ``terms`` are, without recursion; what occurs twice counts once."""
    pending = list(terms)
    seen: set[int] = set()
    size = 0
    while pending:
        term = pending.pop()
        if term is None or id(term) in seen:
            continue
        seen.add(id(term))
        size += 1
        match term:
            case Literal(lexical):
                size += len(lexical)
            case IRI(value):
                size += len(value)
            case ListTerm(items):
                pending.extend(items)
            case Formula(triples):
                pending.extend(part for triple in triples for part in triple)
            case _:
                pass
    return size


def _found(
    builtin: Builtin, subject: Term | None, object_: Term | None, context: Context
) -> list[tuple[Term, Term]]:
    """Return the pairs that agree with what is known, after looking at their number and size."""
    pairs = list(islice(builtin.evaluate(subject, object_, context), MAX_PAIRS + 1))
    assert len(pairs) <= MAX_PAIRS
    most = MAX_SIZE + 10 * _size([subject, object_])
    assert all(_size(pair) <= most for pair in pairs[:100])
    return [(one, other) for one, other in pairs if subject in {None, one} and object_ in {None, other}]


def _check(builtin: Builtin, subject: Term, object_: Term, context: Context) -> None:
    _found(builtin, subject, object_, context)
    for mode in builtin.modes:
        known = (subject if "subject" in mode else None, object_ if "object" in mode else None)
        found = _found(builtin, *known, context)
        assert found == _found(builtin, *known, context)
        for pair in found[:5]:
            assert pair in _found(builtin, *pair, context)


@pytest.mark.parametrize("iri", BUILTINS, ids=lambda iri: str(iri).rpartition("/")[2])
def test_a_builtin_stands_every_term(iri: str) -> None:
    builtin = BUILTINS[iri]

    @settings(
        max_examples=CALLS, deadline=None, phases=[Phase.generate]
    )  # making a failure smaller takes minutes
    @given(TERMS, TERMS, st.sampled_from(CONTEXTS))
    def stands(subject: Term, object_: Term, context: Context) -> None:
        _check(builtin, subject, object_, context)

    stands()
    for context in CONTEXTS:
        _check(builtin, _nested(3000), _nested(3000), context)
