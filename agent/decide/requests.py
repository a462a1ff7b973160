"""From bindings of request rules to the set of ground requests of a step.

Whatever cannot be sent is left out here and reported: URIs that are no http IRIs, methods nobody knows,
bodies that are no RDF. What the world put into memory must never stop a step.
"""

from collections.abc import Iterable, Iterator, Mapping

from agent.decide.described import Described, Memory, about_instance, read_described
from agent.decide.request import (
    INSTANCE,
    LAST,
    PRECEDENCE,
    RANK,
    UNIT,
    Annotation,
    Edge,
    Request,
    build_request,
    is_true,
    merge_equal,
)
from agent.decide.texts import TermTexts
from agent.decide.usable import (
    MAX_NESTING,
    UnusableError,
    shown,
    usable_body,
    usable_headers,
    usable_integer,
    usable_method,
    usable_target,
)
from agent.errors import Finding
from agent.n3.program import RequestRule, RequestTemplate
from agent.rdf.terms import IRI, BlankNode, Formula, ListTerm, Literal, Term, Triple, Variable
from agent.vocab import GSM

Binding = Mapping[str, Term]
Bindings = Iterable[tuple[RequestRule, Binding]]

IN_INSTANCE = IRI(GSM + "inArtifactInstance")


def ground_requests(bindings: Bindings, memory: Memory) -> tuple[tuple[Request, ...], tuple[Finding, ...]]:
    """Return the set of requests that the bindings ask for, sorted, and what had to be left out, each once."""
    grounding = _Grounding(memory)
    requests: list[Request] = []
    findings: dict[Finding, None] = {}
    for rule, binding in bindings:
        for template in rule.requests:
            try:
                requests.append(grounding.request(rule.name, template, binding))
            except UnusableError as unusable:
                if not unusable.silent:
                    findings[_finding(unusable, template, binding)] = None
    return merge_equal(requests), tuple(findings)


def _finding(unusable: UnusableError, template: RequestTemplate, binding: Binding) -> Finding:
    like = "" if template.like is None else f"{shown(instantiate(template.like, binding))}: "
    return Finding("warning", unusable.code, f"request not sent: {like}{unusable.why}", template.place)


class _Grounding:
    """Grounds the templates of one step; what does not depend on the binding is looked up once."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._texts = TermTexts()
        self._owners: dict[Term, str] = {}

    def request(self, rule: str, template: RequestTemplate, binding: Binding) -> Request:
        """Return the ground request, or raise ``UnusableError``."""
        described = self._described(template, binding)
        method = usable_method(_value(template.method, binding) or described.method)
        target = usable_target(method, _value(template.uri, binding) or described.uri)
        if method == "GET":
            raise UnusableError(
                "ASM102",
                "a GET cannot be decided on the final memory; give its method as a constant"
                if template.like is None
                else "a GET changes nothing, so it cannot be asked for by ag:likeRequest",
            )
        annotations, edges = self._annotated(rule, target, template, binding)
        described_body = about_instance(described.body, edges[0].instance)
        body_term = described_body if template.body is None else instantiate(template.body, binding)
        body = usable_body(method, body_term)
        headers = usable_headers([*_headers(template, binding), *described.headers])
        return build_request(method, target, body, headers, annotations, edges, self._texts)

    def _described(self, template: RequestTemplate, binding: Binding) -> Described:
        if template.like is None:
            return _NOT_DESCRIBED
        like = instantiate(template.like, binding)
        described = read_described(like, self._memory)
        if described.fault:
            raise UnusableError("ASM104", f"{described.fault} in memory")
        return described

    def _annotated(
        self, rule: str, target: str, template: RequestTemplate, binding: Binding
    ) -> tuple[list[Annotation], list[Edge]]:
        """Return the annotations that count for identity, and the edges that the others make."""
        identity: list[Annotation] = []
        units: list[Term] = []
        ranks: list[int] = []
        precedences: list[int] = []
        last = False
        instance = ""
        for predicate, term in template.annotations:
            name = _name(instantiate(predicate, binding))
            value = instantiate(term, binding)
            if name == UNIT:
                units.append(value)
            elif name == RANK:
                ranks.append(usable_integer(name, value))
            elif name == PRECEDENCE:
                precedences.append(usable_integer(name, value))
            elif name == LAST:
                last = last or is_true(value)
            else:
                identity.append((name, value))
                if name == INSTANCE and isinstance(value, IRI):
                    instance = value.value
        rank, precedence = min(ranks, default=0), max(precedences, default=0)
        edges = [
            Edge(rule, unit, rank, precedence, last, instance or self._instance(unit, target), binding)
            for unit in units or (None,)
        ]
        return identity, edges

    def _instance(self, unit: Term | None, target: str) -> str:
        """Return the instance that memory knows a unit to be in, else that of the target, else ""."""
        return (self._owner(unit) if unit is not None else "") or self._owner(IRI(target))

    def _owner(self, element: Term) -> str:
        owner = self._owners.get(element)
        if owner is None:
            owners = [
                term.value for term in self._memory.objects(element, IN_INSTANCE) if isinstance(term, IRI)
            ]
            owner = self._owners[element] = min(owners, default="")
        return owner


_NOT_DESCRIBED = Described()


def instantiate(term: Term, binding: Binding, depth: int = 0) -> Term:
    """Return the term with its variables replaced, also inside lists and formulas."""
    kind = type(term)
    if kind is IRI or kind is Literal or kind is BlankNode:
        return term
    if depth > MAX_NESTING:
        raise UnusableError("ASM103", f"a body is nested deeper than {MAX_NESTING} levels")
    match term:
        case Variable(name):
            return binding.get(name, term)
        case ListTerm(items):
            return ListTerm(tuple([instantiate(item, binding, depth + 1) for item in items]))
        case Formula(triples):
            return Formula(
                tuple(
                    [
                        Triple(
                            instantiate(subject, binding, depth + 1),
                            instantiate(predicate, binding, depth + 1),
                            instantiate(value, binding, depth + 1),
                        )
                        for subject, predicate, value in triples
                    ]
                )
            )
        case _:
            return term


def _value(term: Term | None, binding: Binding) -> Term | None:
    return None if term is None else instantiate(term, binding)


def _headers(template: RequestTemplate, binding: Binding) -> Iterator[tuple[str, str]]:
    for name, value in template.headers:
        match instantiate(name, binding), instantiate(value, binding):
            case Literal(field), Literal(text):
                yield field, text
            case _:
                raise UnusableError("ASM105", "name and value of a header field must be literals")


def _name(predicate: Term) -> str:
    return predicate.value if isinstance(predicate, IRI) else shown(predicate)
