"""Rules of the user's program that could have derived what a pattern asks for, as patterns that can be counted.

Only what SPARQL can ask is tried: triple patterns, and comparisons as filters. Other builtins, lists and formulas are
shown and left out, so that a count is an upper bound where one stands.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from agent.gsm.why.pieces import Comparison, Piece
from agent.n3.program import DerivationRule, Program
from agent.n3.write import Writer
from agent.rdf.notation import term_text
from agent.rdf.terms import IRI, BlankNode, Literal, Term, Triple, Variable
from agent.vocab import KNOWN_PREFIXES, LIST, LOG, MATH, STRING, TIME

VARIABLE = "milepostRule"
MOST_RULES = 4
_BUILTINS = (MATH, LOG, STRING, LIST, TIME, "http://www.w3.org/2000/10/swap/crypto#")
_COMPARISONS = {
    MATH + "greaterThan": ">",
    MATH + "lessThan": "<",
    MATH + "notGreaterThan": "<=",
    MATH + "notLessThan": ">=",
    MATH + "equalTo": "=",
    MATH + "notEqualTo": "!=",
    LOG + "equalTo": "=",
    LOG + "notEqualTo": "!=",
}


class Body(Struct, frozen=True):
    """The body of ``rule``, applied to a pattern; ``untried`` are the patterns that cannot be counted."""

    rule: str
    pieces: tuple[Piece, ...]
    untried: tuple[str, ...]


class Derivations:
    """The derivation rules of ``program``; variables get names of their own each time a rule is applied."""

    def __init__(self, program: Program) -> None:
        self._rules = program.derivations
        self._writer = Writer({**KNOWN_PREFIXES, **program.prefixes})
        self.names: list[tuple[str, str]] = []

    def of(self, texts: Sequence[str], values: Sequence[Term | None]) -> Iterator[Body]:
        """Yield the bodies of rules that could derive a pattern of ``texts``; ``values`` are those that are constant."""
        found = 0
        for rule in self._rules:
            for pattern in rule.head:
                bound = _bound(pattern.triple, texts, values)
                if bound is not None and found < MOST_RULES:
                    found += 1
                    yield self._body(rule, bound)

    def _body(self, rule: DerivationRule, bound: dict[Term, str]) -> Body:
        pieces: list[Piece] = []
        untried: list[str] = []
        for pattern in rule.body:
            piece = self._piece(pattern.triple, bound)
            if piece is None:
                untried.append(self._writer.triple(pattern.triple))
            else:
                pieces.append(piece)
        return Body(rule.name, tuple(pieces), tuple(untried))

    def _piece(self, triple: Triple, bound: dict[Term, str]) -> Piece | None:
        predicate = triple.predicate.value if isinstance(triple.predicate, IRI) else ""
        operator = _COMPARISONS.get(predicate)
        if operator is None and predicate.startswith(_BUILTINS):
            return None
        texts = [self._text(term, bound) for term in triple]
        if "" in texts or (isinstance(triple.subject, Literal) and operator is None):
            return None
        subject, verb, object_ = texts
        variables = frozenset(text[1:] for text in texts if text.startswith("?"))
        shown = self._writer.triple(triple)
        if operator is None:
            return Piece(
                "triple", f"{subject} {verb} {object_}", variables, (subject, verb, object_), shown=shown
            )
        comparison = Comparison(subject, operator, object_)
        return Piece(
            "filter", f"FILTER({subject} {operator} {object_})", variables, comparison=comparison, shown=shown
        )

    def _text(self, term: Term, bound: dict[Term, str]) -> str:
        """Return ``term`` in SPARQL, or "" for lists and formulas."""
        match term:
            case Variable() | BlankNode():
                if term not in bound:
                    bound[term] = f"?{VARIABLE}{len(self.names):04}"
                    name = f"?{term.name}" if isinstance(term, Variable) else "_:" + term.label
                    self.names.append((bound[term][1:], name))
                return bound[term]
            case IRI() | Literal():
                return term_text(term)
            case _:
                return ""


def _bound(head: Triple, texts: Sequence[str], values: Sequence[Term | None]) -> dict[Term, str] | None:
    """Return which text each variable of ``head`` becomes, or None if it can be no instance of the pattern."""
    bound: dict[Term, str] = {}
    for term, text, value in zip(head, texts, values, strict=True):
        if isinstance(term, Variable):
            bound[term] = text
        elif isinstance(term, IRI | Literal) and value is not None and value != term:
            return None
    return bound if isinstance(head.predicate, IRI) else None
