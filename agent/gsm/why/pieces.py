"""A query as its patterns, in the words and the order of its author.

The text was accepted as a sentry, so it is right SPARQL; here it is only cut. Every piece is text that can be asked
again, so that counting needs no second query language. What cannot be cut stays whole, and a reader who is lost
says so: then the query is one piece.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from agent.n3.sparql import Token, tokens_of

Kind: TypeAlias = Literal[
    "triple", "pattern", "filter", "exists", "absent", "optional", "union", "graph", "other"
]

_NUMBER = re.compile(r"(?:\d+\.\d*[eE][+-]?\d+|\d+\.\d+|\d+)(?:[eE][+-]?\d+)?")
_STARTS = frozenset({"FILTER", "OPTIONAL", "MINUS", "GRAPH", "BIND", "VALUES", "SERVICE", "{", "}"})
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_COMPARISONS = ("<=", ">=", "!=", "=", "<", ">")
NODE = "milepostNode"
"""Begins the names of variables that stand for blank nodes of a query: those may occur in one group only."""


class Comparison(Struct, frozen=True):
    """``left operator right``, the sides as SPARQL expressions."""

    left: str
    operator: str
    right: str


class Piece(Struct, frozen=True):
    """One pattern: ``text`` can be asked. ``terms`` are subject, predicate and object of a plain triple pattern.

    ``groups`` are the groups inside, ``lead`` is what stands before such a group (``GRAPH ?g``). ``comparison`` is
    that of a filter which is one. ``shown`` is how it is shown, if not as ``text``.
    """

    kind: Kind
    text: str
    variables: frozenset[str]
    terms: tuple[str, ...] = ()
    groups: "tuple[tuple[Piece, ...], ...]" = ()
    lead: str = ""
    comparison: Comparison | None = None
    shown: str = ""

    @property
    def code(self) -> str:
        """Return the text as a part of a group."""
        return f"{self.text} ." if self.kind in {"triple", "pattern"} else self.text


class Cut(Struct, frozen=True):
    """A query in pieces: what stands before ASK, the FROM clauses, the patterns, and what follows them.

    ``whole`` is the query from ASK on. ``nodes`` are the blank nodes that were made variables, with their names.
    """

    whole: str
    prologue: str
    dataset: str
    pieces: tuple[Piece, ...]
    tail: str
    nodes: tuple[tuple[str, str], ...]


def cut(text: str) -> Cut | None:
    """Return the query ``text`` in pieces, or None if this reader does not understand it."""
    named, nodes = _with_variables(text)
    try:
        return _Reader(named, nodes).query()
    except (IndexError, ValueError):
        return None


def order(pieces: Sequence[Piece]) -> list[Piece]:
    """Return ``pieces`` with each filter where its variables have their values: a filter is about its whole group.

    A triple binds its variables for good. What any other piece says of a variable a later one may still change, so
    the filter waits for the last of them.
    """
    binding = [piece for piece in pieces if not _is_condition(piece)]
    placed: list[Piece] = []
    waiting: list[Piece] = []
    bound: set[str] = set()
    for piece in pieces:
        if _is_condition(piece):
            waiting.append(piece)
        else:
            placed.append(piece)
            binding.remove(piece)
            if piece.kind in {"triple", "pattern"}:
                bound |= piece.variables
        open_ = {variable for later in binding for variable in later.variables} - bound
        ready = [one for one in waiting if placed and one.variables.isdisjoint(open_)]
        placed += ready
        waiting = [one for one in waiting if one not in ready]
    return placed + waiting


def _is_condition(piece: Piece) -> bool:
    return piece.kind == "filter" or (piece.kind in {"exists", "absent"} and piece.text.startswith("FILTER"))


def on_one_line(text: str) -> str:
    """Return ``text`` without comments and line breaks; strings stay as they are."""
    words = [""]
    for token in tokens_of(text):
        if token.kind == "space":
            words.append("")
        else:
            words[-1] += token.text
    return " ".join(word for word in words if word)


def _with_variables(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    names: dict[str, str] = {}
    out: list[str] = []
    for token in tokens_of(text):
        if token.kind == "blank":
            out.append("?" + names.setdefault(token.text, f"{NODE}{len(names)}"))
        else:
            out.append(token.text)
    return "".join(out), tuple((name, label) for label, name in names.items())


def _lexemes(text: str) -> list[Token]:
    """Return the tokens that mean something, numbers put together."""
    found: list[Token] = []
    end = 0
    for token in tokens_of(text):
        if token.kind == "space" or token.start < end:
            continue
        number = _NUMBER.match(text, token.start) if token.text.isdecimal() else None
        found.append(Token("number", number[0], token.start) if number else token)
        end = token.start + len(found[-1].text)
    return found


class _Reader:
    """Reads a query once, from its first token to its last; IndexError where the text ends too early for it."""

    def __init__(self, text: str, nodes: tuple[tuple[str, str], ...]) -> None:
        self._text = text
        self._tokens = _lexemes(text)
        self._at = 0
        self._nodes = list(nodes)

    def query(self) -> Cut:
        """Read the whole query."""
        while self._word() != "ASK":
            self._at += 1
        prologue = self._between(0, self._at)
        whole = self._between(self._at, len(self._tokens))
        self._at += 1
        start = self._at
        while self._word() not in {"WHERE", "{"}:
            self._at += 1
        dataset = self._between(start, self._at)
        self._at += self._word() == "WHERE"
        pieces = self._group()
        tail = self._between(self._at, len(self._tokens))
        return Cut(whole, prologue, dataset, pieces, tail, tuple(self._nodes))

    def _word(self, ahead: int = 0) -> str:
        return self._tokens[self._at + ahead].keyword

    def _between(self, first: int, last: int) -> str:
        """Return the text from token ``first`` up to, without, token ``last``, on one line."""
        if first >= last:
            return ""
        end = self._tokens[last - 1]
        return on_one_line(self._text[self._tokens[first].start : end.start + len(end.text)])

    def _take(self, expected: str) -> None:
        if self._word() != expected:
            raise ValueError(f"{expected} is missing")
        self._at += 1

    def _balanced(self) -> None:
        """Go past the bracket that opens here and all that is in it."""
        closing: list[str] = []
        while True:
            text = self._tokens[self._at].text
            self._at += 1
            if text in _CLOSING:
                closing.append(_CLOSING[text])
            elif closing and text == closing[-1]:
                closing.pop()
            if not closing:
                return

    def _group(self) -> tuple[Piece, ...]:
        self._take("{")
        if self._word() == "SELECT":
            raise ValueError("a query inside the query")
        pieces: list[Piece] = []
        while self._word() != "}":
            if self._word() == ".":
                self._at += 1
            elif self._word() in _STARTS:
                pieces += self._clause()
            else:
                pieces += self._triples()
        self._at += 1
        return tuple(pieces)

    def _clause(self) -> Iterator[Piece]:
        start, word = self._at, self._word()
        if word == "{":
            yield self._alternatives(start)
        elif word == "FILTER":
            self._at += 1
            yield from self._filter(start)
        elif word in {"OPTIONAL", "MINUS"}:
            self._at += 1
            inner = self._inside()
            yield self._piece("optional" if word == "OPTIONAL" else "absent", start, groups=inner)
        elif word == "GRAPH":
            self._at += 1
            self._term()
            lead = self._between(start, self._at)
            yield self._piece("graph", start, groups=self._inside(), lead=lead)
        elif word == "BIND":
            self._at += 1
            self._balanced()
            yield self._piece("other", start)
        else:
            while self._word() != "{":
                self._at += 1
            self._balanced()
            yield self._piece("other", start)

    def _inside(self) -> tuple[tuple[Piece, ...], ...]:
        """Return the group that begins here, or no group if it is a query of its own."""
        if self._word(1) == "SELECT":
            self._balanced()
            return ()
        return (self._group(),)

    def _alternatives(self, start: int) -> Piece:
        groups = self._inside()
        while self._at < len(self._tokens) and self._word() == "UNION":
            self._at += 1
            groups += self._inside()
        return self._piece("union" if groups else "other", start, groups=groups)

    def _filter(self, start: int) -> Iterator[Piece]:
        words = self._word(), self._word(1)
        if words[0] == "EXISTS" or words == ("NOT", "EXISTS"):
            self._at += 1 + (words[0] == "NOT")
            yield self._piece("exists" if words[0] == "EXISTS" else "absent", start, groups=self._inside())
            return
        if words[0] != "(":
            self._at += 1
            self._balanced()
            yield self._piece("filter", start)
            return
        opened = self._at
        self._balanced()
        yield from self._conditions(opened + 1, self._at - 1)

    def _conditions(self, first: int, last: int) -> Iterator[Piece]:
        """Yield a filter for each condition that has to hold: ``a && b`` are two."""
        signs = list(self._signs(first, last))
        is_choice = any(sign == "||" for _, sign in signs)
        joints = [at for at, sign in signs if sign == "&&" and not is_choice]
        begin = first
        for end in (*joints, last):
            text = self._between(begin, end)
            variables = self._variables(begin, end)
            yield Piece("filter", f"FILTER({text})", variables, comparison=self._comparison(begin, end))
            begin = end + 2

    def _comparison(self, first: int, last: int) -> Comparison | None:
        signs = list(self._signs(first, last))
        if any(sign in {"&&", "||", "IN", "NOT"} for _, sign in signs):
            return None
        found = [(at, sign) for at, sign in signs if sign in _COMPARISONS]
        if len(found) != 1:
            return None
        at, sign = found[0]
        left, right = self._between(first, at), self._between(at + len(sign), last)
        return Comparison(left, sign, right) if left and right else None

    def _signs(self, first: int, last: int) -> Iterator[tuple[int, str]]:
        """Yield the operators outside all brackets, with their places; those of two characters are two tokens."""
        depth = 0
        at = first
        while at < last:
            word = self._tokens[at].keyword
            depth += (word in _CLOSING) - (word in _CLOSING.values())
            pair = word + (self._tokens[at + 1].keyword if at + 1 < last else "")
            if depth == 0:
                sign = pair if pair in {"&&", "||", "<=", ">=", "!="} else word
                if sign in {"&&", "||", "IN", "NOT", *_COMPARISONS}:
                    yield at, sign
                    at += len(sign) - 1 if sign not in {"IN", "NOT"} else 0
            at += 1

    def _triples(self) -> Iterator[Piece]:
        start = self._at
        self._term()
        subject = self._between(start, self._at)
        if subject.replace(" ", "") == "[]":
            self._nodes.append((f"{NODE}{len(self._nodes)}", "[]"))
            subject = f"?{self._nodes[-1][0]}"
        is_plain = subject[0] not in "[("
        found: list[Piece] = []
        while self._tokens[self._at].text not in {".", "}"} and self._word() not in _STARTS:
            begin = self._at
            self._verb()
            verb = self._between(begin, self._at)
            is_path = self._at - begin > 1
            while True:
                begin = self._at
                self._term()
                object_ = self._between(begin, self._at)
                found.append(_triple(subject, verb, object_, is_path=is_path))
                if self._word() != ",":
                    break
                self._at += 1
            while self._word() == ";":
                self._at += 1
        if is_plain:
            yield from found
        else:
            yield self._piece("pattern", start)

    def _term(self) -> None:
        token = self._tokens[self._at]
        if token.text in _CLOSING:
            self._balanced()
            return
        if token.text in {"<", "}", ".", ";", ","}:
            raise ValueError("a term is missing")
        self._at += 1
        if token.text in {"+", "-"}:
            self._at += 1
        elif token.kind == "string":
            if self._tokens[self._at].kind == "tag":
                self._at += 1
            elif self._word() == "^" and self._word(1) == "^":
                self._at += 3

    def _verb(self) -> None:
        while True:
            while self._word() in {"^", "!"}:
                self._at += 1
            if self._word() == "(":
                self._balanced()
            else:
                self._at += 1
            while self._word() in {"*", "+", "?"}:
                self._at += 1
            if self._word() not in {"/", "|"}:
                return
            self._at += 1

    def _variables(self, first: int, last: int) -> frozenset[str]:
        return frozenset(token.text[1:] for token in self._tokens[first:last] if token.kind == "variable")

    def _piece(
        self, kind: Kind, start: int, *, groups: tuple[tuple[Piece, ...], ...] = (), lead: str = ""
    ) -> Piece:
        text = self._between(start, self._at)
        return Piece(kind, text, self._variables(start, self._at), groups=groups, lead=lead)


def _triple(subject: str, verb: str, object_: str, *, is_path: bool) -> Piece:
    text = f"{subject} {verb} {object_}"
    variables = frozenset(token.text[1:] for token in tokens_of(text) if token.kind == "variable")
    if is_path or object_[0] in "[(":
        return Piece("pattern", text, variables)
    return Piece("triple", text, variables, (subject, verb, object_))
