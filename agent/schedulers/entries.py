"""Requests in a queue and decisions about them, as RDF says them. An entry is named by its document."""

from collections.abc import Iterator
from typing import Literal as OneOf
from typing import TypeAlias, get_args

from msgspec import Struct

from agent.rdf.notation import term_text
from agent.rdf.terms import (
    IRI,
    RDF_FIRST,
    RDF_NIL,
    RDF_REST,
    RDF_TYPE,
    XSD_DATETIME,
    XSD_INTEGER,
    BlankNode,
    Literal,
    Term,
    Triple,
)
from agent.reason.facts import Facts
from agent.schedulers import terms
from agent.schedulers.decision import Decision
from agent.schedulers.descriptions import decimal
from agent.schedulers.values import fault, one, required_iri
from agent.vocab import METHODS, SCHED

Status: TypeAlias = OneOf["Pending", "Running", "Done", "Failed", "Uncertain"]
STATUSES: tuple[Status, ...] = get_args(Status)
_KNOWN_METHODS = frozenset({"POST", "PUT", "DELETE", "PATCH"})
_LONGEST_LIST = 100


class Order(Struct, frozen=True):
    """A request as it is asked for: what is to be sent, and for which task of which instance (empty: nobody's)."""

    method: str
    uri: str
    headers: tuple[tuple[str, str], ...] = ()
    body: str | None = None
    task: str = ""
    instance: str = ""
    activity: str = ""


class Entry(Struct, frozen=True):
    """A request in a queue. ``number`` counts arrivals; instants are xsd:dateTime texts, empty if not yet."""

    order: Order
    status: Status
    number: int
    created: str
    started: str = ""
    ended: str = ""
    answer: int | None = None


def read_order(facts: Facts, subject: Term) -> Order:
    """Return the request that ``subject`` describes; ProgramError SCH001, SCH002 or SCH006."""
    method = one(facts, subject, terms.METHOD)
    name = method.value.removeprefix(METHODS) if isinstance(method, IRI) else ""
    if name not in _KNOWN_METHODS:
        said = "no http:mthd" if method is None else f"{term_text(method)} as http:mthd"
        hint = "A scheduler sends POST, PUT, DELETE and PATCH: state one, such as httpm:POST."
        raise fault("SCH006", subject, said, hint)
    body = one(facts, subject, terms.BODY)
    if body is not None and not isinstance(body, Literal):
        raise fault("SCH006", subject, "http:body is no text", "Give the body as one literal.")
    return Order(
        name,
        required_iri(facts, subject, terms.REQUEST_URI),
        tuple(sorted(_headers(facts, subject))),
        None if body is None else body.lexical,
        *(_optional_iri(facts, subject, p) for p in (terms.FOR_TASK, terms.FOR_INSTANCE, terms.FOR_ACTIVITY)),
    )


def order_triples(subject: Term, order: Order, scope: str) -> Iterator[Triple]:
    """Yield what RDF says of ``order``; blank nodes are of ``scope``."""
    yield Triple(subject, RDF_TYPE, terms.REQUEST)
    yield Triple(subject, RDF_TYPE, terms.HTTP_REQUEST)
    yield Triple(subject, terms.METHOD, IRI(METHODS + order.method))
    yield Triple(subject, terms.REQUEST_URI, IRI(order.uri))
    if order.body is not None:
        yield Triple(subject, terms.BODY, Literal(order.body))
    if order.headers:
        yield from _header_triples(subject, order.headers, scope)
    about = (
        (terms.FOR_TASK, order.task),
        (terms.FOR_INSTANCE, order.instance),
        (terms.FOR_ACTIVITY, order.activity),
    )
    yield from (Triple(subject, predicate, IRI(value)) for predicate, value in about if value)


def read_entry(facts: Facts, subject: Term) -> Entry:
    """Return the entry that ``entry_triples`` wrote; ProgramError as ``read_order``, and SCH007."""
    status = read_status(facts, subject)
    number = one(facts, subject, terms.NUMBER)
    if not isinstance(number, Literal) or not number.lexical.isdecimal():
        raise fault("SCH007", subject, "no sched:number", "Entries are written by the scheduler alone.")
    return Entry(
        read_order(facts, subject),
        status,
        int(number.lexical),
        created=_text(facts, subject, terms.CREATED),
        started=_text(facts, subject, terms.STARTED),
        ended=_text(facts, subject, terms.ENDED),
        answer=_answer(facts, subject),
    )


def read_status(facts: Facts, subject: Term) -> Status:
    """Return the status of an entry; ProgramError SCH007 if it has none of those there are."""
    value = one(facts, subject, terms.STATUS)
    for status in STATUSES:
        if value == IRI(SCHED + status):
            return status
    said = "no sched:status" if value is None else f"{term_text(value)} as sched:status"
    raise fault(
        "SCH007", subject, said, f"It is one of {', '.join(f'sched:{status}' for status in STATUSES)}."
    )


def entry_triples(subject: IRI, entry: Entry) -> Iterator[Triple]:
    """Yield what RDF says of ``entry``; rank and score are not part of it, they change without it."""
    yield from order_triples(subject, entry.order, subject.value)
    yield Triple(subject, terms.STATUS, IRI(SCHED + entry.status))
    yield Triple(subject, terms.NUMBER, Literal(str(entry.number), XSD_INTEGER))
    instants = ((terms.CREATED, entry.created), (terms.STARTED, entry.started), (terms.ENDED, entry.ended))
    yield from (Triple(subject, p, Literal(text, XSD_DATETIME)) for p, text in instants if text)
    if entry.answer is not None:
        response = BlankNode("response", subject.value)
        yield Triple(subject, terms.RESPONSE, response)
        yield Triple(response, terms.STATUS_CODE, Literal(str(entry.answer), XSD_INTEGER))


def place_triples(subject: Term, rank: int, score: float) -> Iterator[Triple]:
    """Yield where a waiting entry stands."""
    yield Triple(subject, terms.RANK, Literal(str(rank), XSD_INTEGER))
    yield Triple(subject, terms.SCORE, decimal(score))


def decision_triples(
    subject: IRI, decision: Decision, *, queue: str, scheduler: str, policy: str, instant: str
) -> Iterator[Triple]:
    """Yield what RDF says of ``decision``, made at ``instant`` by ``scheduler`` under the version ``policy``."""
    here = subject.value
    association = BlankNode("association", here)
    yield Triple(subject, RDF_TYPE, terms.DECISION)
    yield Triple(subject, RDF_TYPE, terms.ACTIVITY)
    yield Triple(subject, terms.STARTED, Literal(instant, XSD_DATETIME))
    yield Triple(subject, terms.ASSOCIATION, association)
    yield Triple(association, terms.AGENT, IRI(scheduler))
    yield Triple(association, terms.HAD_PLAN, IRI(policy))
    yield Triple(subject, terms.SELECTED, IRI(queue + decision.selected))
    for position, alternative in enumerate(decision.alternatives):
        node = BlankNode(f"alternative{position}", here)
        yield Triple(subject, terms.USED, IRI(queue + alternative.key))
        yield Triple(subject, terms.ALTERNATIVE, node)
        yield Triple(node, terms.CANDIDATE, IRI(queue + alternative.key))
        yield Triple(node, terms.SCORE, decimal(alternative.score))
        if alternative.because:
            yield Triple(node, terms.REJECTED_BECAUSE, IRI(SCHED + alternative.because))
        if alternative.ranked is not None:
            ranked = alternative.ranked
            yield Triple(node, terms.DEFAULT_FINISH, decimal(ranked.default_finish_s))
            yield Triple(node, terms.DELAYED_FINISH, decimal(ranked.delayed_finish_s))
            yield Triple(node, terms.DEFAULT_PENALTY, decimal(ranked.default_penalty))
            yield Triple(node, terms.DELAYED_PENALTY, decimal(ranked.delayed_penalty))


def _optional_iri(facts: Facts, subject: Term, predicate: IRI) -> str:
    return required_iri(facts, subject, predicate) if one(facts, subject, predicate) is not None else ""


def _text(facts: Facts, subject: Term, predicate: IRI) -> str:
    value = one(facts, subject, predicate)
    return value.lexical if isinstance(value, Literal) else ""


def _answer(facts: Facts, subject: Term) -> int | None:
    response = one(facts, subject, terms.RESPONSE)
    code = None if response is None else one(facts, response, terms.STATUS_CODE)
    return int(code.lexical) if isinstance(code, Literal) and code.lexical.isdecimal() else None


def _headers(facts: Facts, subject: Term) -> Iterator[tuple[str, str]]:
    cell = one(facts, subject, terms.HEADERS)
    for _ in range(_LONGEST_LIST):
        if cell is None or cell == RDF_NIL:
            return
        node = one(facts, cell, RDF_FIRST)
        name = None if node is None else one(facts, node, terms.FIELD_NAME)
        value = None if node is None else one(facts, node, terms.FIELD_VALUE)
        if not isinstance(name, Literal) or not isinstance(value, Literal):
            hint = 'Write http:headers ( [ http:fieldName "..." ; http:fieldValue "..." ] ).'
            raise fault("SCH006", subject, "a header field without name or value", hint)
        yield name.lexical, value.lexical
        cell = one(facts, cell, RDF_REST)
    raise fault("SCH006", subject, f"more than {_LONGEST_LIST} header fields", "Send fewer.")


def _header_triples(subject: Term, headers: tuple[tuple[str, str], ...], scope: str) -> Iterator[Triple]:
    yield Triple(subject, terms.HEADERS, BlankNode("headers0", scope))
    for position, (name, value) in enumerate(headers):
        cell, node = BlankNode(f"headers{position}", scope), BlankNode(f"header{position}", scope)
        is_last = position + 1 == len(headers)
        yield Triple(cell, RDF_FIRST, node)
        yield Triple(cell, RDF_REST, RDF_NIL if is_last else BlankNode(f"headers{position + 1}", scope))
        yield Triple(node, terms.FIELD_NAME, Literal(name))
        yield Triple(node, terms.FIELD_VALUE, Literal(value))
