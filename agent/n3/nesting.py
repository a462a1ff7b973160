"""Which blank nodes of a graph need no name: those that can stand in brackets where they are used.

A node that is the object of one triple alone, or one member of one list, stands there as ``[ ... ]``; a chain of
rdf:first and rdf:rest that ends at rdf:nil, and that nothing else points into, as ``( ... )``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from agent.rdf.terms import (
    IRI,
    RDF_FIRST,
    RDF_NIL,
    RDF_REST,
    RDF_TYPE,
    BlankNode,
    Formula,
    ListTerm,
    Literal,
    Term,
    Triple,
)

Properties = Mapping[Term, Sequence[Term]]
_NONE: Properties = {}


class Nesting(Struct):
    """A graph by subject.

    ``roots`` are the subjects that stand at the top, in order; ``inline`` the blank nodes that stand where they are
    used; ``unnamed`` those of the roots that nothing points to.
    """

    properties: dict[Term, dict[Term, list[Term]]] = field(default_factory=dict)
    roots: list[Term] = field(default_factory=list)
    inline: set[Term] = field(default_factory=set)
    unnamed: set[Term] = field(default_factory=set)
    _cells: set[Term] = field(default_factory=set)

    def of(self, subject: Term) -> Properties:
        """Return what is said about ``subject``, by predicate."""
        return self.properties.get(subject, _NONE)

    def members(self, node: Term) -> list[Term] | None:
        """Return the members of the list that begins at ``node``, or nothing if it cannot be written in brackets."""
        first, rest = self._cell(node)
        if first is None or rest is None or not (rest == RDF_NIL or rest in self._cells):
            return None
        members = [first]
        while rest != RDF_NIL:
            first, rest = self._cell(rest)
            if first is None or rest is None:
                return None
            members.append(first)
        return members

    def _cell(self, node: Term) -> tuple[Term | None, Term | None]:
        properties = self.of(node)
        firsts, rests = properties.get(RDF_FIRST, ()), properties.get(RDF_REST, ())
        return (firsts[0], rests[0]) if len(firsts) == len(rests) == 1 else (None, None)

    def find_cells(self) -> None:
        """Find the cells in the middle of lists, from rdf:nil backwards."""
        before = {
            rest: node
            for node in self.properties
            if (rest := self._cell(node)[1]) is not None and rest != RDF_NIL
        }
        ends = [node for node in self.properties if self._cell(node)[1] == RDF_NIL]
        for end in ends:
            node: Term | None = end
            while node in self.inline and len(self.of(node)) == 2:
                self._cells.add(node)
                node = before.get(node)


def nest(triples: Iterable[Triple]) -> Nesting:
    """Return ``triples`` by subject, and which of the blank nodes in them can stand in brackets."""
    nesting = Nesting()
    uses: Counter[Term] = Counter()
    for subject, predicate, object_ in dict.fromkeys(triples):
        nesting.properties.setdefault(subject, {}).setdefault(predicate, []).append(object_)
        uses.update(_uses(subject, predicate, object_))
    for subject, properties in nesting.properties.items():
        nesting.properties[subject] = {
            predicate: sorted(properties[predicate], key=_rank) for predicate in sorted(properties, key=_rank)
        }
    nesting.inline = {node for node, count in uses.items() if count == 1}
    _break_circles(nesting)
    subjects = [subject for subject in nesting.properties if subject not in nesting.inline]
    nesting.roots = sorted(subjects, key=_rank)
    nesting.unnamed = {node for node in subjects if isinstance(node, BlankNode) and not uses[node]}
    nesting.find_cells()
    return nesting


def _uses(subject: Term, predicate: Term, object_: Term) -> Iterator[Term]:
    """Yield each blank node as often as it is used, twice where brackets cannot stand for it."""
    pending: list[tuple[Term, bool]] = [(object_, True), (predicate, False)]
    if not isinstance(subject, BlankNode):
        pending.append((subject, True))
    while pending:
        term, is_plain = pending.pop()
        match term:
            case BlankNode():
                yield term
                if not is_plain:
                    yield term
            case ListTerm(items):
                pending.extend((item, is_plain) for item in reversed(items))
            case Formula(inner):
                pending.extend((part, False) for triple in reversed(inner) for part in reversed(triple))
            case _:
                pass


def _break_circles(nesting: Nesting) -> None:
    """Take one node out of every circle of blank nodes that stand in each other."""
    reached: set[Term] = set()
    roots = [subject for subject in nesting.properties if subject not in nesting.inline]
    for start in [*roots, *(node for node in nesting.properties if node in nesting.inline)]:
        if start in reached:
            continue
        nesting.inline.discard(start)
        pending = [start]
        while pending:
            node = pending.pop()
            if node in reached:
                continue
            reached.add(node)
            pending += [
                used
                for objects in nesting.of(node).values()
                for object_ in objects
                for used in _uses(RDF_NIL, RDF_NIL, object_)
                if used in nesting.inline
            ]


def _rank(term: Term) -> tuple[int, str]:
    """Return what terms are sorted by: rdf:type first, names, literals, the rest as it came."""
    match term:
        case IRI(value):
            return (0 if term == RDF_TYPE else 1), value
        case Literal(lexical, datatype, language):
            return 2, f"{lexical} {language} {datatype}"
        case _:
            return 3, ""
