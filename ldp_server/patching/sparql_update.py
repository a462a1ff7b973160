"""SPARQL Update on one graph: which updates are taken, and those of them that are edits (SPARQL 1.1 Update, section 3).

An update made of triples and variables alone becomes edits, like an N3 Patch. One that needs the algebra of SPARQL is left
as text for an engine. Whatever could reach another graph or another place is refused before.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct, field

from ldp_server.documents import about_this
from ldp_server.faults import Problem
from ldp_server.patching.edits import (
    Edit,
    Pattern,
    Update,
    findable,
    is_blank,
    is_variable,
    malformed_patch,
    read_formulas,
)
from ldp_server.patching.tokens import Token, Variables, cut
from ldp_server.settings import Settings
from ldp_server.vocabulary import THIS

MEDIA_TYPE = "application/sparql-update"

REFUSED = frozenset("LOAD CLEAR DROP CREATE COPY MOVE ADD GRAPH USING WITH SERVICE".split())  # noqa: SIM905 -- a list of words reads best as one
_WORDS = "|".join(sorted(REFUSED))
_REFUSED = re.compile(_WORDS, re.IGNORECASE)
_REFUSED_AT = re.compile(f"(?=({_WORDS}|PREFIX))", re.IGNORECASE)
"""The same with PREFIX, wherever one begins, also inside another."""
_SIDES = {"INSERT": "inserts", "DELETE": "deletes"}


class _Operation(Struct):
    """One of the forms that are edits, with the prefixes before it and its groups as they were written."""

    prologue: list[Token]
    groups: dict[str, list[Token]] = field(default_factory=dict)
    is_data: bool = False


class _NotPlainError(Exception):
    """The update is no list of plain operations; it may be broken, or need an engine."""


def read_update(text: str, uri: str, settings: Settings) -> Update:
    """Return an update of the document at ``uri``, or raise LDP070, LDP071 (another graph or place) or LDP007."""
    tokens = list(cut(text))
    _check(tokens, text)
    try:
        operations = list(_Reader(tokens).operations())
    except _NotPlainError:
        _check_names(tokens)
        return Update(_about_this(tokens, uri), None)
    return Update(text, tuple(_edits(operations, uri, settings)))


def _about_this(tokens: Sequence[Token], uri: str) -> str:
    """Return the text of an update for an engine, with the document in the place of the ``this:`` base."""
    pieces = []
    before = ""
    for token in tokens:
        piece = token.spaced
        if token.kind == "iri" and token.text.startswith(f"<{THIS}"):
            rest = token.text[1 + len(THIS) : -1]
            is_prefix = rest == "#" and before.endswith(":")
            piece = f"<{uri}#>" if is_prefix else f"<{about_this(rest, uri)}>"
            piece += token.spaced[len(token.text) :]
        pieces.append(piece)
        before = before if token.kind == "space" else token.text
    return "".join(pieces)


def _check(tokens: Sequence[Token], text: str) -> None:
    for token in tokens:
        if token.kind == "broken" or token.text == "\\":
            reason = (
                "a string does not end"
                if token.kind == "broken"
                else "a backslash stands outside of a string"
            )
            raise malformed_patch(f"{reason}.", text.count("\n", 0, token.start) + 1)
        # The engine wants no blank after a word, so CLEARALL is an update for it: a word inside of a word counts.
        if token.kind == "words" and (found := _REFUSED.search(token.text)):
            raise Problem(
                "LDP071",
                f"An update here is about one document: {found[0].upper()} is not done, but INSERT DATA, DELETE DATA and "
                "DELETE/INSERT WHERE.",
            )


def _check_names(tokens: Sequence[Token]) -> None:
    """Raise LDP071 for a name that the engine could read as a refused word before another name.

    With the prefix ``x:`` it takes ``SERVICEx:place`` for ``SERVICE x:place``, and ``PREFIXx:`` declares ``x:``.
    """
    names = [token for token in tokens if token.kind != "space"]
    declared = {
        name.text[:-1]
        for word, name in pairwise(names)
        if word.text.upper() == "PREFIX" and name.text.endswith(":")
    }
    lengths = sorted(set(map(len, declared)))
    for prefix in dict.fromkeys(name.text.partition(":")[0] for name in names if name.kind == "name"):
        if (word := _read_before(prefix, declared, lengths)) is not None:
            raise Problem(
                "LDP071",
                f"The prefix {prefix[:100]}: contains {word}, and what follows that is a prefix too. "
                "Give it another name.",
            )


def _read_before(prefix: str, declared: set[str], lengths: Sequence[int]) -> str | None:
    """Return a word inside of ``prefix`` after which the rest ends like a prefix of ``declared``, whose ``lengths`` are given."""
    found = list(_REFUSED_AT.finditer(prefix))
    if any(each[1].upper() == "PREFIX" for each in found):
        return "PREFIX"
    first = min(found, key=lambda each: each.end(1), default=None)
    if first is None:
        return None
    rest = prefix[first.end(1) :]
    fitting = lengths[: bisect_right(lengths, len(rest))]
    return first[1].upper() if any(rest[len(rest) - length :] in declared for length in fitting) else None


class _Reader:
    """Reads the forms ``INSERT DATA``, ``DELETE DATA``, ``DELETE WHERE`` and ``DELETE``/``INSERT`` with ``WHERE``."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._place = 0

    def operations(self) -> Iterator[_Operation]:
        while True:
            prologue = self._prologue()
            if self._word() is None:
                self._end()
                return
            yield self._operation(prologue)
            if not self._takes(";"):
                self._end()
                return

    def _operation(self, prologue: list[Token]) -> _Operation:
        operation = _Operation(prologue)
        verb = self._take_word()
        if verb not in {"INSERT", "DELETE"}:
            raise _NotPlainError
        if self._word() in {"DATA", "WHERE"}:
            operation.is_data = self._word() == "DATA"
            if not operation.is_data and verb == "INSERT":
                raise _NotPlainError
            if self._take_word() == "WHERE":
                operation.groups["where"] = self._group()
                operation.groups["deletes"] = operation.groups["where"]
            else:
                operation.groups[_SIDES[verb]] = self._group()
            return operation
        operation.groups[_SIDES[verb]] = self._group()
        if verb == "DELETE" and self._word() == "INSERT":
            self._take_word()
            operation.groups["inserts"] = self._group()
        if self._take_word() != "WHERE":
            raise _NotPlainError
        operation.groups["where"] = self._group()
        return operation

    def _prologue(self) -> list[Token]:
        start = self._place
        while (word := self._word()) in {"PREFIX", "BASE"}:
            self._take_word()
            if word == "PREFIX" and not self._next("name").text.endswith(":"):
                raise _NotPlainError
            self._next("iri")
        return list(self._tokens[start : self._place])

    def _group(self) -> list[Token]:
        """Take a group of triples in braces and return what is inside."""
        if not self._takes("{"):
            raise _NotPlainError
        start = self._place
        before = None
        while self._place < len(self._tokens):
            token = self._tokens[self._place]
            self._place += 1
            if token.text == "}" and token.kind == "mark":
                return list(self._tokens[start : self._place - 1])
            if not _is_of_triples(token, before):
                break
            before = token
        raise _NotPlainError

    def _peek(self) -> Token | None:
        while self._place < len(self._tokens) and self._tokens[self._place].kind == "space":
            self._place += 1
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def _word(self) -> str | None:
        token = self._peek()
        return token.text.upper() if token is not None and token.kind == "words" else None

    def _take_word(self) -> str:
        return self._next("words").text.upper()

    def _next(self, kind: str) -> Token:
        token = self._peek()
        if token is None or token.kind != kind:
            raise _NotPlainError
        self._place += 1
        return token

    def _takes(self, mark: str) -> bool:
        token = self._peek()
        is_there = token is not None and token.kind == "mark" and token.text == mark
        self._place += is_there
        return is_there

    def _end(self) -> None:
        if self._peek() is not None:
            raise _NotPlainError


def _is_of_triples(token: Token, before: Token | None) -> bool:
    match token.kind:
        case "words":
            return token.text in {"a", "true", "false"}
        case "mark":
            return token.text not in "{}"
        case "tag":
            return before is not None and before.kind == "string"
    return token.kind != "other"


def _edits(operations: Sequence[_Operation], uri: str, settings: Settings) -> Iterator[Edit]:
    """Yield the edits of plain operations; all their groups are read as formulas at once."""
    variables = Variables()
    text: list[Token] = []
    for number, operation in enumerate(operations):
        text += operation.prologue
        for side, group in operation.groups.items():
            begin = f"\n{variables.own(side)} {variables.own(str(number))} {{"
            text += [_as_it_is(begin), *group, _as_it_is("\n} .\n")]
    read = read_formulas(variables.hide(text), variables, uri, settings)
    formulas = {(subject, number): read.formulas.get(item, ()) for subject, number, item in read.triples}
    for number, operation in enumerate(operations):
        where, deletes, inserts = (
            formulas.get((variables.own(side), variables.own(str(number))), ())
            for side in ("where", "deletes", "inserts")
        )
        _check_sides(deletes, inserts, is_data=operation.is_data)
        yield Edit(findable(where), deletes, inserts)


def _as_it_is(text: str) -> Token:
    return Token("other", text, text, 0)


def _check_sides(deletes: Sequence[Pattern], inserts: Sequence[Pattern], *, is_data: bool) -> None:
    if any(is_blank(term) for pattern in deletes for term in pattern):
        raise malformed_patch("a blank node cannot be deleted by its label; use a variable.")
    if is_data and any(is_variable(term) for pattern in (*deletes, *inserts) for term in pattern):
        raise malformed_patch("DATA has no variables.")
