"""GET with a query: what changed in a container since a number, and the container with its members inlined."""

import asyncio
from collections.abc import Callable
from functools import partial

from aiohttp import web

from ldp_server.answers import READ
from ldp_server.faults import Problem
from ldp_server.feeds.answers import since_iri, tell_family, tell_since
from ldp_server.feeds.graphs import OFFERED, write_graphs
from ldp_server.feeds.questions import Changes, read_question
from ldp_server.feeds.since import HistoryGoneError, MemberChange, Since, read_since
from ldp_server.handlers.site import Served, Site, is_held, joined, worked_out
from ldp_server.links import changes_link
from ldp_server.negotiation import choose_syntax, in_one_of
from ldp_server.paths import Target, is_container
from ldp_server.storage.changes import ChangeKind
from ldp_server.storage.port import Family, FamilyTooLargeError, Record
from ldp_server.syntaxes import Syntax
from ldp_server.validators import entity_tag

_ATTEMPTS = 5


class Views:
    """What containers answer besides themselves."""

    def __init__(self, site: Site, served: Served) -> None:
        self._site = site
        self._served = served

    async def get(self, request: web.Request, target: Target) -> web.Response:
        """Answer GET and HEAD of a path with a query."""
        if request.method not in {"GET", "HEAD"} or target.query is None:
            raise Problem("LDP009", "No resource here has a query; ask for the path alone.")
        question = read_question(target.query)
        if not is_container(target.path) or await self._site.page(target.path) is not None:
            raise Problem("LDP009", "Only containers that the server keeps itself tell about their members.")
        path, accept = target.path, joined(request, "Accept")

        async def answer(offered: tuple[Syntax, ...]) -> web.Response:
            choose = partial(choose_syntax, accept, offered)
            if isinstance(question, Changes):
                return await self._since(request, path, question, choose)
            return await self._inlined(request, path, choose)

        return await in_one_of(OFFERED, answer)

    async def _since(
        self, request: web.Request, path: str, question: Changes, choose: Callable[[], Syntax]
    ) -> web.Response:
        since = await self._read_since(path, question.since)
        syntax = choose()
        tag = self._tag(since.sequence, syntax)
        if is_held(request, tag):
            return _not_modified(tag)
        documents: list[tuple[str, bytes]] = []
        if question.with_bodies:
            since, documents = await self._bodies(since)
            tag = self._tag(since.sequence, syntax)
        own = tell_since(since, self._site.base)
        return _answer(tag, await _written(own, documents, syntax), syntax)

    async def _read_since(self, path: str, number: int) -> Since:
        try:
            since = await read_since(self._site.store, path, number)
        except HistoryGoneError:
            detail = (
                f"The changes of {self._site.base}{path} since this number are not known any more, or the number"
                " is of other data. GET the container anew; its Link header tells where to go on."
            )
            raise Problem("LDP061", detail) from None
        if since is None:
            raise await self._site.missing(path)
        return since

    async def _bodies(self, since: Since) -> tuple[Since, list[tuple[str, bytes]]]:
        """Return the documents of the changes in the very states that these tell of; later changes are taken in."""
        for _ in range(_ATTEMPTS):
            documents = await self._documents_of(since.changes)
            if documents is not None:
                return since, documents
            await asyncio.sleep(0)
            since = await self._read_since(since.container, since.number)
        detail = "The container changes too fast to tell it with bodies. Ask without them."
        raise Problem("LDP017", detail, headers={"Retry-After": "1"})

    async def _documents_of(self, changes: tuple[MemberChange, ...]) -> list[tuple[str, bytes]] | None:
        """Return the documents, or None if one is in another state by now."""
        documents, size = [], 0
        for change in changes:
            if change.kind is ChangeKind.REMOVED or change.is_subtree:
                continue
            record = await self._site.store.read(change.path)
            if record is None or record.version != change.version:
                return None
            size += len(record.text)
            if size > self._site.settings.max_view:
                raise self._too_large("the documents that changed", "Ask without bodies, and GET each.")
            if record.binary is None:
                documents.append((self._site.base + record.path, self._text(record)))
        return documents

    def _tag(self, version: int, syntax: Syntax) -> str:
        return entity_tag(version, syntax.short, self._site.document_view)

    def _text(self, record: Record) -> bytes:
        return record.text if is_container(record.path) else self._site.shown(record)

    async def _inlined(self, request: web.Request, path: str, choose: Callable[[], Syntax]) -> web.Response:
        subtree = await self._site.store.read_subtree(path)
        if subtree is None:
            raise await self._site.missing(path)
        syntax = choose()
        tag = self._tag(subtree, syntax)
        if is_held(request, tag):
            return _not_modified(tag)
        key = (path, f"{syntax.short} inlined")
        if key not in self._served or self._served[key][0] != tag:
            family = await self._family(path, subtree)
            tag = self._tag(family.subtree, syntax)
            body = await worked_out(
                family.size,
                lambda: write_graphs(*tell_family(family, self._site.base, self._site.shown), syntax),
            )
            self._served.keep(key, (tag, body), len(path) + len(body) + 500)
            return _answer(tag, body, syntax)
        return _answer(tag, self._served[key][1], syntax)

    async def _family(self, path: str, subtree: int) -> Family:
        try:
            family = await self._site.store.read_family(path, self._site.settings.max_view)
        except FamilyTooLargeError:
            changes = since_iri(self._site.base + path, subtree)
            advice = f"GET the members one by one, then ask for what changed: {changes}"
            raise self._too_large("the members", advice, {"Link": changes_link(changes)}) from None
        if family is None:
            raise await self._site.missing(path)
        return family

    def _too_large(self, what: str, advice: str, headers: dict[str, str] | None = None) -> Problem:
        limit = self._site.settings.max_view
        return Problem("LDP062", f"Together {what} are more than {limit} bytes. {advice}", headers=headers)


def _not_modified(tag: str) -> web.Response:
    """Return the shortest answer there is: who polls gets it nearly always."""
    return web.Response(status=304, headers={"ETag": tag, "Vary": "Accept"})


def _answer(tag: str, body: bytes, syntax: Syntax) -> web.Response:
    return web.Response(
        body=body,
        headers={"ETag": tag, "Vary": "Accept", "Content-Type": syntax.media_type, "Allow": READ},
    )


async def _written(own: bytes, documents: list[tuple[str, bytes]], syntax: Syntax) -> bytes:
    size = len(own) + sum(len(text) for _, text in documents)
    return await worked_out(size, lambda: write_graphs(own, documents, syntax))
