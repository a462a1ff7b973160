"""What the blank nodes of a text are called, so that reading it gives the same nodes in the same formulas.

A label means one node in the formula where it stands and another one in every other formula. A node that occurs in
several formulas is therefore quantified, under a name of its own, in the innermost formula that holds them all.
"""

from collections.abc import Iterable
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

    Variables that stand for blank nodes of a rule body are nodes here.
    """

    def __init__(self, terms: Iterable[Term]) -> None:
        search = _Search()
        for term in terms:
            search.look_into(term)
        self._texts: dict[Term, str] = {}
        self._quantified: dict[Scope, list[str]] = {}
        self._numbers = count()
        for node in search.homes:
            if node in search.shared:
                self._share(node, search)

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

    def _share(self, node: Term, search: "_Search") -> None:
        if isinstance(node, Variable):
            text = f"?{node.name.removeprefix(BODY_BLANK)}_"
            while text in search.variables:
                text += "_"
            search.variables.add(text)
        else:
            name = next(name for name in search.free if name not in search.taken)
            text = f"<{name}>"
            self._quantified.setdefault(search.formulas[search.homes[node]], []).append(text)
        self._texts[node] = text


class _Search:
    """Walks through terms and finds for each blank node the innermost formula around all of its places.

    Formulas are numbered as they are met, 0 being the text itself. A node that occurs in one formula alone belongs to
    it, however often that formula is repeated.
    """

    def __init__(self) -> None:
        self.formulas: list[Scope] = [None]
        self.homes: dict[Term, int] = {}
        self.shared: set[Term] = set()
        self.taken: set[str] = set()
        self.free = (f"{QUANTIFIED}{number}" for number in count())
        self.variables: set[str] = set()
        self._parents = [0]
        self._is_open = [True]
        self._firsts: dict[Formula, int] = {}

    def look_into(self, term: Term) -> None:
        """Take note of the blank nodes of ``term``, a term at the top of the text."""
        pending: list[tuple[Term | None, int]] = [(term, 0)]
        while pending:
            part, scope = pending.pop()
            match part:
                case None:
                    self._is_open[scope] = False
                case ListTerm(items):
                    pending.extend((item, scope) for item in reversed(items))
                case Formula(triples):
                    inner = self._enter(part, scope)
                    pending.append((None, inner))
                    pending.extend((item, inner) for triple in reversed(triples) for item in reversed(triple))
                case IRI(value):
                    if value.startswith(QUANTIFIED):
                        self.taken.add(value)
                case BlankNode() | Variable():
                    self._note(part, scope)
                case _:
                    pass

    def _enter(self, formula: Formula, outer: int) -> int:
        self.formulas.append(formula)
        self._parents.append(outer)
        self._is_open.append(True)
        number = len(self.formulas) - 1
        self._firsts.setdefault(formula, number)
        return number

    def _note(self, node: Term, scope: int) -> None:
        if not is_blank(node):
            if isinstance(node, Variable):
                self.variables.add(f"?{node.name}")
            return
        home = self.homes.setdefault(node, scope)
        if home == scope or (node not in self.shared and self._are_equal(home, scope)):
            return
        self.shared.add(node)
        while not self._is_open[home]:
            home = self._parents[home]
        self.homes[node] = home

    def _are_equal(self, one: int, other: int) -> bool:
        formula, second = self.formulas[one], self.formulas[other]
        if formula is None or second is None:
            return False
        return self._firsts[formula] == self._firsts[second]
