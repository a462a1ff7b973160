"""What the bodies of writes come to: known by heart, read at once, or read outside the event loop."""

import asyncio
from typing import NamedTuple

from ldp_server.documents import Draft, Gap, read_document
from ldp_server.handlers.site import Site, takes_long
from ldp_server.known_documents import KnownDocuments
from ldp_server.syntaxes import Syntax


class NewMember(NamedTuple):
    """What the head of a POST says of the member to be."""

    syntax: Syntax
    slug: str
    is_container: bool


class Drafts:
    """The drafts of a site's documents; all methods raise Problem as ``documents.read_document`` does."""

    def __init__(self, site: Site) -> None:
        self._base = site.base
        self._settings = site.settings
        self._known = KnownDocuments(site.settings)

    async def read(self, path: str, syntax: Syntax, body: bytes) -> Draft:
        """Return the draft of the document at ``path``."""
        at_once = self.at_once(path, syntax, body)
        return await asyncio.to_thread(self._read, path, syntax, body) if at_once is None else at_once

    def at_once(self, path: str, syntax: Syntax, body: bytes) -> Draft | None:
        """Return what ``read`` does, or None if that would keep the event loop from other requests."""
        known = self._known.draft(body, syntax, self._base + path)
        if known is not None:
            return known
        return None if takes_long(len(body)) else self._read(path, syntax, body)

    async def read_new(self, container: str, new: NewMember, body: bytes) -> Draft:
        """Return the draft of a member that has no name yet."""
        at_once = self.new_at_once(container, new, body)
        return await asyncio.to_thread(self._read_new, container, new, body) if at_once is None else at_once

    def new_at_once(self, container: str, new: NewMember, body: bytes) -> Draft | None:
        """Return what ``read_new`` does, or None if that would keep the event loop from other requests."""
        known = None if new.is_container else self._known.draft_in(self._base + container, body, new.syntax)
        if known is not None:
            return known
        return None if takes_long(len(body)) else self._read_new(container, new, body)

    def _read(self, path: str, syntax: Syntax, body: bytes) -> Draft:
        return read_document(body, syntax, self._base + path, self._settings)

    def _read_new(self, container: str, new: NewMember, body: bytes) -> Draft:
        gap = Gap()
        uri = f"{self._base}{container}{gap.text}{'/' if new.is_container else ''}"
        return read_document(body, new.syntax, uri, self._settings, gap)
