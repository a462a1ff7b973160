"""The stages as a graph: it has to be a tree (GSM protocol; ADR 0104)."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from agent.errors import Finding
from agent.gsm.check.model import Model
from agent.gsm.check.terms import HAS_CHILD, HAS_DESCENDANT
from agent.n3.program import Pattern
from agent.rdf.terms import Term

MAX_CLOSED = 400
"""Stages up to which nesting told by descendants alone is worked out: it takes cubic time."""

MAX_ABOVE = 32
"""Levels of nesting that are looked at from inside."""


class StageGraph:
    """Which stage is inside which."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._edges: dict[Term, dict[Term, Pattern]] = defaultdict(dict)
        for statement in model.with_predicate(HAS_CHILD, HAS_DESCENDANT):
            self._edges[statement.triple.subject].setdefault(statement.triple.object, statement)
        self.parents: dict[Term, dict[Term, Pattern]] = defaultdict(dict)
        self._nested = frozenset(stage for edges in self._edges.values() for stage in edges)
        self.circles = list(self._circles())
        self._find_parents()

    def _find_parents(self) -> None:
        children = {
            (each.triple.subject, each.triple.object): each for each in self._model.with_predicate(HAS_CHILD)
        }
        for (parent, child), statement in children.items():
            self.parents[child].setdefault(parent, statement)
        told = [
            (above, below, statement)
            for above, edges in self._edges.items()
            for below, statement in edges.items()
            if (above, below) not in children
        ]
        if not told or len(self._model.stages) > MAX_CLOSED:
            return
        below_of = {stage: self.below(stage) for stage in self._model.stages}
        for above, below, statement in told:
            between = (inner for inner in below_of.get(above, ()) if inner not in (above, below))
            if not any(below in below_of.get(inner, ()) for inner in between):
                self.parents[below].setdefault(above, statement)

    def below(self, stage: Term) -> set[Term]:
        """Return every stage inside ``stage``, however deep."""
        seen: set[Term] = set()
        pending = [stage]
        while pending:
            for inner in self._edges.get(pending.pop(), ()):
                if inner not in seen:
                    seen.add(inner)
                    pending.append(inner)
        return seen

    def above(self, stage: Term) -> list[Term]:
        """Return the stages around ``stage``, the nearest first, at most ``MAX_ABOVE``."""
        found: dict[Term, None] = {}
        pending = [stage]
        while pending and len(found) < MAX_ABOVE:
            for parent in self.parents.get(pending.pop(0), ()):
                if parent not in found and parent != stage:
                    found[parent] = None
                    pending.append(parent)
        return list(found)

    def is_root(self, stage: Term) -> bool:
        """Tell whether no stage is around ``stage``."""
        return stage not in self._nested

    def _circles(self) -> Iterator[list[Pattern]]:
        """Yield the edges of each circle that a walk through the stages closes, at most one for each stage."""
        done: set[Term] = set()
        for start in list(self._edges):
            path: list[Term] = [start]
            on_path: dict[Term, int] = {start: 0}
            branches = [iter(self._edges[start])] if start not in done else []
            while branches:
                inner = next(branches[-1], None)
                if inner is None:
                    branches.pop()
                    left = path.pop()
                    del on_path[left]
                    done.add(left)
                elif inner in on_path:
                    circle = [*path[on_path[inner] :], inner]
                    yield [self._edges[one][other] for one, other in pairwise(circle)]
                elif inner not in done:
                    on_path[inner] = len(path)
                    path.append(inner)
                    branches.append(iter(self._edges.get(inner, ())))

    def faults(self) -> Iterator[Finding]:
        """Yield what keeps the graph from being a tree."""
        model = self._model
        circular: set[Term] = set()
        for circle in self.circles:
            nodes = {each.triple.subject for each in circle}
            if nodes <= circular:
                continue
            circular |= nodes
            closing = max(circle, key=lambda each: (each.place.line, each.place.column))
            way = " > ".join(model.name(each.triple.object) for each in circle[:4])
            more = " > ..." if len(circle) > 4 else ""
            message = f"stage {model.name(closing.triple.object)} is inside itself: {way}{more}"
            yield model.finding(
                "error", "GSM019", message, closing.place, "a stage has one stage around it at most"
            )
        for child, parents in self.parents.items():
            if len(parents) > 1 and child not in circular:
                first, second, *_ = sorted(
                    parents.values(), key=lambda each: (each.place.source, each.place.line, each.place.column)
                )
                one, other = first.triple.subject, second.triple.subject
                message = (
                    f"stage {model.name(child)} is directly inside two stages, {model.name(one)}"
                    f" and {model.name(other)}"
                )
                yield model.finding(
                    "error", "GSM020", message, second.place, "describe it twice, under two names"
                )
