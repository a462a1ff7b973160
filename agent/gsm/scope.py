"""Who may say what: which statements of a document count (ADR 0014).

Any page that an agent reads could say that a stranger's document belongs to a workflow, or that a guard holds. So
status counts only where it is kept, a model only where it is described, and conclusions only when our own rules
drew them. Everything else in a document is data and always counts.
"""

from collections.abc import Iterable

from agent.gsm.terms import (
    ARTIFACT_INSTANCE,
    BOOLEAN,
    CONTAINS,
    IN_ARTIFACT_INSTANCE,
    IN_DOCUMENT,
    IS_ACHIEVED,
    IS_TAINTED,
    MARKS,
    STATUS_QUESTIONS,
    THIS_INSTANCE,
)
from agent.n3.builtins.kept import QUESTION
from agent.rdf.documents import Content
from agent.rdf.terms import (
    FALSE,
    IRI,
    RDF_TYPE,
    TRUE,
    XSD_BOOLEAN,
    BlankNode,
    Literal,
    Term,
    Triple,
    document_of,
)
from agent.vocab import AG, GSM, HTTP, SCHED, SH, SP, SR

_STATUS_CLASSES = frozenset(
    GSM + name for name in ("ArtifactInstance", "StageInstance", "MilestoneInstance", "MileStoneInstance")
)
_MODEL_CLASSES = frozenset(
    {
        *(GSM + name for name in ("Stage", "StageModel", "Guard", "Milestone")),
        AG + "Latched",
        AG + "SparqlSource",
    }
)
STATUS = frozenset(
    {
        *(GSM + name for name in ("hasState", "isAchieved", "inArtifactInstance", "inSuperStageInstance")),
        *(GSM + name for name in ("isInstanceOf", "forStageModel", "isSuperStageInstance")),
        *(AG + name for name in ("activation", "run", *MARKS)),
    }
)
"""Counts about ``<d#...>`` in document d, a member of a status container or an instance's own document."""

MODEL = frozenset(
    {
        *(GSM + name for name in ("hasChildStage", "hasDescendantStage", "hasAncestorStage", "hasGuard")),
        *(GSM + name for name in ("hasCondition", "hasMilestone", "hasMilestoneModel", "hasAchievingSentry")),
        *(
            GSM + name
            for name in ("hasValidatingSentry", "hasInvalidatingSentry", "hasTask", "hasHttpRequest", "ask")
        ),
        *(AG + name for name in ("ask", "source", "dependsOn", "endpoint", "construct")),
        *(SP + name for name in ("where", "text", "subject", "predicate", "object")),
        *(SH + name for name in ("ask", "prefixes", "declare")),
        *(HTTP + name for name in ("mthd", "requestURI", "body", "headers", "fieldName", "fieldValue")),
        SR + "boolean",
    }
)
"""Counts about ``<d#...>`` and blank nodes in document d, wherever that is."""

_FROM_BELOW = GSM + "hasAncestorStage"
"""Says of the stage above that it holds another: it counts where both are described, or pages could add stages."""

_DESCRIBING = MODEL | STATUS
_BOOLEANS = frozenset({IS_ACHIEVED, BOOLEAN, *(IRI(AG + name) for name in MARKS)})
_STATUS_QUESTIONS = frozenset(
    {
        *(AG + name for name in STATUS_QUESTIONS),
        *(GSM + name for name in (*STATUS_QUESTIONS, "hasAchievedMilestone")),
    }
)
_CONCLUSIONS = frozenset(
    {
        *(GSM + name for name in ("allAncestorsActive", "hasArtifactInstanceRelativeResult")),
        *(GSM + name for name in ("hasInstanceRelativeResult", "hasArtifactInstance")),
    }
)
_CONCLUDED = frozenset(
    AG + name
    for name in [
        "isExecuted",
        "isSetUp",
        "isStarting",
        "isKnown",
        "isRunning",
        "isIncomplete",
        "isRefused",
        "lacksStatusOf",
        "lacksDescriptionOf",
        "hasTwice",
        "hasStatus",
        "inDocument",
        "isTainted",
        "container",
        "executesMembers",
        "retrieveMembers",
        "hasStageOrSelf",
        "nests",
        "isDescribed",
        "usesSentry",
        "areUsed",
        "isUsed",
        "isSource",
        "isFulfilled",
        "isFulfilledIn",
        "isTrueIn",
        "holdsIn",
        "isMetIn",
        "isHeld",
        "mayAct",
        "proceeds",
        "retriesAs",
        "mayOpenBy",
        "latches",
        "mayActivate",
        "achieves",
        "completesAs",
        "closesAs",
        "isLeftOpen",
        "depth",
        "last",
        "hasCircularStage",
        "hasSharedStage",
        "hasSeveralModels",
        "instant",
        "freshId",
    ]
)

_OPERATORS = frozenset({SCHED + "forService", SCHED + "queue"})
"""Counts from nobody but the operator: by these a page could divert tasks to itself."""

PROTECTED = STATUS | MODEL | _STATUS_QUESTIONS | _CONCLUSIONS | _CONCLUDED | _OPERATORS
"""Predicates that no rule with a variable as predicate may derive: not by ontologies, not by renaming."""


def is_member(document: str, container: str) -> bool:
    """Tell whether ``document`` has its place directly in ``container``, by its path."""
    name = document.removeprefix(container).removesuffix("/")
    return container.endswith("/") and document.startswith(container) and bool(name) and "/" not in name


def admit(
    content: Content, containers: Iterable[str], instances: Iterable[str]
) -> tuple[tuple[Triple, ...], int]:
    """Return the triples of a document that count, and how many do not.

    ``containers`` are the status containers, ``instances`` the executed instances that are named one by one.
    Booleans of status are written one way. Two statements are added: ``ag:inDocument`` for each instance that its
    own document describes, and ``ag:isTainted`` for what such a document describes when a part of it was skipped.
    """
    return _Admission(content, containers, instances).result()


class _Admission:
    """The admission of one document."""

    def __init__(self, content: Content, containers: Iterable[str], instances: Iterable[str]) -> None:
        self._content = content
        self._names = {content.uri, content.document}
        self._keeps_status = any(
            is_member(name, container) for name in self._names for container in containers
        ) or any(document_of(instance) in self._names for instance in instances)
        self._patterns = {
            triple.subject
            for triple in content.triples
            if triple.predicate == IN_ARTIFACT_INSTANCE and triple.object == THIS_INSTANCE
        }

    def result(self) -> tuple[tuple[Triple, ...], int]:
        admitted: list[Triple] = []
        described: set[Term] = set()
        for triple in self._content.triples:
            if not self._counts(triple):
                continue
            admitted.append(_normal(triple))
            if _name(triple.predicate) in _DESCRIBING:
                described.add(triple.subject)
        dropped = len(self._content.triples) - len(admitted)
        instances = [t.subject for t in admitted if t.predicate == RDF_TYPE and t.object == ARTIFACT_INSTANCE]
        admitted += [Triple(instance, IN_DOCUMENT, IRI(self._content.uri)) for instance in instances]
        if self._content.tainted:
            admitted += [Triple(subject, IS_TAINTED, TRUE) for subject in sorted(described, key=repr)]
        return tuple(admitted), dropped

    def _counts(self, triple: Triple) -> bool:
        subject, predicate, object_ = triple
        name = _name(predicate)
        if predicate == RDF_TYPE:
            return self._type_counts(subject, _name(object_))
        if subject in self._patterns and (name in _STATUS_QUESTIONS or object_ == THIS_INSTANCE):
            return self._is_own(subject, blank=True)
        if name in STATUS:
            return self._keeps_status and self._is_own(subject)
        if name == _FROM_BELOW and not self._is_own(object_):
            return False
        if name in MODEL:
            return self._is_own(subject, blank=True)
        if predicate == CONTAINS:
            return _name(subject) in self._names
        return name not in PROTECTED and not name.startswith(QUESTION)

    def _type_counts(self, subject: Term, kind: str) -> bool:
        if kind in _STATUS_CLASSES:
            return self._keeps_status and self._is_own(subject)
        return kind not in _MODEL_CLASSES or self._is_own(subject, blank=True)

    def _is_own(self, subject: Term, *, blank: bool = False) -> bool:
        match subject:
            case IRI(value):
                return document_of(value) in self._names
            case BlankNode():
                return blank
            case _:
                return False


def _name(term: Term) -> str:
    return term.value if isinstance(term, IRI) else ""


def _normal(triple: Triple) -> Triple:
    """Return the triple with the booleans of status as ``true`` and ``false``."""
    if triple.predicate in _BOOLEANS and isinstance(triple.object, Literal):
        literal = triple.object
        if literal.datatype == XSD_BOOLEAN and literal.lexical in {"1", "0"}:
            return Triple(triple.subject, triple.predicate, TRUE if literal.lexical == "1" else FALSE)
    return triple
