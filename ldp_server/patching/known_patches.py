"""Patches that are alike but for digits: what they ask for is known by heart."""

from collections.abc import Callable, Sequence

from ldp_server.alike import Alike, Marks, Template
from ldp_server.faults import Problem
from ldp_server.patching.edits import Edit, Pattern, Update
from ldp_server.patching.languages import read_patch
from ldp_server.settings import Settings


class KnownPatches:
    """What the last patches came to that were alike."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._alike: Alike[tuple[Edit, ...]] = Alike(self._learnt, settings)

    def update(self, language: str, body: bytes, uri: str) -> Update | None:
        """Return what ``languages.read_patch`` would, or None if the body has to be read."""
        edits = self._alike.read(body, language, uri)
        return None if edits is None else Update("", edits)

    def _learnt(
        self, body: bytes, language: str, uri: str, marks: Marks
    ) -> Callable[[Sequence[bytes]], tuple[Edit, ...]] | None:
        try:
            edits = read_patch(language, body, uri, self._settings).edits
        except Problem:
            return None
        if edits is None:
            return None
        groups = [group for edit in edits for group in (edit.where, edit.deletes, edit.inserts)]
        templates = marks.templates([_text(group) for group in groups])
        if templates is None:
            return None
        fillings = list(map(_filling, groups, templates))

        def filled(values: Sequence[bytes]) -> tuple[Edit, ...]:
            sides = iter([fill(values) for fill in fillings])
            return tuple([Edit(next(sides), next(sides), next(sides), strict=edit.strict) for edit in edits])

        return filled


def _text(group: Sequence[Pattern]) -> bytes:
    """Return the terms of patterns, a line each; no term has a line break."""
    return "\n".join([term for pattern in group for term in pattern]).encode()


def _filling(
    group: tuple[Pattern, ...], template: Template
) -> Callable[[Sequence[bytes]], tuple[Pattern, ...]]:
    """Return what makes the patterns of a group of the values in its places."""
    if template.is_constant:
        return lambda _values: group

    def filled(values: Sequence[bytes]) -> tuple[Pattern, ...]:
        terms = iter(template.filled(values).decode().split("\n"))
        return tuple(zip(terms, terms, terms, strict=True))

    return filled
