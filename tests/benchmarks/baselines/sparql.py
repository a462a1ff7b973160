"""The SPARQL baseline: pyoxigraph's store, one INSERT for each rule, repeated until the store no longer grows."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

import pyoxigraph as ox

from agent.gsm.scope import PROTECTED
from agent.n3.builtins import BUILTINS, Context
from agent.n3.program import DerivationRule, RequestRule
from agent.rdf.convert import OxTerm, from_ox, to_ox, to_ox_triples
from agent.rdf.documents import Content, parse_document
from agent.rdf.terms import IRI, BlankNode, ListTerm, Term, Triple, Variable
from agent.vocab import AG, LOG, MATH
from tests.benchmarks.baselines.programs import Body, Computed, body_of, variables_in

_COMPARISONS = {
    MATH + "lessThan": "<",
    MATH + "greaterThan": ">",
    MATH + "notLessThan": ">=",
    MATH + "notGreaterThan": "<=",
}
_MAKE = ox.NamedNode("urn:baseline:make")
_NAMES = (AG + "elementDocument", AG + "resultDocument")
_CONTEXT = Context("2026-01-01T00:00:00.000Z")


class Sparql:
    """The interpreter; see ``step.Interpreter``."""

    def __init__(self) -> None:
        self._store = ox.Store()
        self._texts: dict[str, str] = {}
        self._ours: dict[OxTerm, Term] = {}
        self._functions: dict[ox.NamedNode, Callable[..., OxTerm | ox.Triple | None]] = {
            _MAKE: _make,
            **{ox.NamedNode(name): _naming(name) for name in _NAMES},
        }

    @property
    def size(self) -> int:
        return len(self._store)

    def begin(self) -> None:
        self._store = ox.Store()

    def read(self, uri: str, body: bytes, media_type: str, etag: str) -> Content:
        document = parse_document(body, media_type, uri, strict=False)
        return Content(uri, uri, document.triples, etag, sha256(body).hexdigest())

    def add(self, triples: Iterable[Triple]) -> None:
        self._store.extend(
            ox.Quad(triple.subject, triple.predicate, triple.object) for triple in to_ox_triples(triples)
        )

    def saturate(self, rules: Sequence[DerivationRule]) -> None:
        size = -1
        while size != len(self._store):
            size = len(self._store)
            for rule in rules:
                self._store.update(self._text(rule), custom_functions=self._functions)

    def wanted(self, rules: Iterable[RequestRule]) -> set[str]:
        found = set()
        for rule in rules:
            for template in rule.requests:
                for binding in self._rows(rule):
                    uri = template.uri
                    value = binding.get(uri.name) if isinstance(uri, Variable) else uri
                    if isinstance(value, IRI):
                        found.add(value.value)
        return found

    def bindings(self, rules: Iterable[RequestRule]) -> Iterator[tuple[RequestRule, Mapping[str, Term]]]:
        for rule in rules:
            for binding in self._rows(rule):
                yield rule, binding

    def objects(self, subject: Term, predicate: Term, /) -> list[Term]:
        found = self._store.quads_for_pattern(_node(subject), _name(predicate), None)
        return [self._as_ours(quad.object) for quad in found]

    def subjects(self, predicate: Term, object_: Term, /) -> list[Term]:
        found = self._store.quads_for_pattern(None, _name(predicate), to_ox(object_))
        return [self._as_ours(quad.subject) for quad in found]

    def ask(self, text: str, base: str, prefixes: Mapping[str, str]) -> bool:
        return bool(self._store.query(text, base_iri=base, prefixes=dict(prefixes)))

    def _rows(self, rule: RequestRule) -> Iterator[dict[str, Term]]:
        rows = self._store.query(self._text(rule), custom_functions=self._functions)
        assert isinstance(rows, ox.QuerySolutions)
        names = [variable.value for variable in rows.variables]
        for row in rows:
            yield {name: self._as_ours(row[name]) for name in names}

    def _text(self, rule: DerivationRule | RequestRule) -> str:
        text = self._texts.get(rule.name)
        if text is None:
            text = self._texts[rule.name] = (
                _insert(rule) if isinstance(rule, DerivationRule) else _select(rule)
            )
        return text

    def _as_ours(self, term: OxTerm | ox.Triple) -> Term:
        assert not isinstance(term, ox.Triple)
        known = self._ours.get(term)
        if known is None:
            known = self._ours[term] = from_ox(term, "", {})
        return known


def _insert(rule: DerivationRule) -> str:
    """Return a rule as an update."""
    names = sorted({name for pattern in rule.head for name in variables_in(pattern.triple)})
    made = sorted(
        {term.label for pattern in rule.head for term in pattern.triple if isinstance(term, BlankNode)}
    )
    head = " . ".join(" ".join(_shown(term) for term in pattern.triple) for pattern in rule.head)
    where = _where(body_of(rule.body))
    for label in made:
        values = " , ".join([f'"{rule.name} {label}"', *(f"?{name}" for name in names)])
        where += f" BIND({_MAKE}({values}) AS ?made_{label})"
    for pattern in rule.head:
        if isinstance(pattern.triple.predicate, Variable):
            protected = " , ".join(f"<{iri}>" for iri in sorted(PROTECTED))
            where += f" FILTER(?{pattern.triple.predicate.name} NOT IN ({protected}))"
    return f"INSERT {{ {head} }} WHERE {{ {where} }}"


def _select(rule: RequestRule) -> str:
    """Return a request rule as a query for what its requests need."""
    terms: list[Term] = []
    for template in rule.requests:
        pairs = (*template.headers, *template.annotations)
        fields = (template.method, template.uri, template.body, template.like)
        terms += [term for term in (*fields, *(part for pair in pairs for part in pair)) if term is not None]
    bodies = {name for pattern in rule.body for name in variables_in(pattern.triple)}
    names = sorted(bodies.intersection(variables_in(terms)))
    return f"SELECT DISTINCT {' '.join(f'?{name}' for name in names) or '*'} WHERE {{ {_where(body_of(rule.body))} }}"


def _where(body: Body) -> str:
    parts = [" ".join(_shown(term) for term in atom) + " ." for atom in body.atoms]
    known = {name for atom in body.atoms for name in variables_in(atom)}
    waiting = list(body.computed)
    while waiting:
        ready = next((one for one in waiting if known.issuperset(variables_in([one.subject]))), waiting[0])
        waiting.remove(ready)
        parts.append(_computed(ready, known))
        known.update(variables_in([ready.object]))
    parts += [f"FILTER NOT EXISTS {{ {_where(group)} }}" for group in body.absent]
    return " ".join(parts)


def _computed(one: Computed, known: set[str]) -> str:
    """Return what a builtin says as a condition, or as a BIND if it makes a value."""
    name = one.builtin.iri
    if name in _COMPARISONS:
        return f"FILTER({_shown(one.subject)} {_COMPARISONS[name]} {_shown(one.object)})"
    if name == LOG + "notEqualTo":
        return f"FILTER(!sameTerm({_shown(one.subject)} , {_shown(one.object)}))"
    items = one.subject.items if isinstance(one.subject, ListTerm) else (one.subject,)
    if name == MATH + "sum":
        value = " + ".join(_shown(item) for item in items)
    elif name == MATH + "negation":
        value = f"- {_shown(items[0])}"
    elif name in _NAMES:
        value = f"<{name}>({' , '.join(_shown(item) for item in items)})"
    else:
        raise ValueError(f"the SPARQL baseline has no {name}")
    if isinstance(one.object, Variable) and one.object.name not in known:
        return f"BIND({value} AS ?{one.object.name})"
    return f"FILTER({value} = {_shown(one.object)})"


def _shown(term: Term) -> str:
    match term:
        case Variable(name):
            return f"?{name}"
        case BlankNode(label):
            return f"?made_{label}"
        case _:
            return str(to_ox(term))


def _make(*values: OxTerm | ox.Triple) -> ox.BlankNode:
    """Return the node that a rule makes for a binding of the variables of its head, always the same."""
    return ox.BlankNode("m" + sha256(" ".join(map(str, values)).encode()).hexdigest()[:24])


def _naming(name: str) -> Callable[..., OxTerm | None]:
    builtin = BUILTINS[name]

    def call(*values: OxTerm) -> OxTerm | None:
        subject = ListTerm(tuple(from_ox(value, "", {}) for value in values))
        return next((to_ox(named) for _, named in builtin.evaluate(subject, None, _CONTEXT)), None)

    return call


def _node(term: Term) -> ox.NamedNode | ox.BlankNode | None:
    found = to_ox(term)
    return None if isinstance(found, ox.Literal) else found


def _name(term: Term) -> ox.NamedNode | None:
    found = to_ox(term)
    return found if isinstance(found, ox.NamedNode) else None
