"""What a document is after a patch: the lines of its stored text, less some, and some more."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import count

from msgspec import Struct

from ldp_server.faults import Problem
from ldp_server.patching.edits import Edit, Pattern, Update, is_blank, is_variable, read_lines, triple_of
from ldp_server.patching.matching import Bindings, Budget, Triples, filled, solutions
from ldp_server.settings import Settings
from ldp_server.vocabulary import CONTAINER_TYPES, LDP_CONTAINS, RDF_TYPE, SHOWN_TYPES

_LABEL = re.compile(rb"_:b([0-9]{1,18})")
_CONTAINS = f"<{LDP_CONTAINS}>"
_TYPE = f"<{RDF_TYPE}>"
_TYPES = frozenset(f"<{kind}>" for kind in CONTAINER_TYPES)


class Change(Struct, frozen=True):
    """A patch of the document at ``uri``: its edits are made one after the other, all or none.

    One that has no edits needs an engine, which is given ``seen``; ``splice`` then makes the text of its answer.
    """

    uri: str
    update: Update
    settings: Settings

    @property
    def looks_at_members(self) -> bool:
        """Tell whether what the patch comes to depends on the members of a container."""
        if not self.uri.endswith("/") or self.update.edits is None:
            return self.uri.endswith("/")
        predicates = {predicate for edit in self.update.edits for _, predicate, _ in edit.where}
        return any(is_variable(term) or term == _CONTAINS for term in predicates)

    def apply(self, text: bytes, members: Collection[str], budget: Budget) -> bytes:
        """Return the stored text after the patch; ``members`` are the IRIs of those of a container.

        Raises Problem: LDP072 (the patch does not fit), LDP014 (it changes what the server keeps), LDP007 (the result
        is too large), and TooMuchWorkError.
        """
        document = _Document(self.uri, text, members)
        for edit in self.update.edits or ():
            document.make(edit, budget)
        return document.text(self.settings)

    def seen(self, text: bytes, members: Collection[str]) -> list[str]:
        """Return the lines that an engine is to work on."""
        return _Document(self.uri, text, members).seen()

    def splice(self, text: bytes, deleted: Collection[str], inserted: Collection[str]) -> bytes:
        """Return the stored text without some lines, and with others that an engine made; raises Problem as ``apply``."""
        document = _Document(self.uri, text, ())
        document.replace(deleted, read_lines(inserted, self.uri, self.settings))
        return document.text(self.settings)


class _Document:
    def __init__(self, uri: str, text: bytes, members: Collection[str]) -> None:
        self._lines = dict.fromkeys(text.decode().split("\n")[:-1])
        self._subject = f"<{uri}>"
        self._is_container = uri.endswith("/")
        self._members = members
        self._labels = _new_labels(text)

    def make(self, edit: Edit, budget: Budget) -> None:
        found: Sequence[Bindings] = [{}]
        if edit.where:
            found = self._only(edit, budget) if edit.strict else list(self._found(edit, budget))
        deleted = list(self._filled(edit, found, budget, inserts=False))
        inserted = list(self._filled(edit, found, budget, inserts=True))
        for line in deleted:
            if edit.strict and line not in self._lines:
                raise _unfit(f"it deletes {line[:300]} which is not there")
        for line in deleted:
            self._lines.pop(line, None)
        self._lines.update(dict.fromkeys(inserted))

    def _found(self, edit: Edit, budget: Budget) -> Iterator[Bindings]:
        return solutions(edit.where, Triples(self.seen()), budget)

    def seen(self) -> list[str]:
        return [*self._lines, *self._kept()]

    def replace(self, deleted: Collection[str], inserted: Collection[Pattern]) -> None:
        """Delete lines and insert triples; a blank node that no line has is a new one."""
        known = {term: term for line in self._lines for term in triple_of(line) if is_blank(term)}
        for line in deleted:
            if not self._is_kept(triple_of(line), inserts=False):
                self._lines.pop(line, None)
        for pattern in inserted:
            for term in pattern:
                if is_blank(term) and term not in known:
                    known[term] = next(self._labels)
            triple = filled(pattern, known)
            if not self._is_kept(triple, inserts=True):
                self._lines[_line(triple)] = None

    def _only(self, edit: Edit, budget: Budget) -> list[Bindings]:
        """Return the one solution, as far as its variables have names, or raise LDP072."""
        only: Bindings | None = None
        for bound in self._found(edit, budget):
            named = {name: value for name, value in bound.items() if not name.startswith("?:")}
            if only is not None and named != only:
                raise _unfit("its solid:where can be found in more than one way")
            only = named
            if not named:
                break
        if only is None:
            raise _unfit("its solid:where cannot be found")
        return [only]

    def _kept(self) -> list[str]:
        """Return the lines that a container shows and does not store."""
        if not self._is_container:
            return []
        types = [f"{self._subject} {_TYPE} <{kind}> ." for kind in SHOWN_TYPES]
        return types + [f"{self._subject} {_CONTAINS} <{member}> ." for member in self._members]

    def _filled(
        self, edit: Edit, found: Sequence[Bindings], budget: Budget, *, inserts: bool
    ) -> Iterator[str]:
        """Yield the lines that the solutions make of one side of an edit."""
        patterns = edit.inserts if inserts else edit.deletes
        blanks = sorted({term for pattern in patterns for term in pattern if is_blank(term)})
        for bound in found:
            names = bound | {blank: next(self._labels) for blank in blanks} if blanks else bound
            for pattern in patterns:
                budget.spend(1)
                triple = filled(pattern, names)
                if not _is_triple(triple):
                    if edit.strict:
                        raise _unfit(f"{_line(triple)[:300]} would be no RDF")
                elif not self._is_kept(triple, inserts=inserts):
                    yield _line(triple)

    def _is_kept(self, triple: Pattern, *, inserts: bool) -> bool:
        """Tell whether a triple to insert is one every container has, or raise LDP014 for one only the server changes."""
        subject, predicate, item = triple
        if not self._is_container or subject != self._subject:
            return False
        is_type = predicate == _TYPE and item in _TYPES
        if predicate == _CONTAINS or (is_type and not inserts):
            raise Problem(
                "LDP014",
                f"The patch changes {_line(triple)[:300]} which the server keeps; members come and go by POST, PUT and DELETE.",
            )
        return is_type

    def text(self, settings: Settings) -> bytes:
        """Return the lines as they are stored, or raise LDP007."""
        text = "\n".join([*self._lines, ""]).encode()
        if len(self._lines) > settings.max_triples or len(text) > settings.max_stored:
            raise Problem("LDP007", "The document would be too large after the patch. Split it.")
        return text


def _new_labels(text: bytes) -> Iterator[str]:
    """Yield blank nodes that ``text`` does not have; it is looked at when the first one is wanted."""
    for number in count(1 + max(map(int, _LABEL.findall(text)), default=-1)):
        yield f"_:b{number}"


def _is_triple(triple: Pattern) -> bool:
    subject, predicate, item = triple
    return subject[0] in "<_" and predicate[0] == "<" and not is_variable(item)


def _line(triple: Pattern) -> str:
    return f"{triple[0]} {triple[1]} {triple[2]} ."


def _unfit(reason: str) -> Problem:
    return Problem("LDP072", f"The patch does not fit the document as it is: {reason}.")
