"""Workflows in a step: what documents may say, what sentries need, and what follows from the sentries.

Implements the port ``agent.runtime.workflows.Workflows``; the lifecycle itself is in rules/gsm.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

from agent.gsm.evaluation import Evaluation, SentryValue, value_of
from agent.gsm.scope import PROTECTED, admit, is_member
from agent.gsm.sentry import Sentry, read_sentry
from agent.gsm.terms import (
    BOOLEAN,
    CONTAINER,
    HAS_RESULT,
    HOLDS_IN,
    IN_ARTIFACT_INSTANCE,
    IS_EXECUTED,
    IS_INSTANCE_OF,
    IS_RUNNING,
    OF_INSTANCE,
    USES_SENTRY,
)
from agent.rdf.documents import Content, Gone, Outcome
from agent.rdf.terms import IRI, TRUE, BlankNode, Term, Triple, document_of
from agent.reason.facts import Facts

_ELEMENT_NAME = re.compile(r"(?P<instance>.+)\.[0-9a-f]{16}")
_RESULT_SCOPE = "sentry results"


class GsmWorkflows:
    """The workflows of a run: those in ``containers`` and the single ``instances``.

    ``containers`` has every status container, also those that single instances keep their elements in.
    """

    protected = PROTECTED

    def __init__(self, containers: Iterable[str], instances: Iterable[str] = ()) -> None:
        self._containers = tuple(sorted(containers))
        self._instances = tuple(sorted(instances))

    def admit(self, content: Content) -> tuple[tuple[Triple, ...], int]:
        """Return the triples of a document that count, and how many do not."""
        return admit(content, self._containers, self._instances)

    def sources(self, facts: Facts) -> frozenset[str]:
        """Return the documents that the texts of sentries name; triple patterns and ``ag:source`` are for rules."""
        roots = {root for a in facts.subjects(IS_EXECUTED, TRUE) for root in facts.objects(a, IS_INSTANCE_OF)}
        sentries = {node for root in roots for node in facts.objects(root, USES_SENTRY)}
        found: set[str] = set()
        return frozenset(found.union(*(read_sentry(facts, node).sources for node in sentries)))

    def conclude(
        self, facts: Facts, outcomes: Mapping[str, Outcome], instant: str
    ) -> tuple[list[Triple], list[SentryValue]]:
        """Evaluate the sentries of all running instances; return results that hold, and all values."""
        triples: list[Triple] = []
        values: list[SentryValue] = []
        evaluation = Evaluation(facts, outcomes, instant)
        scope = _Scope(facts, outcomes, self._containers)
        sentries: dict[Term, Sentry] = {}
        for instance, node in _asked(facts):
            sentry = sentries.get(node)
            if sentry is None:
                sentry = sentries[node] = read_sentry(facts, node)
            known = Triple(node, HOLDS_IN, instance) in facts
            unread = scope.unread(instance, sentry)
            value = value_of(sentry, instance.value, by_rules=known, unread=unread, evaluation=evaluation)
            values.append(value)
            if value.value == "true" and not known:
                triples += _result(node, instance)
        return triples, values


def _asked(facts: Facts) -> Iterator[tuple[IRI, Term]]:
    """Yield every running instance with each sentry of its model, in an order that is always the same."""
    running = sorted(
        (a for a in facts.subjects(IS_RUNNING, TRUE) if isinstance(a, IRI)), key=lambda a: a.value
    )
    of_model: dict[Term, list[Term]] = {}
    for instance in running:
        root = facts.value(instance, IS_INSTANCE_OF)
        if root is None:
            continue
        if root not in of_model:
            of_model[root] = sorted(facts.objects(root, USES_SENTRY), key=repr)
        for sentry in of_model[root]:
            yield instance, sentry


def _result(sentry: Term, instance: IRI) -> Iterator[Triple]:
    name = sha256(f"{sentry!r} {instance.value}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
    node = BlankNode(f"r{name}", _RESULT_SCOPE)
    yield Triple(sentry, HAS_RESULT, node)
    yield Triple(node, OF_INSTANCE, instance)
    yield Triple(node, BOOLEAN, TRUE)


class _Scope:
    """Which documents that are not known matter to a sentry: all but the elements of other instances."""

    def __init__(self, facts: Facts, outcomes: Mapping[str, Outcome], containers: Iterable[str]) -> None:
        self._facts = facts
        self._outcomes = outcomes
        self._containers = tuple(containers)
        self._unread = frozenset(uri for uri, outcome in outcomes.items() if not _is_known(outcome))
        self._owners = self._known_owners() if self._unread else {}
        self._of_instance: dict[IRI, frozenset[str]] = {}

    def unread(self, instance: IRI, sentry: Sentry) -> frozenset[str]:
        """Return the documents in the scope of ``sentry`` for ``instance`` that are not, or not wholly, known."""
        if sentry.depends_on:
            return frozenset(uri for uri in sentry.depends_on if not _is_known(self._outcomes.get(uri)))
        if not self._unread:
            return self._unread
        if instance not in self._of_instance:
            own = document_of(instance.value)
            self._of_instance[instance] = frozenset(
                uri for uri in self._unread if self._owners.get(uri, own) == own
            )
        return self._of_instance[instance]

    def _known_owners(self) -> dict[str, str]:
        """Return the instance documents whose status the unread documents hold, as facts or names tell."""
        owners: dict[str, str] = {}
        for uri in self._unread:
            for container in self._containers:
                name = (
                    _ELEMENT_NAME.fullmatch(uri.removeprefix(container))
                    if is_member(uri, container)
                    else None
                )
                if name:
                    owners[uri] = self._instance_document(container, name["instance"])
        for triple in self._facts.match(None, IN_ARTIFACT_INSTANCE, None):
            if isinstance(triple.subject, IRI) and isinstance(triple.object, IRI):
                owners[document_of(triple.subject.value)] = document_of(triple.object.value)
        for instance in self._facts.subjects(IS_EXECUTED, TRUE):
            if isinstance(instance, IRI):
                owners[document_of(instance.value)] = document_of(instance.value)
        return owners

    def _instance_document(self, container: str, name: str) -> str:
        """Return the executed instance whose elements are called after ``name``; by default it is in the container."""
        for instance in self._facts.subjects(CONTAINER, IRI(container)):
            if isinstance(instance, IRI):
                document = document_of(instance.value)
                if document.partition("?")[0].rstrip("/").rpartition("/")[2] == name:
                    return document
        return container + name


def _is_known(outcome: Outcome | None) -> bool:
    """Tell whether everything that a document says is known: read in full, or known to be gone."""
    match outcome:
        case Content():
            return not outcome.tainted
        case Gone():
            return True
        case _:
            return False
