"""The stages, guards, milestones and sentries of an instance's model, and what users call them."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from agent.errors import UsageError, did_you_mean
from agent.gsm.terms import IN_ARTIFACT_INSTANCE, IS_INSTANCE_OF
from agent.gsm.why.explanation import Kind
from agent.gsm.why.naming import cut_short, local_name
from agent.gsm.why.sentries import label_of
from agent.gsm.why.snapshot import Snapshot
from agent.rdf.terms import IRI, Term, Triple
from agent.vocab import AG, GSM

HAS_STAGE_OR_SELF = IRI(AG + "hasStageOrSelf")
NESTS = IRI(AG + "nests")
HAS_GUARD = IRI(GSM + "hasGuard")
HAS_CONDITION = IRI(GSM + "hasCondition")
HAS_MILESTONE = IRI(GSM + "hasMilestone")
HAS_ACHIEVING = IRI(GSM + "hasAchievingSentry")
HAS_INVALIDATING = IRI(GSM + "hasInvalidatingSentry")
FOR_STAGE = IRI(GSM + "forStageModel")


class Element(Struct, frozen=True):
    """Something of the model that can be asked about; ``stage`` is the stage that it belongs to."""

    kind: Kind
    node: Term
    stage: Term
    name: str
    label: str

    @property
    def iri(self) -> str:
        """Return its IRI, or "" if it has none."""
        return self.node.value if isinstance(self.node, IRI) else ""


class Model:
    """The model of the instance of ``snapshot``, in the order of nesting and then of names."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._memory = snapshot.memory
        self.root = snapshot.memory.value(snapshot.instance, IS_INSTANCE_OF)
        self.stages = tuple(self._stages())

    def children(self, node: Term, predicate: IRI) -> list[Term]:
        """Return what ``node`` has as ``predicate``, sorted."""
        return sorted(set(self._memory.objects(node, predicate)), key=_order)

    def parent(self, stage: Term) -> Term | None:
        """Return the stage that nests ``stage``."""
        parents = sorted(self._memory.subjects(NESTS, stage), key=_order)
        return next((one for one in parents if one in self.stages), None)

    def instance_of(self, element: Element) -> Term | None:
        """Return the stage or milestone instance of ``element``."""
        snapshot = self._snapshot
        if element.node == self.root:
            return snapshot.instance
        for node in sorted(self._memory.subjects(IS_INSTANCE_OF, element.node), key=_order):
            if Triple(node, IN_ARTIFACT_INSTANCE, snapshot.instance) not in self._memory:
                continue
            if element.kind != "milestone" or Triple(node, FOR_STAGE, element.stage) in self._memory:
                return node
        return None

    def elements(self) -> Iterator[Element]:
        """Yield the stages, each with its guards and milestones, and their sentries."""
        for stage in self.stages:
            yield self.element("stage", stage, stage)
            for guard in self.children(stage, HAS_GUARD):
                yield self.element("guard", guard, stage)
                for sentry in self.children(guard, HAS_CONDITION):
                    yield self.element("sentry", sentry, stage)
            for milestone in self.children(stage, HAS_MILESTONE):
                yield self.element("milestone", milestone, stage)
                for predicate in (HAS_ACHIEVING, HAS_INVALIDATING):
                    for sentry in self.children(milestone, predicate):
                        yield self.element("sentry", sentry, stage)

    def element(self, kind: Kind, node: Term, stage: Term) -> Element:
        """Return ``node`` as an element."""
        name = local_name(node.value) if isinstance(node, IRI) else ""
        return Element(kind, node, stage, cut_short(name), label_of(self._snapshot, node))

    def find(self, wanted: str) -> list[Element]:
        """Return the elements that ``wanted`` means: an IRI, a local name, or a label; UsageError GSM080 if none.

        A milestone that two stages share is two elements; all others are one, or the name has to be an IRI.
        """
        known = list(dict.fromkeys(self.elements()))
        by_instance = self._of_instance(wanted, known)
        for matches in (
            [one for one in known if one.iri == wanted],
            by_instance,
            [one for one in known if one.name == wanted],
            [one for one in known if one.label == wanted],
            [one for one in known if wanted.casefold() in {one.name.casefold(), one.label.casefold()}],
        ):
            nodes = {one.node for one in matches}
            if len(nodes) > 1:
                raise UsageError(
                    "GSM080",
                    f'"{cut_short(wanted)}" is the name of {len(nodes)} elements',
                    hint="Give the IRI: " + ", ".join(sorted(one.iri for one in matches)[:4]),
                )
            if matches:
                return matches if matches[0].kind == "milestone" else matches[:1]
        raise self._unknown(wanted, known)

    def _unknown(self, wanted: str, known: Sequence[Element]) -> UsageError:
        names = [name for one in known for name in (one.name, one.label) if name]
        guess = did_you_mean(wanted.rpartition("#")[2], names)
        listed = ", ".join(dict.fromkeys(one.name for one in known if one.name and one.kind != "sentry"))
        hint = f"There are: {cut_short(listed, 300)}." if listed else "Its model could not be read."
        return UsageError(
            "GSM080",
            f'there is no "{cut_short(wanted)}" in the model of {self._snapshot.instance.value}',
            hint=f"{guess} {hint}".strip(),
        )

    def _of_instance(self, wanted: str, known: Sequence[Element]) -> list[Element]:
        if not wanted.startswith(("http://", "https://")):
            return []
        found = (one for one in known if one.kind in {"stage", "milestone"})
        return [one for one in found if self.instance_of(one) == IRI(wanted)]

    def _stages(self) -> Iterator[Term]:
        """Yield the stages, the root first and each below the one that nests it."""
        if self.root is None:
            return
        seen: set[Term] = set()
        pending = [self.root]
        while pending:
            stage = pending.pop()
            if stage not in seen:
                seen.add(stage)
                yield stage
                pending += reversed(self.children(stage, NESTS))
        for stage in self.children(self.root, HAS_STAGE_OR_SELF):
            if stage not in seen:
                yield stage


def _order(term: Term) -> str:
    return term.value if isinstance(term, IRI) else repr(term)
