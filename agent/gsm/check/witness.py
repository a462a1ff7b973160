"""Searching data for which several questions hold at once (paper section 4.3: disjoint sentries).

The patterns of all questions are frozen into data, with values around the constants that they compare with; the
questions are then asked about it. A property of one thing has one value in such data, but for its types: a door that
is open and closed is no example that helps anybody.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from itertools import islice, pairwise, product

import pyoxigraph as ox
from msgspec import Struct

from agent.gsm.check.asked import Alternative, read_asked
from agent.gsm.check.references import local_name
from agent.gsm.check.terms import ACHIEVED, ACTIVE_STAGE, INACTIVE_STAGE, OPPOSITES, UNACHIEVED
from agent.gsm.question import Question
from agent.gsm.terms import THIS_INSTANCE
from agent.rdf.convert import to_ox_triples
from agent.rdf.terms import (
    FALSE,
    IRI,
    RDF_TYPE,
    TRUE,
    XSD_BOOLEAN,
    XSD_DATETIME,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    XSD_STRING,
    Literal,
    Term,
    Triple,
    Variable,
)
from agent.vocab import LDP

MAX_COMBINATIONS = 32
MAX_TRIES = 256
MAX_CANDIDATES = 12
MAX_INSTANTS = 3
MAX_ASKS = 4000
_INSTANCE = "urn:example:instance"
_INSTANT = "2000-01-01T00:00:00.000Z"
_MADE_UP = "urn:example:"
_STATUS = {ACHIEVED: "achieved", UNACHIEVED: "unachieved", ACTIVE_STAGE: "active", INACTIVE_STAGE: "inactive"}
_SEVERAL = frozenset({RDF_TYPE, IRI(LDP + "contains"), *map(IRI, _STATUS)})
_NUMBERS = frozenset({XSD_INTEGER, XSD_DECIMAL, XSD_DOUBLE})
_GENERIC = frozenset({"", "it", "this", "self", "state", "i", "me"})
_LARGEST = 15
_SHOWN_PAIRS = 5
_SHOWN_LENGTH = 24


class Search(Struct, frozen=True):
    """How a search ended: ``example`` is there if data were found; ``is_certain``: there are none otherwise."""

    example: str | None = None
    is_certain: bool = False


class WitnessSearch:
    """Searches that share a budget of ``MAX_ASKS`` questions; when it is used up, nothing more is found."""

    def __init__(self) -> None:
        self._left = MAX_ASKS

    def search(self, *questions: Question, given: Sequence[Triple] = (), one_value: bool = True) -> Search:
        """Look for data, with ``given`` in it, for which all ``questions`` hold.

        ``one_value``: a property of one thing has one value.
        """
        asked = [read_asked(question) for question in questions]
        if None in asked:
            return Search()
        known = [each for each in asked if each is not None]
        constants = frozenset[Term]().union(*(each.constants for each in known))
        instants = list(_instants(constants)) if any(each.reads_time for each in questions) else [_INSTANT]
        candidates = _candidates(constants)
        is_certain = all(each.is_simple for each in known)
        ways = list(islice(product(*(each.alternatives for each in known)), MAX_COMBINATIONS + 1))
        is_certain &= len(ways) <= MAX_COMBINATIONS
        for way in ways[:MAX_COMBINATIONS]:
            patterns = [*given, *(triple for number, each in enumerate(way) for triple in _own(each, number))]
            merged = _merged(patterns, one_value=one_value)
            if merged is None:
                continue
            tries = list(islice(_frozen(merged, candidates), MAX_TRIES + 1))
            is_certain &= len(tries) <= MAX_TRIES
            for instant, data in product(instants, tries[:MAX_TRIES]):
                if self._left < len(questions):
                    return Search()
                if self._hold(questions, data, instant):
                    return Search(example=_shown(data, given))
        return Search(is_certain=is_certain)

    def _hold(self, questions: Iterable[Question], data: Sequence[Triple], instant: str) -> bool:
        store = ox.Store()
        own = (Triple(*(IRI(_INSTANCE) if term == THIS_INSTANCE else term for term in each)) for each in data)
        store.extend(ox.Quad(t.subject, t.predicate, t.object) for t in to_ox_triples(own))
        for question in questions:
            self._left -= 1
            text = question.asked(_INSTANCE, instant)
            try:
                if not store.query(text, base_iri=question.base or None, prefixes=dict(question.prefixes)):
                    return False
            except (ValueError, RuntimeError, OSError, SyntaxError):
                return False
        return True


def _own(alternative: Alternative, number: int) -> Iterator[Triple]:
    """Yield ``alternative`` with variables that no other question has."""
    for triple in alternative:
        yield Triple(
            *(Variable(f"{term.name} {number}") if isinstance(term, Variable) else term for term in triple)
        )


def _merged(triples: Sequence[Triple], *, one_value: bool) -> list[Triple] | None:
    """Return ``triples`` with equal values where there can be one only; nothing if they contradict each other."""
    merged = list(dict.fromkeys(triples))
    for _ in range(len(triples) + 1 if one_value else 0):
        pair = _two_values(merged)
        if pair is None:
            break
        one, other = pair
        if isinstance(other, Variable):
            one, other = other, one
        if not isinstance(one, Variable):
            return None
        merged = list(
            dict.fromkeys(Triple(*(other if term == one else term for term in each)) for each in merged)
        )
    return None if _contradict(merged) else merged


def _two_values(triples: Iterable[Triple]) -> tuple[Term, Term] | None:
    values: dict[tuple[Term, Term], Term] = {}
    for subject, predicate, object_ in triples:
        if predicate in _SEVERAL or isinstance(predicate, Variable):
            continue
        known = values.setdefault((subject, predicate), object_)
        if known != object_:
            return known, object_
    return None


def _contradict(triples: Iterable[Triple]) -> bool:
    """Tell whether the triples say of one milestone or stage that it is in two states."""
    said = set(triples)
    return any(
        Triple(each.subject, IRI(OPPOSITES[each.predicate.value]), each.object) in said
        for each in said
        if isinstance(each.predicate, IRI) and each.predicate.value in OPPOSITES
    )


def _frozen(triples: Sequence[Triple], candidates: Sequence[Term]) -> Iterator[list[Triple]]:
    """Yield ``triples`` with values for their variables, one way after the other."""
    fixed: dict[Term, Term] = {}
    free: dict[Variable, None] = {}
    for subject, predicate, object_ in triples:
        things = (subject, predicate, object_) if predicate == RDF_TYPE else (subject, predicate)
        fixed.update({term: IRI(_MADE_UP + _bare(term)) for term in things if isinstance(term, Variable)})
        if isinstance(object_, Variable):
            free[object_] = None
    names = [variable for variable in free if variable not in fixed]
    for values in product(candidates, repeat=len(names)):
        chosen: Mapping[Term, Term] = {**fixed, **dict(zip(names, values, strict=True))}
        yield [Triple(*(chosen.get(term, term) for term in each)) for each in triples]


def _bare(variable: Variable) -> str:
    return "".join(character if character.isalnum() else "-" for character in variable.name)


def _candidates(constants: Iterable[Term]) -> list[Term]:
    """Return values on both sides of every constant; one that no filter will mind if there are none."""
    found: dict[Term, None] = {}
    numbers: set[Decimal] = set()
    for constant in sorted(constants, key=str):
        if isinstance(constant, Literal) and constant.datatype in _NUMBERS:
            numbers.update(_number(constant.lexical))
        elif isinstance(constant, Literal) and constant.datatype == XSD_BOOLEAN:
            found |= dict.fromkeys((TRUE, FALSE))
        else:
            found[constant] = None
            if isinstance(constant, Literal) and constant.datatype == XSD_STRING:
                found[Literal("other")] = None
    ordered = sorted(numbers)
    around = [*ordered, *((one + other) / 2 for one, other in pairwise(ordered))]
    around += [number + side for number in ordered for side in (1, -1)]
    found |= dict.fromkeys(_literal(number) for number in around)
    return list(found)[:MAX_CANDIDATES] or [Literal("1", XSD_INTEGER)]


def _instants(constants: Iterable[Term]) -> Iterator[str]:
    """Yield instants on both sides of every point in time among ``constants``."""
    yield _INSTANT
    times = [each for each in constants if isinstance(each, Literal) and each.datatype == XSD_DATETIME]
    for constant in sorted(times, key=str)[:MAX_INSTANTS]:
        try:
            time = datetime.fromisoformat(constant.lexical)
            time = time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
            around = (time - timedelta(days=1), time + timedelta(days=1))
        except (ValueError, OverflowError):
            continue
        yield from (f"{each:%Y-%m-%dT%H:%M:%S}.000Z" for each in around)


def _number(lexical: str) -> Iterator[Decimal]:
    try:
        number = Decimal(lexical[:40])
    except InvalidOperation:
        return
    if number.is_finite() and abs(number.adjusted()) <= _LARGEST:
        yield number


def _literal(number: Decimal) -> Literal:
    if number == number.to_integral_value():
        return Literal(str(int(number)), XSD_INTEGER)
    return Literal(f"{number.normalize():f}", XSD_DECIMAL)


def _shown(data: Sequence[Triple], given: Sequence[Triple]) -> str:
    """Return ``data`` as short pairs of name and value, without what is given anyway."""
    said = [each for each in data if each not in given]
    values = [each for each in said if each.predicate != RDF_TYPE and not _is_made_up(each.object)]
    properties: dict[Term, set[Term]] = {}
    for each in values or said:
        properties.setdefault(each.subject, set()).add(each.predicate)
    pairs = [_pair(each, is_alone=len(properties[each.subject]) == 1) for each in values or said]
    pairs = list(dict.fromkeys(pairs))
    return ", ".join(pairs[:_SHOWN_PAIRS]) + (", ..." if len(pairs) > _SHOWN_PAIRS else "")


def _pair(triple: Triple, *, is_alone: bool) -> str:
    subject, predicate, object_ = triple
    if isinstance(predicate, IRI) and predicate.value in _STATUS and subject == THIS_INSTANCE:
        return f"{_name(object_)}={_STATUS[predicate.value]}"
    name = _name(subject) if is_alone else f"{_name(subject)}.{_name(predicate)}"
    return f"{name}={_name(object_)}"


def _is_made_up(term: Term) -> bool:
    return isinstance(term, IRI) and term.value.startswith(_MADE_UP)


def _name(term: Term) -> str:
    if isinstance(term, Literal):
        return term.lexical[:_SHOWN_LENGTH]
    if not isinstance(term, IRI):
        return "something"
    name = local_name(term.value)
    if _is_made_up(term):
        return name.rpartition("-")[0]
    if name in _GENERIC:
        name = local_name(term.value.removesuffix(name).rstrip("#/"))
    return name[:_SHOWN_LENGTH]
