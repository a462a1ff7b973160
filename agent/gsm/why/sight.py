"""What is seen of one instance: states, checks and intended requests of its elements, ready for sentences."""

from collections.abc import Sequence

from agent.gsm.evaluation import Value
from agent.gsm.terms import IS_ACHIEVED
from agent.gsm.why.explanation import Check, Role, SentryView, Status
from agent.gsm.why.model import (
    HAS_ACHIEVING,
    HAS_CONDITION,
    HAS_GUARD,
    HAS_INVALIDATING,
    HAS_MILESTONE,
    Element,
    Model,
)
from agent.gsm.why.naming import cut_short, document_name
from agent.gsm.why.sentries import Sentries
from agent.gsm.why.snapshot import Intended, Snapshot
from agent.gsm.why.states import ACTIVE, HAS_STATE, INACTIVE
from agent.rdf.terms import FALSE, IRI, TRUE, Term, Triple, document_of
from agent.vocab import AG

LATCHES = IRI(AG + "latches")
_ORDER: tuple[Value, ...] = ("true", "unknown", "broken", "not true")
_WORDS: dict[Value, str] = {
    "true": "is true",
    "unknown": "can't be known",
    "broken": "is broken",
    "not true": "is not true",
}
IDLE: dict[Status, str] = {
    "blocked": "the instance is blocked",
    "cancelled": "the instance is cancelled",
    "ended": "the instance has ended",
    "parked": "the instance is parked",
    "paused": "the instance is paused",
    "uninitialized": "the instance is not set up yet",
    "unread": "the status of the instance is not known",
}
"""Why nothing of the instance changes, for each status in which nothing does."""
_MOST_SENT = 12
_MOST_DOCUMENTS = 4


class Sight:
    """One instance; ``in_full``: sentries are explained pattern by pattern."""

    def __init__(self, snapshot: Snapshot, model: Model, status: Status, *, in_full: bool) -> None:
        self.snapshot = snapshot
        self.memory = snapshot.memory
        self.model = model
        self.status = status
        self.sentries = Sentries(snapshot)
        self._in_full = in_full

    @property
    def idle(self) -> str:
        """Return why nothing of the instance changes, or ""."""
        return IDLE.get(self.status, "")

    def guards(self, stage: Term) -> list[Element]:
        """Return the guards of ``stage``."""
        return [self.model.element("guard", one, stage) for one in self.model.children(stage, HAS_GUARD)]

    def milestones(self, stage: Term) -> list[Element]:
        """Return the milestones of ``stage``."""
        return [
            self.model.element("milestone", one, stage) for one in self.model.children(stage, HAS_MILESTONE)
        ]

    def stage(self, node: Term) -> Element:
        """Return the stage ``node``."""
        return self.model.element("stage", node, node)

    def guard_check(self, element: Element, node: Term | None, *, brief: bool = False) -> Check:
        """Return the value of a guard; ``node`` is the instance of its stage, ``brief``: without the parts of queries."""
        is_latched = node is not None and Triple(node, LATCHES, element.node) in self.memory
        return self._check("opens", element, HAS_CONDITION, is_latched=is_latched, brief=brief)

    def milestone_check(self, element: Element, role: Role) -> Check:
        """Return what achieves or invalidates a milestone."""
        predicate = HAS_ACHIEVING if role == "achieves" else HAS_INVALIDATING
        return self._check(role, element, predicate, is_latched=False, brief=False)

    def sentry(self, node: Term) -> SentryView:
        """Return a sentry by itself."""
        return self.sentries.view(node, in_full=self._in_full)

    def _check(self, role: Role, element: Element, predicate: IRI, *, is_latched: bool, brief: bool) -> Check:
        in_full = self._in_full and not brief
        nodes = self.model.children(element.node, predicate)
        sentries = tuple(self.sentries.view(one, in_full=in_full) for one in nodes)
        values = {one.value for one in sentries}
        best: Value = next((value for value in _ORDER if value in values), "not true")
        return Check(
            role, element.iri, element.name, element.label, best, is_latched=is_latched, sentries=sentries
        )

    def state(self, node: Term | None) -> str:
        """Return the state of a stage instance in a word or two."""
        states = [] if node is None else list(self.memory.objects(node, HAS_STATE))
        if states == [ACTIVE]:
            return "active"
        if states == [INACTIVE]:
            return "inactive"
        return "not set up" if self.status == "uninitialized" else "not known"

    def achievement(self, node: Term | None) -> str:
        """Return the state of a milestone instance."""
        values = [] if node is None else list(self.memory.objects(node, IS_ACHIEVED))
        if values == [TRUE]:
            return "achieved"
        if values == [FALSE]:
            return "unachieved"
        return "not set up" if self.status == "uninitialized" else "not known"

    def intended(self, node: Term | None) -> list[Intended]:
        """Return the requests that the step would send for ``node``, or hold back."""
        if not isinstance(node, IRI):
            return []
        document = document_of(node.value)
        return [one for one in self.snapshot.intended if node.value == one.task_of or document == one.uri]

    def sends(self, node: Term | None) -> tuple[str, ...]:
        """Return the requests that the step would send for ``node``, as text."""
        return tuple(
            f"{one.method} {document_name(one.uri)}"
            + (f" (held back: {cut_short(one.reason, 100)})" if one.reason else _grounds(one))
            for one in self.intended(node)[:_MOST_SENT]
        )


def _grounds(one: Intended) -> str:
    """Return by which rules a request is asked for, and from which documents that follows."""
    shown = [document_name(uri) for uri in one.documents[:_MOST_DOCUMENTS]]
    more = f" and {len(one.documents) - len(shown)} more" if len(one.documents) > len(shown) else ""
    rules = f" by {', '.join(one.rules)}" if one.rules else ""
    return rules + (f", from {', '.join(shown)}{more}" if shown else "")


def title(element: Element | Check, kind: str) -> str:
    """Return how a sentence calls an element: ``stage close-doors``."""
    label = f'"{element.label}"' if element.label else "without a name"
    return f"{kind} {element.name or label}"


def capital(text: str) -> str:
    """Return ``text`` as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def worded(value: Value) -> str:
    """Return a value as the rest of a sentence."""
    return _WORDS[value]


def names(checks: Sequence[Check], kind: str) -> str:
    """Return ``guard g1 is true``, or ``guards g1 and g2 are true``."""
    called = [one.name or one.label or "one without a name" for one in checks]
    if len(called) == 1:
        return f"{kind} {called[0]} is true"
    return f"{kind}s {', '.join(called[:-1])} and {called[-1]} are true"
