"""From the ways of a question to the rules that answer it.

What plain RDF cannot hold is in no store that SPARQL is asked on, and some literals are there in another spelling:
rules look past the first, and find the second through an auxiliary predicate.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import product

import pyoxigraph as ox
from msgspec import Struct

from agent.errors import Place
from agent.gsm.questions.rules import RUNNING, THIS
from agent.gsm.questions.text import NOW, Expression, Piece, literal_text
from agent.gsm.questions.ways import IS_NOT, MOST_WAYS, NotCoveredError, Way, Ways, join, unified
from agent.gsm.terms import IS_RUNNING
from agent.n3.builtins.kept import QUESTION, is_kept_by_value
from agent.n3.program import DerivationRule, Pattern
from agent.n3.scopes import NOT_INCLUDES
from agent.rdf.terms import IRI, BlankNode, Formula, ListTerm, Literal, Term, Triple, Variable, spelling
from agent.vocab import AG

PLACE = Place("questions", 1, 1)
_SATISFIES = IRI(AG + "satisfies")
_IS_KNOWN = IRI(AG + "isKnownToSparql")
_IS_WRITTEN = IRI(AG + "isWrittenAs")
_NO_DATA = frozenset({_SATISFIES, _IS_KNOWN, _IS_WRITTEN, NOT_INCLUDES, IS_NOT})
_STEP_HAS_INSTANT = Triple(IRI(AG + "thisStep"), IRI(AG + "instant"), NOW)
_ROLES = (Literal("subject"), Literal("predicate"), Literal("object"))


class Around(Struct, frozen=True):
    """What a group knows of the ways around it: their variables, the terms that stand in triples, and their patterns.

    Variables that are ``kept`` stand in the head of the rule.
    """

    bound: frozenset[Term] = frozenset()
    nodes: frozenset[Term] = frozenset()
    never_literals: frozenset[Term] = frozenset()
    patterns: tuple[Triple, ...] = ()
    kept: frozenset[Term] = frozenset()


class Writer:
    """Writes the rules of the question that is called ``name``; ``path`` gives the ways from one term to another."""

    def __init__(self, name: str, path: Callable[[Term, object, Term], Ways]) -> None:
        self.rules: dict[str, DerivationRule] = {}
        self._name = name
        self._path = path
        self._written: dict[object, IRI] = {}
        self._count = 0

    def conclude(self, ways: Ways, head: Triple) -> tuple[DerivationRule, ...]:
        """Return the rules that state ``head`` for every way that holds."""
        bodies = [body for way in ways for body in self.bodies(way, Around())]
        if len(bodies) > MOST_WAYS:
            raise NotCoveredError
        return tuple(self._rule((RUNNING, *body) if THIS in head else body, head) for body in bodies)

    def _rule(self, body: Iterable[Triple], head: Triple) -> DerivationRule:
        triples = list(dict.fromkeys(body))
        text = "\n".join(" ".join(map(spelling, triple)) for triple in (*triples, head))
        name = f"question:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
        return DerivationRule(
            name, tuple(Pattern(triple, PLACE) for triple in triples), (Pattern(head, PLACE),), PLACE
        )

    def _add(self, body: Iterable[Triple], head: Triple) -> None:
        rule = self._rule(body, head)
        self.rules[rule.name] = rule

    def _predicate(self) -> IRI:
        self._count += 1
        return IRI(f"{QUESTION}{self._name}-{self._count}")

    def bodies(self, way: Way, around: Around) -> list[tuple[Triple, ...]]:
        """Return the bodies that hold when ``way`` holds; one of them is enough."""
        found = unified(way, {THIS, NOW, *around.bound}, around.kept)
        if found is None:
            return []
        patterns = (*found.patterns, *self._reached(found, around))
        _check_still(found, patterns, around)
        variants = self._spelled(patterns, around)
        conditions: list[Triple] = []
        for expression in found.conditions:
            condition = _condition(expression)
            if condition is False:
                return []
            conditions += [] if condition is True else condition
        here = _around(patterns, around)
        absent: list[Triple] = []
        for group in found.absent:
            for inner in group:
                for body in self.bodies(inner, here):
                    if not body:
                        return []
                    absent.append(_not_includes(body, len(absent)))
        rest = (*found.tests, *conditions, *absent)
        return [_guarded((*variant, *rest), around) for variant in variants]

    def _reached(self, way: Way, around: Around) -> Iterator[Triple]:
        """Yield a pattern for each closure of ``way``, and write its rules."""
        for closure in way.closures:
            from agent.gsm.questions.reach import Anchors, anchor_of  # noqa: PLC0415  loads rdflib, slowly; only paths need it

            anchors = Anchors(way.patterns, around.patterns)
            start, path, end, seeds = anchor_of(closure, anchors)
            predicate = self._predicate()
            one, two, three = (Variable(f"{name}-{self._count}") for name in ("from", "over", "to"))
            begin = start if not isinstance(start, Variable) else one
            first = Way(tuple(_put(triple, {start: begin}) for triple in seeds))
            so_far = Way((Triple(begin, predicate, two),))
            head = Triple(begin, predicate, three)
            for given, origin in ((first, begin), (so_far, two)):
                for step in join((given,), self._path(origin, path, three)):
                    for body in self.bodies(step, Around(kept=frozenset({one, three}))):
                        self._add(body, head)
            yield Triple(start, predicate, end)

    def _spelled(self, patterns: tuple[Triple, ...], around: Around) -> list[tuple[Triple, ...]]:
        """Return the variants of ``patterns`` that find literals in every spelling."""
        here = _around(patterns, around)
        counts: dict[Term, int] = {}
        for pattern in patterns:
            counts[pattern.object] = counts.get(pattern.object, 0) + 1
        choices: list[list[Triple]] = []
        outer: list[Variable] = []
        for pattern in patterns:
            term = pattern.object
            is_joined = isinstance(term, Variable) and term not in here.never_literals
            from_outside = is_joined and term in around.bound
            if from_outside and isinstance(term, Variable) and term not in outer:
                outer.append(term)
            is_valued = (
                isinstance(term, Literal) and is_kept_by_value(term) and pattern.predicate != IS_RUNNING
            )
            if is_valued or (is_joined and (counts[term] > 1 or from_outside)):
                choices.append([pattern, Triple(pattern.subject, self._otherwise(pattern), term)])
            else:
                choices.append([pattern])
        if 2 ** (sum(len(each) > 1 for each in choices) + len(outer)) > MOST_WAYS:
            raise NotCoveredError
        return [
            _with_canonical(variant, chosen) for variant in product(*choices) for chosen in _subsets(outer)
        ]

    def _otherwise(self, pattern: Triple) -> IRI:
        """Return the predicate of what has an object of ``pattern`` in another spelling than SPARQL's."""
        predicate = pattern.predicate
        if not isinstance(predicate, IRI):
            raise NotCoveredError
        known = self._written.get(predicate)
        if known is None:
            digest = sha256(predicate.value.encode("utf-8", "surrogatepass")).hexdigest()[:16]
            known = self._written[predicate] = IRI(f"{QUESTION}written-{digest}")
            subject, object_, written = Variable("subject"), Variable("object"), Variable("written")
            body = _guarded(
                (Triple(subject, predicate, object_), Triple(object_, _IS_WRITTEN, written)), Around()
            )
            self._add(body, Triple(subject, known, written))
        return known


def _put(triple: Triple, names: Mapping[Term, Term]) -> Triple:
    return Triple(*(names.get(term, term) for term in triple))


def _around(patterns: tuple[Triple, ...], around: Around) -> Around:
    """Return what a group inside these patterns knows."""
    variables = {term for pattern in patterns for term in pattern if isinstance(term, Variable)}
    nodes = {term for pattern in patterns for term in (pattern.subject, pattern.object)}
    never = {pattern.subject for pattern in patterns} | {pattern.predicate for pattern in patterns}
    return Around(
        around.bound | variables,
        around.nodes | nodes,
        around.never_literals | never | {THIS},
        around.patterns + patterns,
    )


def _check_still(way: Way, patterns: tuple[Triple, ...], around: Around) -> None:
    """Make sure that paths without steps begin at terms that stand in a triple."""
    nodes = _around(patterns, around).nodes
    if any(nodes.isdisjoint(pair) for pair in way.still):
        raise NotCoveredError


def _subsets(variables: list[Variable]) -> Iterator[tuple[Variable, ...]]:
    for chosen in product((False, True), repeat=len(variables)):
        yield tuple(variable for variable, is_chosen in zip(variables, chosen, strict=True) if is_chosen)


def _with_canonical(variant: tuple[Triple, ...], chosen: tuple[Variable, ...]) -> tuple[Triple, ...]:
    """Return ``variant`` with SPARQL's spelling in the place of the ``chosen`` variables, which are bound outside."""
    if not chosen:
        return variant
    names: dict[Term, Term] = {variable: Variable(f"{variable.name}-written") for variable in chosen}
    computed = [Triple(variable, _IS_WRITTEN, name) for variable, name in names.items()]
    return (*(Triple(s, p, names.get(o, o)) for s, p, o in variant), *computed)


def _condition(expression: Expression) -> list[Triple] | bool:
    """Return the triples that hold when ``expression`` is true, or its value if it has no variables."""
    variables: list[Variable] = list(dict.fromkeys(expression.variables()))
    numbers = {variable: f"?v{number}" for number, variable in enumerate(variables)}
    text = "".join(_written(piece, numbers) for piece in expression.pieces)
    if not variables:
        return bool(ox.Store().query(f"ASK {{ FILTER({text}\n) }}"))
    values = variables[0] if len(variables) == 1 else ListTerm(tuple(variables))
    instant = [_STEP_HAS_INSTANT] if NOW in variables else []
    return [*instant, Triple(values, _SATISFIES, Literal(text))]


def _written(piece: Piece, numbers: Mapping[Variable, str]) -> str:
    match piece:
        case str():
            return piece
        case Variable():
            return numbers[piece]
        case IRI(value):
            return f"<{value}>"
        case Literal():
            return literal_text(piece)
        case _:
            raise NotCoveredError


def _not_includes(body: tuple[Triple, ...], number: int) -> Triple:
    return Triple(BlankNode(f"memory{number}", "question"), NOT_INCLUDES, Formula(body))


def _guarded(body: tuple[Triple, ...], around: Around) -> tuple[Triple, ...]:
    """Return ``body`` with tests that its variables are what plain RDF can hold where they stand."""
    tested = {term for triple in body if triple.predicate == _SATISFIES for term in _members(triple.subject)}
    known = around.bound | {THIS, NOW}
    roles: dict[Variable, int] = {}
    for triple in body:
        if triple.predicate in _NO_DATA:
            continue
        if isinstance(triple.predicate, IRI) and triple.predicate.value.startswith(QUESTION):
            continue
        for role, term in enumerate(triple):
            if isinstance(term, Variable) and term not in known and not (role == 2 and term in tested):
                before = roles.get(term, 2)
                roles[term] = (
                    1 if 1 in {role, before} else min(role, before)
                )  # predicates are IRIs, whatever else they are
    guards = [Triple(variable, _IS_KNOWN, _ROLES[role]) for variable, role in roles.items()]
    return (*body, *guards)


def _members(term: Term) -> tuple[Term, ...]:
    return term.items if isinstance(term, ListTerm) else (term,)
