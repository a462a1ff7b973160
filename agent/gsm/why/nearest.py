"""The triples that differ from a triple pattern in one place, and the sources that nobody can know about.

A pattern is tried with the solutions of what stands before it. Candidates come in this order: sources that failed,
another value of the same property, a property with nearly the same name, the same value of something else.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from agent.errors import closest
from agent.gsm.terms import IN_ARTIFACT_INSTANCE, IS_ACHIEVED, IS_INSTANCE_OF
from agent.gsm.why.explanation import Candidate
from agent.gsm.why.naming import cut_short, entity_name, local_name, value_text
from agent.gsm.why.snapshot import Snapshot
from agent.rdf.documents import Content, Failed, Gone
from agent.rdf.terms import IRI, RDF_TYPE, Literal, Term, Triple, document_of
from agent.vocab import AG, GSM

MOST_TRIED = 60
"""Solutions of the patterns before that one pattern is tried with, and triples that are looked at for each."""
MOST_NAMES = 5000
"""Properties and classes whose names are compared with one that may be misspelt."""
_STATUS_QUESTIONS = {
    GSM + "hasAchievedMilestone": "achieved",
    AG + "hasUnachievedMilestone": "unachieved",
    AG + "hasActiveStage": "active",
    AG + "hasInactiveStage": "inactive",
}
_HAS_STATE = IRI(GSM + "hasState")


class Tried(Struct, frozen=True):
    """A triple pattern with the values that are known; None for the others."""

    subject: Term | None
    predicate: Term | None
    object: Term | None


def candidate(snapshot: Snapshot, triple: Triple, remark: str) -> Candidate:
    """Return ``triple`` as a candidate: whose value it is, and where it comes from."""
    state = _STATUS_QUESTIONS.get(triple.predicate.value) if isinstance(triple.predicate, IRI) else None
    if state is not None:
        return Candidate(entity_name(triple.object), state, remark)
    document = snapshot.document_of(triple)
    rule = "" if document else snapshot.rule_of(triple)
    age = snapshot.age_of(triple.subject)
    return Candidate(entity_name(triple.subject), value_text(triple.object), remark, document, rule, age)


def unknown_source(snapshot: Snapshot, thing: Term) -> Candidate | None:
    """Return why nothing is known of ``thing``, if its document could not be read, is gone, or is not read at all."""
    if not isinstance(thing, IRI) or not thing.value.startswith(("http://", "https://")):
        return None
    document = document_of(thing.value)
    name = entity_name(thing)
    is_unheard_of = next(snapshot.asked.match(thing, None, None), None) is None
    match snapshot.outcomes.get(document):
        case Failed(_, reason):
            times = snapshot.times_failed(document)
            return Candidate(name, "—", f"can't know: {cut_short(reason, 100)}{times}", document)
        case Gone(_, status) if is_unheard_of:
            return Candidate(name, "—", f"its document is gone ({status})", document)
        case Content(skipped=skipped) if skipped:
            return Candidate(name, "—", "can't know: not all of its document can be read", document)
        case None if is_unheard_of:
            return Candidate(name, "—", "its document is not read; ag:source can name it", document)
        case _:
            return None


def nearest(snapshot: Snapshot, tried: Sequence[Tried]) -> list[Candidate]:
    """Return the candidates for a pattern, tried in several ways, best first and each once."""
    found: dict[Candidate, None] = {}
    for one in tried:
        found.update(dict.fromkeys(_own_status(snapshot, one)))
        if one.subject is not None:
            lost = unknown_source(snapshot, one.subject)
            if lost is not None:
                found[lost] = None
    for search in (_other_values, _other_properties, _other_subjects):
        for one in (one for one in tried if not _asks_status(one)):
            found.update(dict.fromkeys(islice(search(snapshot, one), MOST_TRIED)))
    return list(found or dict.fromkeys(_never_said(snapshot, tried)))


def _never_said(snapshot: Snapshot, tried: Sequence[Tried]) -> Iterator[Candidate]:
    """Yield the properties that nothing has: a rule that would conclude them may be missing."""
    for one in tried:
        predicate = one.predicate
        if isinstance(predicate, IRI) and next(snapshot.asked.match(None, predicate, None), None) is None:
            remark = "nothing that was read says it; if rules conclude it, give them with -p"
            yield Candidate(entity_name(predicate), "—", remark)


def _other_values(snapshot: Snapshot, tried: Tried) -> Iterator[Candidate]:
    if tried.predicate is None or tried.object is None:
        return
    if tried.predicate == RDF_TYPE and tried.subject is None:
        yield from _near_classes(snapshot, tried.object)
        return
    wanted = value_text(tried.object)
    for triple in islice(snapshot.asked.match(tried.subject, tried.predicate, None), MOST_TRIED):
        if triple.object == tried.object:
            continue
        shown = candidate(snapshot, triple, f"is not {wanted}")
        if shown.value == wanted:
            mine, other = (value_text(one, with_type=True) for one in (triple.object, tried.object))
            shown = replace(
                shown, value=mine, remark=f"is not {other}" if mine != other else f"is another {wanted}"
            )
        yield shown


def _near_classes(snapshot: Snapshot, wanted: Term) -> Iterator[Candidate]:
    """Yield things of classes with nearly the same name."""
    table = snapshot.asked.table
    number = table.find(RDF_TYPE)
    known = islice(snapshot.asked.by_object.get(-1 if number is None else number, ()), MOST_NAMES)
    for near in _near_names(wanted, [table.terms[one] for one in known]):
        for triple in islice(snapshot.asked.match(None, RDF_TYPE, near), MOST_TRIED):
            yield candidate(snapshot, triple, f"is nearly {_told_apart(wanted, near)}; did you mean that?")


def _other_properties(snapshot: Snapshot, tried: Tried) -> Iterator[Candidate]:
    """Yield what is said with properties of nearly the same name."""
    wanted = tried.predicate
    if not isinstance(wanted, IRI):
        return
    facts = snapshot.asked
    known = (facts.table.terms[one] for one in islice(facts.predicates(), MOST_NAMES))
    used = [one for one in known if next(facts.match(tried.subject, one, tried.object), None) is not None]
    for near in _near_names(wanted, used):
        for triple in islice(facts.match(tried.subject, near, tried.object), MOST_TRIED):
            remark = f"is its {_told_apart(near, wanted)}; did you mean that?"
            yield candidate(snapshot, triple, remark)


def _other_subjects(snapshot: Snapshot, tried: Tried) -> Iterator[Candidate]:
    if tried.subject is None or tried.predicate is None:
        return
    wanted = entity_name(tried.subject)
    for triple in islice(snapshot.asked.match(None, tried.predicate, tried.object), MOST_TRIED):
        if triple.subject != tried.subject and tried.predicate != RDF_TYPE:
            yield candidate(snapshot, triple, f"is said of another than {wanted}")


def _asks_status(tried: Tried) -> bool:
    return isinstance(tried.predicate, IRI) and tried.predicate.value in _STATUS_QUESTIONS


def _own_status(snapshot: Snapshot, tried: Tried) -> Iterator[Candidate]:
    """Yield how an element is that the instance is asked about."""
    predicate = tried.predicate.value if isinstance(tried.predicate, IRI) else ""
    wanted = _STATUS_QUESTIONS.get(predicate)
    if wanted is None or tried.subject != snapshot.instance or tried.object is None:
        return
    elements = [
        element
        for element in snapshot.memory.subjects(IS_INSTANCE_OF, tried.object)
        if Triple(element, IN_ARTIFACT_INSTANCE, snapshot.instance) in snapshot.memory
    ]
    for element in elements:
        for triple in islice(_states(snapshot, element), 2):
            value = _state_text(triple.object)
            if value != wanted:
                shown = candidate(snapshot, triple, f"is not {wanted}")
                yield replace(shown, name=entity_name(tried.object), value=value)
    if not elements:
        yield Candidate(entity_name(tried.object), "—", "is no stage or milestone of this instance")


def _states(snapshot: Snapshot, element: Term) -> Iterator[Triple]:
    yield from snapshot.memory.match(element, IS_ACHIEVED, None)
    yield from snapshot.memory.match(element, _HAS_STATE, None)


def _state_text(term: Term) -> str:
    if isinstance(term, Literal):
        return {"true": "achieved", "false": "unachieved"}.get(term.lexical, value_text(term))
    return local_name(term.value) if isinstance(term, IRI) else value_text(term)


def _near_names(wanted: Term, known: Iterable[Term]) -> list[Term]:
    """Return the IRIs of ``known`` whose local name is nearly that of ``wanted``."""
    if not isinstance(wanted, IRI):
        return []
    names: dict[str, list[Term]] = {}
    for term in known:
        if isinstance(term, IRI) and term != wanted:
            names.setdefault(local_name(term.value), []).append(term)
    name = closest(local_name(wanted.value), names)
    return [] if name is None else names[name]


def _told_apart(one: Term, other: Term) -> str:
    """Return the name of ``one``, with its vocabulary if ``other`` has the same name in another one."""
    name, same = entity_name(one), entity_name(other)
    return value_text(one) if name == same and isinstance(one, IRI) else name
