"""Which hosts the user named, by naming programs, instances and models (ADR 0016)."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from urllib.parse import urlsplit

from msgspec import Struct

from agent.n3.program import Program
from agent.rdf.documents import Content, Outcome
from agent.rdf.terms import IRI, Formula, ListTerm, Literal, Term, Triple, document_of
from agent.reason.facts import Facts
from agent.runtime.workflows import Conclusions, LastingWorkflows, SentryValue
from agent.transport.policy import Policy
from agent.vocab import AG, GSM

INSTANCE_OF = IRI(GSM + "isInstanceOf")
ENDPOINT = IRI(AG + "endpoint")
_HTTP_IRI = re.compile(r"https?://[^\s<>\"'{}|\\^`]+", re.IGNORECASE)


def uris_of(program: Program) -> Iterator[str]:
    """Yield one URI per host that ``program`` names, in rules, requests or facts."""
    seen: set[str] = set()
    for uri in _uris(_terms(program)):
        host = urlsplit(uri).netloc
        if host not in seen:
            seen.add(host)
            yield uri


def endpoints_of(triples: Iterable[Triple]) -> Iterator[str]:
    """Yield the SPARQL endpoints that ``triples`` describe sources with."""
    for triple in triples:
        if triple.predicate == ENDPOINT and isinstance(triple.object, IRI):
            yield triple.object.value


class _Admission(Struct):
    """What counted of a document, and whether the hosts that it names are known to the policy; ``step`` is the last one that read it."""

    content: Content
    result: tuple[tuple[Triple, ...], int]
    is_named: bool = False
    step: int = -1


class VouchingWorkflows:
    """Workflows whose instances and models speak for the user: the hosts that they name, the user named.

    A document of an instance vouches for the model it is an instance of. Everything else is left to ``workflows``.
    A content that is the same object as in the step before is not looked at again: what counts of it is the very
    same tuple.
    """

    def __init__(self, workflows: LastingWorkflows, policy: Policy, documents: Iterable[str]) -> None:
        self._workflows = workflows
        self._policy = policy
        self._vouched = set(documents)
        self._known: dict[str, _Admission] = {}
        self._step = 0
        self._admitted = 0

    @property
    def protected(self) -> frozenset[str]:
        """Return the predicates that no rule with a variable as predicate may derive."""
        return self._workflows.protected

    def admit(self, content: Content) -> tuple[tuple[Triple, ...], int]:
        """Return the triples of a document that count, and how many do not; take note of hosts first."""
        known = self._known.get(content.uri)
        self._admitted += known is None or known.step != self._step
        if known is None or known.content is not content:
            known = self._known[content.uri] = _Admission(content, self._workflows.admit(content))
            self._vouch(content, known.result[0])
        known.step = self._step
        if not known.is_named and not self._vouched.isdisjoint((content.uri, content.document)):
            known.is_named = True
            self._policy.name(*_uris(term for triple in content.triples for term in triple))
            self._policy.name_endpoints(*endpoints_of(content.triples))
        return known.result

    def sources(self, facts: Facts) -> Iterable[str]:
        """Return the documents that sentries need."""
        return self._workflows.sources(facts)

    def conclude(
        self, facts: Facts, outcomes: Mapping[str, Outcome], instant: str
    ) -> tuple[list[Triple], Sequence[SentryValue]]:
        """Evaluate the sentries once; with that the step has read everything."""
        self.end_reading()
        return self._workflows.conclude(facts, outcomes, instant)

    def keep(self, facts: Facts) -> Conclusions:
        """Return the conclusions on a memory that lives from step to step."""
        return _KeptConclusions(self, self._workflows.keep(facts))

    def end_reading(self) -> None:
        """Take note that a step has read everything: what counted of other documents is forgotten."""
        if self._admitted != len(self._known):
            self._known = {uri: each for uri, each in self._known.items() if each.step == self._step}
        self._step += 1
        self._admitted = 0

    def _vouch(self, content: Content, triples: Iterable[Triple]) -> None:
        """Trust the model of each instance that its own document describes, and that document."""
        own = {content.uri, content.document}
        for subject, predicate, model in triples:
            if not (predicate == INSTANCE_OF and isinstance(subject, IRI) and isinstance(model, IRI)):
                continue
            if document_of(subject.value) in own:
                self._vouched |= {*own, document_of(model.value)}


class _KeptConclusions(Struct):
    """Conclusions on a memory that is kept; when they are drawn the step has read everything."""

    workflows: VouchingWorkflows
    conclusions: Conclusions

    def conclude(
        self,
        outcomes: Mapping[str, Outcome],
        instant: str,
        gained: Collection[tuple[int, int, int]],
        lost: Collection[tuple[int, int, int]],
    ) -> tuple[Sequence[Triple], Sequence[SentryValue]]:
        """Evaluate what may have changed."""
        self.workflows.end_reading()
        return self.conclusions.conclude(outcomes, instant, gained, lost)

    def reads(self) -> frozenset[str] | None:
        """Return the predicates that this depended on; nothing if it may be any."""
        return self.conclusions.reads()


def _terms(program: Program) -> Iterator[Term]:
    for fact in program.facts:
        yield from fact
    rules = (*program.derivations, *program.backward)
    bodies = [rule.body for rule in rules] + [rule.body for rule in program.requests]
    for pattern in chain(*bodies, *(rule.head for rule in rules)):
        yield from pattern.triple
    for template in chain.from_iterable(rule.requests for rule in program.requests):
        yield from (term for term in (template.uri, template.body, template.like) if term is not None)


def _uris(terms: Iterable[Term]) -> Iterator[str]:
    """Yield the http and https URIs in ``terms``, also inside lists, formulas and texts such as queries."""
    pending = list(terms)
    while pending:
        match pending.pop():
            case IRI(value):
                if _HTTP_IRI.match(value):
                    yield value
            case Literal(lexical):
                yield from _HTTP_IRI.findall(lexical)
            case ListTerm(items):
                pending.extend(items)
            case Formula(triples):
                pending.extend(part for triple in triples for part in triple)
            case _:
                pass
