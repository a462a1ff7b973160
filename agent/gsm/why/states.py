"""How the instance as a whole is, and why it does not act if it does not."""

from collections.abc import Iterator

from agent.gsm.terms import IS_CANCELLED, IS_PARKED, IS_PAUSED
from agent.gsm.why.explanation import Status
from agent.gsm.why.model import HAS_MILESTONE, Model
from agent.gsm.why.naming import cut_short, document_name, entity_name
from agent.gsm.why.snapshot import Snapshot
from agent.n3.builtins import Context
from agent.n3.builtins.names import element_document
from agent.rdf.documents import Content, Failed, Gone
from agent.rdf.terms import IRI, TRUE, ListTerm, Literal, Term, Triple, document_of
from agent.vocab import AG, GSM

HAS_STATE = IRI(GSM + "hasState")
ACTIVE, INACTIVE, UNINITIALIZED = (IRI(GSM + name) for name in ("active", "inactive", "uninitialized"))
IN_INSTANCE = IRI(GSM + "inArtifactInstance")
IS_INCOMPLETE = IRI(AG + "isIncomplete")
_FAULTS = {
    IRI(AG + "hasTwice"): "is there twice, or has two states",
    IRI(AG + "hasCircularStage"): "is inside itself: stages must form a tree",
    IRI(AG + "hasSharedStage"): "is inside two stages: stages must form a tree",
}
_MOST = 20


def status_of(snapshot: Snapshot, model: Model) -> tuple[Status, tuple[str, ...]]:
    """Return the status of the instance, and why it does not act."""
    memory, instance = snapshot.memory, snapshot.instance
    states = set(memory.objects(instance, HAS_STATE))
    is_cancelled = Triple(instance, IS_CANCELLED, TRUE) in memory
    if states == {INACTIVE}:
        return ("cancelled", ("It was cancelled.",)) if is_cancelled else ("ended", ("It has ended.",))
    if Triple(instance, IS_INCOMPLETE, TRUE) in memory:
        return "blocked", tuple(_obstacles(snapshot, model))[:_MOST]
    if is_cancelled and states == {UNINITIALIZED}:
        return "cancelled", ("It was cancelled before it was set up.",)
    parked = sorted(_text(reason) for reason in memory.objects(instance, IS_PARKED))
    if parked:
        return "parked", (f"It is parked: {parked[0]}", "milepost resume lets it go on.")
    if Triple(instance, IS_PAUSED, TRUE) in memory:
        return "paused", ("It is paused; milepost resume lets it go on.",)
    if states == {UNINITIALIZED}:
        return "uninitialized", (
            "It is not set up yet: the first step of milepost run creates its elements.",
        )
    if states != {ACTIVE}:
        return "unread", ("Its status is not known.",)
    if is_cancelled:
        return "cancelled", ("It is being cancelled.",)
    active = (
        element
        for element in memory.subjects(HAS_STATE, ACTIVE)
        if element != instance and Triple(element, IN_INSTANCE, instance) in memory
    )
    return ("waiting" if next(active, None) is not None else "running"), ()


def _obstacles(snapshot: Snapshot, model: Model) -> Iterator[str]:
    """Yield what is missing, element by element, with what became of its document."""
    memory, instance = snapshot.memory, snapshot.instance
    for element in _sorted(memory.objects(instance, IRI(AG + "lacksStatusOf"))):
        documents = list(_documents(snapshot, model, element))
        said = [_of_document(snapshot, document) for document in documents]
        known = "; ".join(text for text in said if text) or _of_document(snapshot, document_of(_iri(element)))
        yield f"The status of {entity_name(element)} is not known{f': {known}' if known else ''}."
    for element in _sorted(memory.objects(instance, IRI(AG + "lacksDescriptionOf"))):
        if element == instance:
            yield "It does not say of which model it is an instance (gsm:isInstanceOf)."
            continue
        known = _of_document(snapshot, document_of(_iri(element)))
        yield f"The description of {entity_name(element)} is not known{f': {known}' if known else ''}."
    for predicate, fault in _FAULTS.items():
        for element in _sorted(memory.objects(instance, predicate)):
            yield f"{entity_name(element)} {fault}."
    if Triple(instance, IRI(AG + "hasSeveralModels"), TRUE) in memory:
        yield "It is an instance of several models."


def _documents(snapshot: Snapshot, model: Model, element: Term) -> Iterator[str]:
    """Yield the documents that should keep the status of a stage or milestone."""
    if element in (snapshot.instance, model.root) or not isinstance(element, IRI):
        yield document_of(snapshot.instance.value)
        return
    place = (IRI(snapshot.container), snapshot.instance)
    keys: list[tuple[Term, ...]] = [(*place, element)] if element in model.stages else []
    holders = (stage for stage in model.stages if element in model.children(stage, HAS_MILESTONE))
    keys += ((*place, stage, element) for stage in holders)
    for key in keys:
        document = element_document(ListTerm(key), Context(snapshot.instant))
        if isinstance(document, IRI):
            yield document.value


def _of_document(snapshot: Snapshot, uri: str) -> str:
    """Return what became of a document, if that is why something is not known."""
    name = document_name(uri)
    match snapshot.outcomes.get(uri):
        case Failed(_, reason):
            return f"{name}: {cut_short(reason, 120)}"
        case Gone(_, status):
            return f"{name} is gone ({status})"
        case Content(skipped=skipped) if skipped:
            return f"{name}: not all of it can be read: {cut_short(skipped[0], 120)}"
        case Content():
            return f"{name} was read and does not say it"
        case _:
            return ""


def _sorted(terms: Iterator[Term]) -> list[Term]:
    return sorted(set(terms), key=repr)


def _iri(term: Term) -> str:
    return term.value if isinstance(term, IRI) else ""


def _text(term: Term) -> str:
    return cut_short(term.lexical if isinstance(term, Literal) else repr(term), 200)
