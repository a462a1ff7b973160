"""Plain lines of N-Triples cut into the parts that spell their terms, which are numbered (ADR 0118).

Blocks of IRIs alone are cut between their brackets. Any other block is cut at its quotation marks, which takes out what
stands in literals, and the rest at its spaces. This can be undone, so that a block says what its parts say. There are
three for each line, the first of them behind the full stop and the line break of the line before; whoever finds that
the parts spell terms finds that there are no other line breaks, and that no mark is missing.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import Generic, TypeVar

from agent.rdf.statements import Group

Found = TypeVar("Found")

CUT = "\0"
"""What no line may hold, so that it can stand between texts that are joined."""

_END = " .\n"
_BEFORE_SUBJECT = ".\n"
_MARK = '"'
_TAKEN_OUT = -1
"""Stands for the number of a literal as long as what it says is somewhere else."""


class NotPlainError(Exception):
    """The text is for pyoxigraph to read."""


class LineParts:
    """The parts of lines, each with its number: all together are numbered from 0.

    ``iris`` and ``strings``, which have no datatype or language, are without the marks around them, ``nodes`` and other
    ``literals`` as they are spelled. ``groups`` are those of the lines, by their predicates, and ``order`` has the group
    of each line.
    """

    def __init__(self) -> None:
        number = count().__next__
        self.iris: defaultdict[str, int] = defaultdict(number)
        self.nodes: defaultdict[str, int] = defaultdict(number)
        self.strings: defaultdict[str, int] = defaultdict(number)
        self.literals: defaultdict[str, int] = defaultdict(number)
        self.groups: dict[int, Group] = {}
        self.order: list[Group] = []
        self._objects = _Known(self._object)
        self._by_iri = _Known(lambda text: self._group(self.iris[text]))
        self._by_spelling = _Known(lambda text: self._group(self._predicate(text)))

    def cut(self, block: str) -> None:
        """Add the lines of ``block``; NotPlainError or ValueError if it is found out here that they are not plain."""
        parts = _iris(block)
        if parts:
            number = self.iris.__getitem__
            groups = list(map(self._by_iri.__getitem__, parts[1::4]))
            self._add(map(number, parts[::4]), groups, map(number, parts[2::4]))
            return
        pieces = _pieces(block)
        parts = _MARK.join(pieces[::2])[: -len(_END)].split(" ")
        if len(parts) % 3 or pieces[-1][-len(_END) :] != _END:
            raise NotPlainError
        parts[0] = _BEFORE_SUBJECT + parts[0]
        objects = list(map(self._objects.__getitem__, parts[2::3]))
        if len(pieces) > 1:
            self._put_literals(objects, parts[2::3], pieces[1::2])
        self._add(self._subjects(parts[::3]), list(map(self._by_spelling.__getitem__, parts[1::3])), objects)

    def _add(self, subjects: Iterable[int], groups: Sequence[Group], objects: Iterable[int]) -> None:
        self.order += groups
        for subject, (_, subjects_of_group, objects_of_group), object_ in zip(
            subjects, groups, objects, strict=True
        ):
            subjects_of_group.append(subject)
            objects_of_group.append(object_)

    def _subjects(self, texts: Sequence[str]) -> Iterator[int]:
        """Yield the numbers of subjects; the lines of one mostly stand together."""
        last, number = "", 0
        iris = self.iris
        for text in texts:
            if text != last:
                last = text
                if text[:3] == ".\n<" and text[-1] == ">":
                    number = iris[text[3:-1]]
                elif text[:2] == _BEFORE_SUBJECT:
                    number = self.nodes[text[2:]]
                else:
                    raise NotPlainError
            yield number

    def _predicate(self, text: str) -> int:
        if text[:1] != "<" or text[-1:] != ">":
            raise NotPlainError
        return self.iris[text[1:-1]]

    def _object(self, text: str) -> int:
        if text[:1] == _MARK:
            return _TAKEN_OUT
        return self.iris[text[1:-1]] if text[:1] == "<" and text[-1:] == ">" else self.nodes[text]

    def _group(self, predicate: int) -> Group:
        return self.groups.setdefault(predicate, (predicate, [], []))

    def _put_literals(self, numbers: list[int], texts: Sequence[str], contents: Sequence[str]) -> None:
        """Put the numbers of literals into those of objects; ``texts`` are the objects, without ``contents``."""
        places = [at for at, number in enumerate(numbers) if number < 0]
        strings = self.strings
        for at, content in zip(places, contents, strict=True):  # ValueError if a mark stands somewhere else
            text = texts[at]
            numbers[at] = strings[content] if text == _MARK else self.literals[f"{_MARK}{content}{text}"]


class _Known(dict[str, Found], Generic[Found]):
    """What ``find`` finds for texts, each of which it is asked for once."""

    def __init__(self, find: Callable[[str], Found]) -> None:
        self._find = find

    def __missing__(self, text: str) -> Found:
        found = self[text] = self._find(text)
        return found


def _iris(block: str) -> list[str]:
    """Return the three IRIs of each line of ``block``, CUT between lines; nothing if they are not all IRIs."""
    # Most blocks with other terms have a literal, which is found at once.
    if _MARK in block or block[:1] != "<" or block[-4:] != "> .\n":
        return []
    parts = block[1:-4].replace("> .\n<", f"> <{CUT}> <").split("> <")
    # Each fourth part is a line's end. Where a line has fewer parts it stands in place of an IRI, and is found out there.
    return parts if len(parts) % 4 == 3 and parts[3::4] == [CUT] * (len(parts) // 4) else []


def _pieces(block: str) -> list[str]:
    """Return ``block`` cut at its quotation marks, but not at those that are escaped."""
    if "\\" not in block:
        return block.split(_MARK)
    if "\1" in block or "\2" in block:
        raise NotPlainError
    masked = block.replace(r"\\", "\1").replace(r"\"", "\2")
    return [piece.replace("\2", r"\"").replace("\1", r"\\") for piece in masked.split(_MARK)]
