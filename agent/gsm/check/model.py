"""A model as the checks see it: its statements as they are meant, where they were written, and by what names."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from agent.errors import Finding, Place
from agent.gsm.check.terms import (
    BODY,
    GUARD,
    HAS_ACHIEVING,
    HAS_ANCESTOR,
    HAS_CHILD,
    HAS_CONDITION,
    HAS_DESCENDANT,
    HAS_GUARD,
    HAS_INVALIDATING,
    HAS_MILESTONE,
    HAS_REQUEST,
    HAS_TASK,
    HAS_VALIDATING,
    LINKS,
    METHOD,
    MILESTONE,
    REQUEST,
    REQUEST_URI,
    SPELLINGS,
    STAGE,
)
from agent.gsm.terms import ASK, GSM_ASK, SHACL_ASK, SPIN_TEXT, SPIN_WHERE
from agent.n3.program import Pattern
from agent.n3.source import SourceText
from agent.rdf.terms import IRI, RDF_FIRST, RDF_NIL, RDF_REST, RDF_TYPE, BlankNode, Term, Triple, document_of
from agent.reason.facts import Facts

_ROLE_OF_CLASS: dict[Term, str] = {STAGE: "stage", GUARD: "guard", MILESTONE: "milestone", REQUEST: "request"}
_ROLE_OF_PROPERTY: dict[Term, str] = {
    **{predicate: roles[0] for predicate, roles in LINKS.items()},
    METHOD: "request",
    REQUEST_URI: "request",
    BODY: "request",
    **dict.fromkeys((ASK, GSM_ASK, SHACL_ASK, SPIN_TEXT, SPIN_WHERE), "sentry"),
}
_CARRIERS = {
    "guard": (HAS_GUARD,),
    "milestone": (HAS_MILESTONE,),
    "request": (HAS_REQUEST,),
    "stage": (HAS_CHILD, HAS_DESCENDANT),
    "task": (HAS_TASK,),
    "sentry": (HAS_CONDITION, HAS_ACHIEVING, HAS_INVALIDATING),
}
MAX_MEMBERS = 1000


class Model:
    """The statements of a model's documents, indexed; ``bases`` are the URIs of the documents."""

    def __init__(
        self, statements: Iterable[Pattern], sources: Mapping[str, SourceText], bases: Iterable[str]
    ) -> None:
        self.statements = tuple(statements)
        self.sources = sources
        self._bases = frozenset(map(document_of, bases))
        self._of: dict[Term, list[Pattern]] = defaultdict(list)
        self._to: dict[Term, list[Pattern]] = defaultdict(list)
        self._with: dict[Term, list[Pattern]] = defaultdict(list)
        for statement in self.statements:
            self._with[statement.triple.predicate].append(statement)
            self._of[statement.triple.subject].append(statement)
            self._to[statement.triple.object].append(statement)

    def with_statements(self, statements: Iterable[Pattern]) -> "Model":
        """Return the model of the same documents that says ``statements`` instead."""
        return Model(statements, self.sources, self._bases)

    @cached_property
    def facts(self) -> Facts:
        """The statements as a memory, for the rooms that evaluate."""
        facts = Facts()
        for statement in self.statements:
            facts.add(statement.triple)
        return facts

    def of(self, subject: Term, *predicates: Term) -> list[Pattern]:
        """Return what is said about ``subject``, in the order of the text; with one of ``predicates`` if given."""
        found = self._of.get(subject, [])
        return [each for each in found if not predicates or each.triple.predicate in predicates]

    def to(self, object_: Term, *predicates: Term) -> list[Pattern]:
        """Return the statements that lead to ``object_`` by one of ``predicates``."""
        return [each for each in self._to.get(object_, []) if each.triple.predicate in predicates]

    def objects(self, subject: Term, *predicates: Term) -> list[Term]:
        """Return the distinct objects of ``subject`` by one of ``predicates``."""
        return list(dict.fromkeys(each.triple.object for each in self.of(subject, *predicates)))

    def with_predicate(self, *predicates: Term) -> Iterator[Pattern]:
        """Yield the statements with one of ``predicates``, predicate by predicate, in the order of the text."""
        return (each for predicate in predicates for each in self._with.get(predicate, ()))

    def members(self, head: Term) -> list[Term]:
        """Return the members of a list, at most ``MAX_MEMBERS``; a list that bites its tail ends there."""
        found: list[Term] = []
        seen: set[Term] = set()
        while head != RDF_NIL and head not in seen and len(found) < MAX_MEMBERS:
            seen.add(head)
            found += self.objects(head, RDF_FIRST)
            head = next(iter(self.objects(head, RDF_REST)), RDF_NIL)
        return found

    def is_described(self, node: Term) -> bool:
        """Tell whether the documents say anything about ``node``."""
        return node in self._of

    def subjects(self) -> Iterable[Term]:
        """Return everything that the documents describe, in the order of the text."""
        return self._of

    @cached_property
    def _own_documents(self) -> frozenset[str]:
        described = (
            document_of(node.value) for node in self._of if isinstance(node, IRI) and self.roles[node]
        )
        return self._bases.union(described)

    def is_own(self, iri: str) -> bool:
        """Tell whether ``iri`` would be described in the documents of this model, if anywhere."""
        return document_of(iri) in self._own_documents

    @cached_property
    def roles(self) -> Mapping[Term, frozenset[str]]:
        """What each described node is by its own description: stage, guard, milestone, sentry, request."""
        found: dict[Term, set[str]] = defaultdict(set)
        for subject, predicate, object_ in (each.triple for each in self.statements):
            role = _ROLE_OF_PROPERTY.get(predicate)
            if predicate == RDF_TYPE:
                role = _ROLE_OF_CLASS.get(object_)
            found[subject].update([role] if role else [])
        return defaultdict(frozenset, {node: frozenset(roles) for node, roles in found.items()})

    @cached_property
    def stages(self) -> list[Term]:
        """The stages: what is called one, has parts of one, or is nested as one."""
        nested = [each.triple.object for each in self.with_predicate(HAS_CHILD, HAS_DESCENDANT)]
        described = [node for node in self._of if "stage" in self.roles[node]]
        return list(dict.fromkeys([*described, *nested]))

    def is_stage(self, node: Term) -> bool:
        """Tell whether ``node`` is one of the stages."""
        return node in self._stage_set

    @cached_property
    def _stage_set(self) -> frozenset[Term]:
        return frozenset(self.stages)

    @cached_property
    def _written(self) -> dict[Term, str]:
        written: dict[Term, str] = {}
        later: dict[Term, str] = {}
        for statement in self.statements:
            subject, _, object_ = statement.places
            for names, term, place in (
                (written, statement.triple.subject, subject),
                (later, statement.triple.object, object_),
            ):
                if isinstance(term, IRI) and term not in names:
                    names[term] = self._slice(place)
        return {**later, **written}

    def _slice(self, place: Place) -> str:
        line = self.sources[place.source].line(place.line)
        return line[place.column - 1 : place.end_column - 1]

    def name(self, node: Term) -> str:
        """Return ``node`` as the author writes it, or ``<IRI>``."""
        if isinstance(node, IRI):
            return self._written.get(node) or f"<{node.value}>"
        return "without a name"

    def called(self, node: Term, role: str) -> str:
        """Return ``node`` with its role, for messages: ``guard :g1``, ``a guard of stage :s1``."""
        parts: list[str] = []
        while isinstance(node, BlankNode) and len(parts) < 3:
            carrier = next(iter(self.to(node, *_CARRIERS.get(role, ()))), None)
            if carrier is None:
                break
            parts.append(f"a {role} of ")
            role = LINKS[carrier.triple.predicate][0]
            node = carrier.triple.subject
        last = f"{role} {self.name(node)}" if isinstance(node, IRI) else f"a {role} without a name"
        return "".join(parts) + last

    def place_of(self, node: Term) -> Place:
        """Return where the description of ``node`` begins, or where it is first mentioned."""
        own = self._of.get(node)
        if own:
            return own[0].places[0]
        return self._to[node][0].place

    def finding(self, severity: str, code: str, message: str, place: Place, hint: str = "") -> Finding:
        """Return a finding with the line that it is about."""
        shown = place if place.text else self.sources[place.source].shown(place)
        return Finding(severity, code, message, shown, hint)


def as_meant(statements: Iterable[Pattern]) -> Iterator[Pattern]:
    """Yield ``statements`` with other spellings replaced by those of this house; places stay."""
    statements = list(statements)
    guards = {each.triple.object for each in statements if each.triple.predicate == HAS_GUARD}
    carriers = defaultdict(list)
    for each in statements:
        if each.triple.predicate == HAS_TASK:
            carriers[each.triple.object].append(each.triple.subject)
    for statement in statements:
        subject, predicate, object_ = statement.triple
        predicate = SPELLINGS.get(predicate, predicate)
        object_ = SPELLINGS.get(object_, object_)
        if predicate == HAS_VALIDATING:
            predicate = HAS_CONDITION if subject in guards else HAS_ACHIEVING
        if predicate == HAS_ANCESTOR:
            _, middle, last = statement.places
            yield Pattern(Triple(object_, HAS_DESCENDANT, subject), last, (last, middle))
            continue
        if predicate == HAS_REQUEST and subject in carriers:
            for stage in carriers[subject][:MAX_MEMBERS]:
                yield Pattern(Triple(stage, HAS_REQUEST, object_), statement.place, statement.left)
            continue
        yield Pattern(Triple(subject, predicate, object_), statement.place, statement.left)
