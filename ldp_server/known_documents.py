"""Bodies in Turtle or N-Triples that are alike but for digits: what they come to is known by heart."""

from collections.abc import Callable, Sequence

from ldp_server.alike import GAP, Alike, Marks
from ldp_server.documents import Draft, read_document
from ldp_server.faults import Problem
from ldp_server.settings import Settings
from ldp_server.syntaxes import N_TRIPLES, TURTLE, Syntax

_LINES = {syntax.short: syntax for syntax in (TURTLE, N_TRIPLES)}
"""The syntaxes whose literals keep their letters: JSON has numbers of its own, and XML entities."""


class KnownDocuments:
    """What the last bodies came to that were alike."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._alike: Alike[bytes] = Alike(self._learnt, settings)

    def draft(self, body: bytes, syntax: Syntax, uri: str) -> Draft | None:
        """Return what ``documents.read_document`` would, or None if the body has to be read."""
        if syntax.short not in _LINES:
            return None
        text = self._alike.read(body, syntax.short, uri)
        return None if text is None else Draft((text,))

    def draft_in(self, container: str, body: bytes, syntax: Syntax) -> Draft | None:
        """Return as ``draft`` does what a body comes to in a document of the container at a URI that has no name yet."""
        if syntax.short not in _LINES:
            return None
        text = self._alike.read_unnamed(body, syntax.short, container.removesuffix("/"))
        return None if text is None else Draft(tuple(text.split(GAP)))

    def _learnt(
        self, body: bytes, kind: str, uri: str, marks: Marks
    ) -> Callable[[Sequence[bytes]], bytes | None] | None:
        try:
            draft = read_document(body, _LINES[kind], uri, self._settings)
        except Problem:
            return None
        templates = marks.templates(draft.parts)
        if templates is None:
            return None
        [template] = templates
        [text] = draft.parts
        if are_distinct(marks.beginnings(text)):
            return template.filled

        def filled(values: Sequence[bytes]) -> bytes | None:
            text = template.filled(values)
            lines = text.split(b"\n")
            # Two statements that became the same are told once, wherever the second one stood.
            return text if len(set(lines)) == len(lines) else None

        return filled


def are_distinct(beginnings: Sequence[bytes]) -> bool:
    """Tell whether texts that begin so differ, however they go on."""
    ordered = sorted(beginnings)
    return not any(map(bytes.startswith, ordered[1:], ordered))
