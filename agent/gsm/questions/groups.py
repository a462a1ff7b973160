"""From rdflib's algebra of a question to the ways in which it holds."""

from itertools import count

from rdflib import BNode, URIRef
from rdflib import Variable as Named
from rdflib.paths import AlternativePath, InvPath, MulPath, NegatedPath, SequencePath
from rdflib.plugins.sparql.algebra import translateGroupGraphPattern
from rdflib.plugins.sparql.parserutils import CompValue

from agent.gsm.questions.text import Skeleton
from agent.gsm.questions.ways import (
    HOLDS,
    IS_NOT,
    MOST_WAYS,
    Closure,
    NotCoveredError,
    Way,
    Ways,
    join,
    own_names,
    with_condition,
    with_value,
    without,
)
from agent.rdf.terms import Literal, Term, Triple, Variable

_NOBODY: frozenset[str] = frozenset()


class Groups:
    """Reads the groups of one question. Raises ``NotCoveredError`` for what rules do not answer."""

    def __init__(self, skeleton: Skeleton) -> None:
        self._skeleton = skeleton
        self._fresh = count()
        self._nodes: dict[BNode, Variable] = {}

    def ways(self, algebra: CompValue) -> Ways:
        """Return the ways in which the query holds."""
        return self._group(algebra, _NOBODY, _NOBODY)

    def _group(self, node: CompValue, outer: frozenset[str], hidden: frozenset[str]) -> Ways:
        """Return the ways of a group; ``outer`` are the variables around it that it sees, ``hidden`` others."""
        match node.name:
            case "AskQuery" | "Project":
                return self._group(node.p, outer, hidden)
            case "BGP":
                ways = HOLDS
                for subject, predicate, object_ in node.triples:
                    ways = join(ways, self.path(self._term(subject), predicate, self._term(object_)))
                return ways
            case "Join":
                return join(self._group(node.p1, outer, hidden), self._group(node.p2, outer, hidden))
            case "Union":
                both = self._group(node.p1, outer, hidden) + self._group(node.p2, outer, hidden)
                if len(both) > MOST_WAYS:
                    raise NotCoveredError
                return both
            case "Filter":
                ways = self._group(node.p, outer, hidden)
                return tuple(found for way in ways for found in self._filtered(way, node.expr, outer, hidden))
            case "Minus":
                if outer:  # inside EXISTS engines disagree on whether both sides share the variables around
                    raise NotCoveredError
                ways = self._group(node.p1, outer, hidden)
                return tuple(self._minus(way, node.p2, outer | hidden) for way in ways)
            case "Extend":
                return tuple(
                    self._extended(way, node, outer | hidden) for way in self._group(node.p, outer, hidden)
                )
            case "ToMultiSet" if node.p.name == "values":
                return tuple(self._row(row) for row in node.p.res)
            case _:
                raise NotCoveredError

    def _filtered(self, way: Way, node: object, outer: frozenset[str], hidden: frozenset[str]) -> Ways:
        """Return the ways in which ``way`` holds together with a condition."""
        if not isinstance(node, CompValue):
            raise NotCoveredError
        match node.name:
            case "ConditionalAndExpression":
                ways: Ways = (way,)
                for part in (node.expr, *node.other):
                    ways = tuple(f for one in ways for f in self._filtered(one, part, outer, hidden))
                return ways
            case "Function":
                expression = self._skeleton.expression(str(node.iri))
                if expression is None:
                    raise NotCoveredError
                return (with_condition(way, expression, outer, hidden),)
            case "Builtin_EXISTS":
                return self._exists(way, node.graph, outer, hidden)
            case "Builtin_NOTEXISTS":
                return (self._not_exists(way, node.graph, outer, hidden),)
            case "UnaryNot" if isinstance(node.expr, CompValue) and node.expr.name == "Builtin_EXISTS":
                return (self._not_exists(way, node.expr.graph, outer, hidden),)
            case _:
                raise NotCoveredError

    def _inside(self, way: Way, graph: CompValue, outer: frozenset[str], hidden: frozenset[str]) -> Ways:
        """Return the ways of the group of an EXISTS, which sees the variables of ``way``."""
        if graph.name == "GroupGraphPatternSub":
            graph = translateGroupGraphPattern(graph)
        ways = self._group(graph, outer | way.bound(), hidden)
        for inner in ways:
            if way.computed and (inner.bound() | inner.computed.keys()) & way.computed.keys():
                raise NotCoveredError
        return ways

    def _exists(self, way: Way, graph: CompValue, outer: frozenset[str], hidden: frozenset[str]) -> Ways:
        seen = outer | way.bound()
        inside = self._inside(way, graph, outer, hidden)
        return join((way,), tuple(own_names(inner, seen, self._fresh) for inner in inside))

    def _not_exists(self, way: Way, graph: CompValue, outer: frozenset[str], hidden: frozenset[str]) -> Way:
        inside = self._inside(way, graph, outer, hidden)
        return without(way, inside, outer | way.bound(), self._fresh)

    def _minus(self, way: Way, graph: CompValue, hidden: frozenset[str]) -> Way:
        own = way.bound()
        right = self._group(graph, _NOBODY, hidden | own)
        if any(own & inner.computed.keys() or inner.bound() & way.computed.keys() for inner in right):
            raise NotCoveredError
        if any((inner.bound() - own) & hidden for inner in right):
            raise NotCoveredError
        sharing = tuple(inner for inner in right if inner.bound() & own)
        return without(way, sharing, own, self._fresh) if sharing else way

    def _extended(self, way: Way, node: CompValue, hidden: frozenset[str]) -> Way:
        expression = self._skeleton.expression(str(node.expr.iri)) if node.expr.name == "Function" else None
        if expression is None:
            raise NotCoveredError
        return with_value(way, Variable(str(node["var"])), expression, hidden)

    def _row(self, row: dict[Named, object]) -> Way:
        pairs = [(self._term(name), value) for name, value in row.items() if str(value) != "UNDEF"]
        return Way(equal=tuple((name, self._term(value)) for name, value in pairs))

    def _term(self, node: object) -> Term:
        match node:
            case BNode():
                return self._nodes.setdefault(node, Variable(f"node-{len(self._nodes)}"))
            case URIRef():
                return self._skeleton.term(str(node))
            case Named():
                return Variable(str(node))
            case _:
                raise NotCoveredError

    def _fresh_variable(self) -> Variable:
        return Variable(f"step-{next(self._fresh)}")

    def path(self, start: Term, path: object, end: Term) -> Ways:
        """Return the ways in which ``end`` can be reached from ``start`` by ``path``."""
        match path:
            case URIRef() | Named():
                return () if isinstance(start, Literal) else (Way((Triple(start, self._term(path), end),)),)
            case InvPath():
                return self.path(end, path.arg, start)
            case AlternativePath():
                return tuple(way for each in path.args for way in self.path(start, each, end))
            case SequencePath():
                return self._sequence(start, list(path.args), end)
            case MulPath():
                return self._repeated(start, path, end)
            case NegatedPath():
                return (self._other_predicate(start, path, end),)
            case _:
                raise NotCoveredError

    def _sequence(self, start: Term, parts: list[object], end: Term) -> Ways:
        ways = HOLDS
        for part in parts[:-1]:
            middle = self._fresh_variable()
            ways = join(ways, self.path(start, part, middle))
            start = middle
        return join(ways, self.path(start, parts[-1], end))

    def _repeated(self, start: Term, path: MulPath, end: Term) -> Ways:
        ways: list[Way] = [] if path.mod == "+" else [Way(still=((start, end),))]
        if path.mod == "?":
            ways += self.path(start, path.path, end)
        else:
            ways.append(Way(closures=(Closure(start, path.path, end),)))
        return tuple(ways)

    def _other_predicate(self, start: Term, path: NegatedPath, end: Term) -> Way:
        predicate = self._fresh_variable()
        return Way(
            patterns=(Triple(start, predicate, end),),
            tests=tuple(Triple(predicate, IS_NOT, self._negated(part)) for part in path.args),
        )

    def _negated(self, part: object) -> Term:
        if not isinstance(part, URIRef):
            raise NotCoveredError
        return self._skeleton.term(str(part))
