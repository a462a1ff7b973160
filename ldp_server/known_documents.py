"""Bodies in Turtle or N-Triples that are alike but for digits: what they come to is known by heart."""

from collections.abc import Callable, Sequence

from ldp_server.alike import Alike, Marks
from ldp_server.documents import Draft, Gap, read_document
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

    def draft(self, body: bytes, syntax: Syntax, uri: str, gap: Gap | None = None) -> Draft | None:
        """Return what ``documents.read_document`` would, or None if the body has to be read."""
        if syntax.short not in _LINES:
            return None
        text = self._alike.read(body, syntax.short, uri)
        if text is None:
            return None
        return Draft(tuple(text.split(gap.text.encode())) if gap else (text,))

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

        def filled(values: Sequence[bytes]) -> bytes | None:
            text = template.filled(values)
            lines = text.split(b"\n")
            # Two statements that became the same are told once, wherever the second one stood.
            return text if len(set(lines)) == len(lines) else None

        return filled
