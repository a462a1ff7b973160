"""The patterns of a query up to one of them, as something that can be asked: how many solutions, and which.

Counting is bounded. A prefix with more solutions than ``SAMPLE`` goes on with that many of them, so that no later
pattern is tried on more, and is marked so.
"""

from collections.abc import Sequence
from typing import TypeAlias

import pyoxigraph as ox
from msgspec import Struct
from msgspec.structs import replace

from agent.gsm.evaluation import Evaluation
from agent.gsm.question import Question
from agent.gsm.why.pieces import Piece

SAMPLE = 10_000
MAX_QUERIES = 240
"""Queries that explaining one question may take."""

Row: TypeAlias = dict[str, ox.NamedNode | ox.BlankNode | ox.Literal]


class Scope(Struct, frozen=True):
    """Some ``pieces`` of a group, after ``outer`` patterns; ``lead``: the group has braces, and this before them.

    ``count`` are the solutions, None if unknown; ``is_bounded``: there are more, of which only a sample is asked on.
    """

    outer: str = ""
    lead: str | None = None
    inner: str = ""
    count: int | None = 1
    is_bounded: bool = False
    pieces: tuple[Piece, ...] = ()

    @property
    def body(self) -> str:
        """Return the inside of a group that asks for all of it."""
        if self.lead is None:
            return f"{self.outer} {self.inner}"
        return f"{self.outer} {self.lead} {{ {self.inner} }}"

    def plus(self, piece: Piece) -> "Scope":
        """Return the scope with ``piece``, not yet counted."""
        return replace(self, inner=f"{self.inner} {piece.code}", pieces=(*self.pieces, piece), count=None)

    def into(self, lead: str | None) -> "Scope":
        """Return the beginning of a group after this scope; without ``lead`` it belongs to the same level."""
        return Scope(self.body, lead, "", self.count, self.is_bounded, self.pieces)


class Counter:
    """Asks what there is for scopes of ``question``; ``frame`` are the text before SELECT and the FROM clauses."""

    def __init__(self, evaluation: Evaluation, question: Question, frame: tuple[str, str]) -> None:
        self._evaluation = evaluation
        self._question = question
        self._frame = frame
        self._left = MAX_QUERIES

    def counted(self, scope: Scope) -> Scope:
        """Return ``scope`` with the number of its solutions, and cut down to a sample if there are too many."""
        body = f"SELECT * WHERE {{ {scope.body} }} LIMIT {SAMPLE + 1}"
        rows = self._ask(f"SELECT (COUNT(*) AS ?count) {self._frame[1]} WHERE {{ {{ {body} }} }}")
        if rows is None:
            return scope
        count = int(rows[0]["count"].value)
        if count <= SAMPLE:
            return replace(scope, count=count)
        if scope.lead is not None:
            return replace(scope, count=SAMPLE, is_bounded=True)
        sample = f"{{ SELECT * WHERE {{ {scope.body} }} LIMIT {SAMPLE} }}"
        return Scope(sample, None, "", SAMPLE, is_bounded=True, pieces=scope.pieces)

    def rows(self, scope: Scope, limit: int, extra: str = "") -> list[Row]:
        """Return at most ``limit`` solutions of ``scope`` followed by the text ``extra``, in no order."""
        sample = f"{{ SELECT * WHERE {{ {scope.body} }} LIMIT {SAMPLE} }}"
        body = f"{sample} {extra}" if extra else scope.body
        return self._ask(f"SELECT * {self._frame[1]} WHERE {{ {body} }} LIMIT {limit}") or []

    def terms(self, texts: Sequence[str]) -> list[ox.NamedNode | ox.BlankNode | ox.Literal | None]:
        """Return what the constant terms ``texts`` of the query are."""
        binds = " ".join(
            f"BIND({'<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>' if text == 'a' else text} AS ?t{i})"
            for i, text in enumerate(texts)
        )
        rows = self._ask(f"SELECT * WHERE {{ {binds} }}") or [{}]
        return [rows[0].get(f"t{i}") for i in range(len(texts))]

    def _ask(self, text: str) -> list[Row] | None:
        """Return the solutions; None if the query cannot be asked, or too many were."""
        self._left -= 1
        if self._left < 0:
            return None
        try:
            return self._evaluation.solutions(self._question, f"{self._frame[0]} {text}")
        except (ValueError, RuntimeError, OSError, SyntaxError):
            return None
