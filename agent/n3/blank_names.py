"""What the blank nodes of a text are called, so that reading it gives the same nodes in the same formulas.

A label means one node in the formula where it stands and another one in every other formula. A node of the text that
stands inside a formula too, or one of a formula that stands in the formulas inside it, is therefore quantified in its
own formula, under a name of its own.
"""

from collections.abc import Iterable, Sequence
from itertools import count

from agent.n3.write import BODY_BLANK
from agent.rdf.terms import IRI, BlankNode, Formula, ListTerm, Term, Variable

QUANTIFIED = "urn:node:"
"""Nodes that several formulas share are called so, with a number behind it."""

Scope = Formula | None


def is_blank(term: Term) -> bool:
    """Tell whether ``term`` is a blank node, or the variable that one of a rule body has become."""
    return isinstance(term, BlankNode) or (isinstance(term, Variable) and term.name.startswith(BODY_BLANK))


class BlankNames:
    """The names of the blank nodes of a text that holds ``terms`` at its top.

    Variables that stand for blank nodes of a rule body are nodes here. ``is_source`` says that formulas are as somebody
    wrote them; else rules may have put them together, and used a formula with its own nodes several times.
    """

    def __init__(self, terms: Iterable[Term], *, is_source: bool) -> None:
        search = _Search()
        for term in terms:
            search.look_into(term)
        self._texts: dict[Term, str] = {}
        self._quantified: dict[Scope, list[str]] = {}
        self._numbers = count()
        free = (name for name in (f"{QUANTIFIED}{number}" for number in count()) if name not in search.taken)
        for node, places in search.places.items():
            if isinstance(node, Variable):
                if len(places) > 1:
                    self._texts[node] = search.new_variable(node.name.removeprefix(BODY_BLANK))
                continue
            homes = search.homes(node, sorted(places), is_source=is_source)
            if homes:
                text = self._texts[node] = f"<{next(free)}>"
                for home in homes:
                    self._quantified.setdefault(home, []).append(text)

    def text(self, node: Term) -> str:
        """Return how ``node`` is written; labels are numbered in the order in which they are asked for."""
        text = self._texts.get(node)
        if text is None:
            text = self._texts[node] = f"_:n{next(self._numbers)}"
        return text

    def quantified(self, scope: Scope) -> str:
        """Return the directive that quantifies the shared nodes of a formula, or of the text; empty if there are none."""
        names = self._quantified.get(scope)
        return f"@forSome {', '.join(names)}" if names else ""


class _Search:
    """Walks through terms and finds in which formulas each blank node stands.

    Formulas are numbered as they are met, 0 being the text itself; those inside a formula have the numbers from its
    own to its ``_ends``. ``places`` holds the numbers for each node.
    """

    def __init__(self) -> None:
        self.places: dict[Term, set[int]] = {}
        self.taken: set[str] = set()
        self._variables: set[str] = set()
        self._formulas: list[Scope] = [None]
        self._ends = [0]
        self._parents = [0]

    def look_into(self, term: Term) -> None:
        """Take note of the blank nodes of ``term``, a term at the top of the text."""
        pending: list[tuple[Term | None, int]] = [(term, 0)]
        while pending:
            part, scope = pending.pop()
            match part:
                case None:
                    self._ends[scope] = len(self._formulas) - 1
                case ListTerm(items):
                    pending.extend((item, scope) for item in reversed(items))
                case Formula(triples):
                    inner = len(self._formulas)
                    self._formulas.append(part)
                    self._ends.append(inner)
                    self._parents.append(scope)
                    pending.append((None, inner))
                    pending.extend((item, inner) for triple in reversed(triples) for item in reversed(triple))
                case IRI(value):
                    if value.startswith(QUANTIFIED):
                        self.taken.add(value)
                case BlankNode() | Variable() if is_blank(part):
                    self.places.setdefault(part, set()).add(scope)
                case Variable(name):
                    self._variables.add(name)
                case _:
                    pass

    def homes(self, node: Term, places: Sequence[int], *, is_source: bool) -> list[Scope]:
        """Return the formulas that have to quantify ``node``, which stands in ``places``: none if labels do.

        A node that was written inside a formula is another one in every formula, but for the formulas in there. In
        a source it is also the same in all formulas that one formula holds: it was quantified around them.
        """
        if not (isinstance(node, BlankNode) and node.is_quoted):
            return [None] if places[-1] else []
        homes: dict[Scope, None] = {}
        around = 0
        for place in places:
            home = around
            while is_source and home and place > self._ends[home]:
                home = self._parents[home]
            if home and place <= self._ends[home]:
                homes.pop(self._formulas[around], None)
                homes[self._formulas[home]] = None
                around = home
            else:
                around = place
        return list(homes)

    def new_variable(self, name: str) -> str:
        """Return a variable called after ``name`` that the text does not have yet."""
        while name in self._variables:
            name += "_"
        self._variables.add(name)
        return f"?{name}"
