"""Where to begin to follow a path of any length: at a term that is known, never from everywhere to everywhere."""

from msgspec import Struct
from rdflib import URIRef
from rdflib.paths import AlternativePath, InvPath, MulPath, Path, SequencePath

from agent.gsm.questions.text import THIS
from agent.gsm.questions.ways import Closure, NotCoveredError
from agent.gsm.terms import IS_RUNNING
from agent.rdf.terms import IRI, TRUE, Term, Triple, Variable


class Anchors(Struct, frozen=True):
    """The patterns that give values to the ends of paths: of the same way, else of those around it."""

    patterns: tuple[Triple, ...]
    outer: tuple[Triple, ...] = ()

    def seeds(self, term: Term) -> tuple[Triple, ...]:
        """Return patterns that bind ``term``, which is a variable."""
        if term == THIS:
            return (Triple(THIS, IS_RUNNING, TRUE),)
        here = tuple(pattern for pattern in self.patterns if term in pattern)
        return here or tuple(pattern for pattern in self.outer if term in pattern)

    def is_node(self, term: Term) -> bool:
        """Tell whether ``term`` is certainly no literal."""
        if isinstance(term, Variable):
            return term == THIS or any(term in pattern[:2] for pattern in (*self.patterns, *self.outer))
        return isinstance(term, IRI)


def anchor_of(closure: Closure, anchors: Anchors) -> tuple[Term, Path | URIRef, Term, tuple[Triple, ...]]:
    """Return where a path begins, the path from there, where it ends, and the patterns that give the beginning."""
    forward = (closure.start, closure.path, closure.end)
    backward = (closure.end, InvPath(closure.path), closure.start)
    usable = [
        (start, path, end)
        for start, path, end in (forward, backward)
        if (anchors.is_node(start) or not may_start_at_literal(path))
        and (not isinstance(start, Variable) or anchors.seeds(start))
    ]
    if not usable:
        raise NotCoveredError
    start, path, end = min(usable, key=lambda way: _rank(way[0]))
    return start, path, end, anchors.seeds(start) if isinstance(start, Variable) else ()


def _rank(start: Term) -> int:
    if not isinstance(start, Variable):
        return 0
    return 1 if start == THIS else 2


def may_start_at_literal(path: object, *, backwards: bool = False) -> bool:
    """Tell whether a literal may be where ``path`` begins; where it ends if it is gone ``backwards``."""
    match path:
        case InvPath():
            return may_start_at_literal(path.arg, backwards=not backwards)
        case AlternativePath():
            return any(may_start_at_literal(part, backwards=backwards) for part in path.args)
        case SequencePath():
            return any(may_start_at_literal(part, backwards=backwards) for part in path.args)
        case MulPath():
            return may_start_at_literal(path.path, backwards=backwards)
        case _:
            return backwards
