"""A question made ready for an algebra: terms and expressions are taken out of the text, which keeps its structure.

rdflib reads the structure: groups, unions, paths. What terms mean (relative references, prefixes, escapes) and what
expressions say is left to the SPARQL engine that answers questions otherwise, so that both ways see the same.
"""

import re
from collections.abc import Iterator
from typing import TypeAlias

import pyoxigraph as ox
from msgspec import Struct

from agent.gsm.question import THIS_VARIABLE, Question
from agent.n3.sparql import Token, tokens_of
from agent.rdf.convert import from_ox
from agent.rdf.terms import IRI, XSD_DATETIME, Literal, Term, Variable
from agent.vocab import XSD

THIS = Variable(THIS_VARIABLE)
NOW = Variable("milepostInstant")
TERM = "urn:milepost:term:"
EXPRESSION = "urn:milepost:expression:"

_THIS_IRI = "urn:milepost:this"
_NOW_TEXT = "0001-01-01T00:00:00.001Z"
_REPETITIONS = frozenset("*+?")
_NUMBER = re.compile(r"\d+\.\d*[eE][+-]?\d+|\d+\.\d+|\d+(?:[eE][+-]?\d+)?")
_COMPARISON = re.compile(r"<[?$(\d]|&&")
_NOT_COVERED = frozenset(
    {
        *("SELECT", "OPTIONAL", "GRAPH", "FROM", "SERVICE", "LATERAL"),
        *("GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET"),
        *("IRI", "URI"),
    }
)
_CASTS = frozenset(
    XSD + name for name in ("string", "boolean", "integer", "decimal", "float", "double", "dateTime")
)


class Bound(Struct, frozen=True):
    """``BOUND(?variable)``."""

    variable: Variable


Piece: TypeAlias = str | Bound | Term


class Expression(Struct, frozen=True):
    """A SPARQL expression: text, with variables and IRIs apart."""

    pieces: tuple[Piece, ...]

    def variables(self) -> Iterator[Variable]:
        """Yield the variables, with repetitions."""
        yield from (piece for piece in self.pieces if isinstance(piece, Variable))


class Skeleton(Struct, frozen=True):
    """``text`` is the query with IRIs of ``TERM`` and ``EXPRESSION`` and a number in the place of these."""

    text: str
    terms: tuple[Term, ...]
    expressions: tuple[Expression, ...]

    def term(self, iri: str) -> Term:
        """Return what an IRI of the text stands for."""
        if iri.startswith(TERM):
            return self.terms[int(iri.removeprefix(TERM))]
        return IRI(iri)

    def expression(self, iri: str) -> Expression | None:
        """Return the expression that a function of the text stands for."""
        if iri.startswith(EXPRESSION):
            return self.expressions[int(iri.removeprefix(EXPRESSION))]
        return None


def read_skeleton(question: Question) -> Skeleton | None:
    """Return the skeleton of ``question``, which has no fault; nothing if it has what rules do not cover."""
    text = question.asked(_THIS_IRI, _NOW_TEXT)
    tokens = [token for token in tokens_of(text) if token.kind != "space"]
    start = next((i for i, token in enumerate(tokens) if token.keyword == "ASK"), len(tokens))
    if any(token.keyword in _NOT_COVERED for token in tokens):
        return None
    try:
        scan = _Scan(text, tokens[start:])
        skeleton = scan.structure()
        terms = _meaning(scan.terms, text[: tokens[start].start], question)
        expressions = tuple(_expression(raw, terms) for raw in scan.expressions)
    except (IndexError, ValueError):
        return None
    return Skeleton(skeleton, terms, expressions)


Raw: TypeAlias = list[str | Variable | int]


class _Scan:
    """One pass over the tokens of a query; ValueError or IndexError where it is lost."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.terms: list[str] = []
        self.expressions: list[Raw] = []
        self._text = text
        self._tokens = tokens
        self._numbers: dict[str, int] = {}

    def structure(self) -> str:
        """Return the text in which terms and expressions are IRIs."""
        out: list[str] = []
        index = 0
        while index < len(self._tokens):
            token = self._tokens[index]
            if token.keyword == "FILTER":
                inside = self._condition(index + 1)
                if inside is not None:
                    out.append(f"FILTER({self._taken(inside)})")
                    index = inside.stop
                    continue
            elif token.keyword == "BIND":
                inside = self._brackets(index + 1)
                out.append(f"BIND({self._taken(range(inside.start + 1, inside.stop - 3))}")
                index = inside.stop - 3
                continue
            piece, index = self._piece(index)
            if piece in _REPETITIONS:
                out[-1] += piece  # rdflib reads no space before it
            else:
                out.append(piece)
        return " ".join(out)

    def _condition(self, index: int) -> range | None:
        """Return the tokens of the condition at ``index``, or nothing if a group stands in it."""
        keyword = self._tokens[index].keyword
        if keyword in {"EXISTS", "NOT"}:
            return None
        opening = index if keyword == "(" else index + 1
        inside = range(index, self._brackets(opening).stop)
        return None if any(self._tokens[i].keyword == "EXISTS" for i in inside) else inside

    def _brackets(self, index: int) -> range:
        """Return the tokens from the bracket at ``index`` to the one that closes it."""
        if self._tokens[index].text != "(":
            raise ValueError("a bracket is expected")
        nesting = 0
        for position in range(index, len(self._tokens)):
            text = self._tokens[position].text
            nesting += (text == "(") - (text == ")")
            if not nesting:
                return range(index, position + 1)
        raise ValueError("a bracket is not closed")

    def _taken(self, inside: range) -> str:
        """Take the tokens ``inside`` out as an expression, and return what stands for it."""
        raw: Raw = []
        end = 0
        for index in inside:
            token = self._tokens[index]
            if raw and token.start > end:
                raw.append(" ")
            end = token.start + len(token.text)
            raw.append(self._expressed(token, self._tokens[index + 1].text == "("))
        self.expressions.append(raw)
        return f"<{EXPRESSION}{len(self.expressions) - 1}>()"

    def _expressed(self, token: Token, is_called: bool) -> str | Variable | int:
        match token.kind:
            case "variable":
                return Variable(token.text[1:])
            case "iri" if token.text == f"<{_THIS_IRI}>":
                return THIS
            case "iri" if _COMPARISON.search(token.text):
                raise ValueError("two comparisons that look like an IRI")
            case "iri" | "name":
                return -1 - self._number(token.text) if is_called else self._number(token.text)
            case _:
                return token.text

    def _number(self, text: str) -> int:
        number = self._numbers.setdefault(text, len(self.terms))
        if number == len(self.terms):
            self.terms.append(text)
        return number

    def _piece(self, index: int) -> tuple[str, int]:
        """Return the piece at ``index`` outside expressions, and the index after it."""
        token = self._tokens[index]
        if token.kind in {"iri", "name"}:
            return self._placed(token.text), index + 1
        if token.kind == "string":
            return self._literal(index)
        if token.keyword in {"TRUE", "FALSE"}:
            return self._placed(token.text), index + 1
        if token.text.isdecimal() or (token.text in {"+", "-", "."} and self._is_digit(token.start + 1)):
            return self._numeral(index)
        return token.text, index + 1

    def _placed(self, text: str) -> str:
        return f"<{TERM}{self._number(text)}>"

    def _is_digit(self, position: int) -> bool:
        return self._text[position : position + 1].isdecimal()

    def _literal(self, index: int) -> tuple[str, int]:
        after = self._tokens[index + 1 : index + 4]
        if after[0].kind == "tag":
            return self._placed(self._tokens[index].text + after[0].text), index + 2
        if [token.text for token in after[:2]] == ["^", "^"]:
            return self._placed(f"{self._tokens[index].text}^^{after[2].text}"), index + 4
        return self._placed(self._tokens[index].text), index + 1

    def _numeral(self, index: int) -> tuple[str, int]:
        token = self._tokens[index]
        is_signed = token.text in {"+", "-"}
        # after a predicate "+1" is a path of several steps to 1
        may_repeat = token.text == "+" and self._tokens[index - 1].text not in {",", "(", "{"}
        if token.text == "." or may_repeat or (is_signed and not self._text[token.start - 1].isspace()):
            raise ValueError("a number that may be something else")
        number = _NUMBER.match(self._text, token.start + is_signed)
        if number is None:
            raise ValueError("a sign without a number")
        while index < len(self._tokens) and self._tokens[index].start < number.end():
            index += 1
        return self._placed(self._text[token.start : number.end()]), index


def _meaning(texts: list[str], prologue: str, question: Question) -> tuple[Term, ...]:
    """Return the terms that ``texts`` are to the SPARQL engine, as it keeps them."""
    if not texts:
        return ()
    asked = " ".join(f"({text} AS ?t{number})" for number, text in enumerate(texts))
    rows = ox.Store().query(
        f"{prologue} SELECT {asked} {{}}", base_iri=question.base or None, prefixes=dict(question.prefixes)
    )
    if not isinstance(rows, ox.QuerySolutions):
        raise ValueError("no terms")  # noqa: TRY004  it is the text that is wrong
    row = next(iter(rows))
    found: list[Term] = []
    for number in range(len(texts)):
        term = row[f"t{number}"]
        if not isinstance(term, ox.NamedNode | ox.Literal):
            raise ValueError("a term without a value")  # noqa: TRY004  it is the text that is wrong
        found.append(from_ox(term, "", {}))
    return tuple(THIS if term == IRI(_THIS_IRI) else term for term in found)


def _expression(raw: Raw, terms: tuple[Term, ...]) -> Expression:
    """Return an expression with the IRIs in it; ValueError if it calls what may be unknown to the engine."""
    pieces: list[Piece] = []
    for piece in raw:
        if isinstance(piece, int):
            term = terms[piece if piece >= 0 else -1 - piece]
            if piece < 0 and not (isinstance(term, IRI) and term.value in _CASTS):
                raise ValueError("a function that is not of SPARQL")
            pieces.append(term)
        else:
            pieces.append(piece)
    return Expression(_put_together(pieces))


def _put_together(pieces: list[Piece]) -> tuple[Piece, ...]:
    """Return ``pieces`` with the instant of the step as a variable, and with each BOUND as one."""
    found: list[Piece] = []
    for piece in pieces:
        found.append(piece)
        match [piece for piece in found[-7:] if piece != " "]:
            case [*_, str(word), "(", Variable() as variable, ")"] if word.upper() == "BOUND":
                while found.pop() != word:
                    pass
                found.append(Bound(variable))
            case [*_, text, "^", "^", datatype] if text == f'"{_NOW_TEXT}"' and datatype == IRI(XSD_DATETIME):
                found[-4:] = [NOW]
            case _:
                pass
    return tuple(found)


def literal_text(literal: Literal) -> str:
    """Return a literal as it stands in a query."""
    if literal.language:
        return str(ox.Literal(literal.lexical, language=literal.language))
    return str(ox.Literal(literal.lexical, datatype=ox.NamedNode(literal.datatype)))
