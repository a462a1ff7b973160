"""PATCH: worked out inside the commit when that is quick, else beside it and committed if nothing came between."""

import asyncio
from collections.abc import Sequence
from contextlib import nullcontext
from typing import NamedTuple
from weakref import WeakValueDictionary

from aiohttp import web
from msgspec import Struct
from msgspec.structs import replace

from ldp_server.faults import Problem
from ldp_server.handlers.site import Site, precondition_of, takes_long
from ldp_server.patching.changing import Change
from ldp_server.patching.engine import Engine
from ldp_server.patching.known_patches import KnownPatches
from ldp_server.patching.languages import patch_language, read_patch
from ldp_server.patching.matching import Budget, TooMuchWorkError
from ldp_server.paths import is_container
from ldp_server.reading import read_body, refuse_part
from ldp_server.refusals import problem_of
from ldp_server.services import service_for
from ldp_server.storage.port import Committed, Patch, Reason, Record, Refusal
from ldp_server.validators import Precondition

_QUICK_STEPS = 2_000
_QUICK_TEXT = 64 * 1024
_TRIES = 10
_AT_ONCE = 2
_MAX_WAITING = 1024


class _AtOnce(Struct, frozen=True):
    """Works a patch out inside the commit if that is quick."""

    path: str
    change: Change

    def __call__(self, present: Record | None) -> bytes | Refusal:
        text = b"" if present is None else present.text
        if len(text) >= _QUICK_TEXT or self.change.looks_at_members or self.change.update.edits is None:
            return Refusal(Reason.COSTLY, self.path)
        try:
            return self.change.apply(text, (), Budget(_QUICK_STEPS))
        except TooMuchWorkError:
            return Refusal(Reason.COSTLY, self.path)
        except Problem as problem:
            return Refusal(Reason.PATCH, self.path, problem)


class _WorkedOut(Struct, frozen=True):
    """What a patch came to on the state of ``version`` (None: there was nothing)."""

    path: str
    version: int | None
    made: bytes

    def __call__(self, present: Record | None) -> bytes | Refusal:
        version = None if present is None else present.version
        return self.made if version == self.version else Refusal(Reason.OUTPACED, self.path)


class PatchHead(NamedTuple):
    """What the head of a PATCH says: its language, and what it asks of the state."""

    language: str
    precondition: Precondition


class Patches:
    """The method PATCH on the resources of a site."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._known = KnownPatches(site.settings)
        self._reading = replace(site.settings, max_body=site.settings.max_patch)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._room = asyncio.Semaphore(_AT_ONCE)
        self._waiting = 0
        self._engine = Engine(site.settings.patch_budget_s)

    async def close(self) -> None:
        """End the processes that were started for patches."""
        await self._engine.close()

    def read_head(self, request: web.Request, path: str) -> PatchHead:
        """Return what a request says before its body, or raise Problem."""
        if service_for(path, self._site.services) is not None:
            raise Problem("LDP010", f"{self._site.base}{path} takes no PATCH; PUT it.")
        headers = request.headers
        language = patch_language(headers.get("Content-Type"), headers.get("Content-Encoding"))
        refuse_part(request)
        return PatchHead(language, precondition_of(request))

    async def read_body(self, request: web.Request) -> bytes:
        """Return the body of a patch, or raise Problem as ``reading.read_body`` does; ``max_patch`` is its limit."""
        return await read_body(request, self._reading)

    async def patch(self, path: str, head: PatchHead, body: bytes) -> Committed:
        """Change or create the resource at ``path``."""
        change = self._change_at_once(path, head.language, body)
        if change is None:
            change = await asyncio.to_thread(self._change, path, head.language, body)
        outcome = await self._at_once(path, change, head.precondition)
        if isinstance(outcome, Refusal) and outcome.reason is Reason.COSTLY:
            outcome = await self._beside(path, change, head.precondition)
        if isinstance(outcome, Refusal):
            raise problem_of(outcome, self._site.base)
        return outcome

    def again(self, language: str, path: str, body: bytes, precondition: Precondition) -> Patch | None:
        """Return the write that ``patch`` tries first; None where reading the body, or a patch before it, takes long."""
        if path in self._turns:
            return None
        change = self._change_at_once(path, language, body)
        return None if change is None else self._write(path, change, precondition)

    def _change_at_once(self, path: str, language: str, body: bytes) -> Change | None:
        """Return what a body asks for, or None if it is so long that it is read outside the event loop."""
        uri = self._site.base + path
        if (update := self._known.update(language, body, uri)) is not None:
            return Change(uri, update, self._site.settings)
        return None if takes_long(len(body)) else self._change(path, language, body)

    def _change(self, path: str, language: str, body: bytes) -> Change:
        uri, settings = self._site.base + path, self._site.settings
        return Change(uri, read_patch(language, body, uri, settings), settings)

    def _write(self, path: str, change: Change, precondition: Precondition) -> Patch:
        return Patch(path, _AtOnce(path, change), precondition, self._site.rules)

    async def _at_once(self, path: str, change: Change, precondition: Precondition) -> Committed | Refusal:
        """Work a patch out inside the commit, but not while another one is worked out beside it, which would lose."""
        async with self._turns.get(path, nullcontext()):
            [outcome] = await self._site.store.commit([self._write(path, change, precondition)])
        return outcome

    async def _beside(self, path: str, change: Change, precondition: Precondition) -> Committed | Refusal:
        """Work a patch out on the state as it is, commit it if that is still the state, and try again if not.

        Patches of one resource take turns, so only other writes can come between, and nobody tries for ever.
        """
        if self._waiting >= _MAX_WAITING:
            return Refusal(Reason.BUSY, path)
        self._waiting += 1
        try:
            async with self._turns.setdefault(path, asyncio.Lock()):
                for _ in range(_TRIES):
                    outcome = await self._try(path, change, precondition)
                    if not isinstance(outcome, Refusal) or outcome.reason is not Reason.OUTPACED:
                        return outcome
            return Refusal(Reason.OUTPACED, path)
        finally:
            self._waiting -= 1

    async def _try(self, path: str, change: Change, precondition: Precondition) -> Committed | Refusal:
        present, members = await self._state(path, change)
        version = None if present is None else present.version
        if not precondition.holds(version):
            return Refusal(Reason.PRECONDITION, path)
        if present is not None and present.binary is not None:
            return Refusal(Reason.NOT_RDF, path)
        text = b"" if present is None else present.text
        async with self._room:
            made = await self._work_out(change, text, members)
        write = Patch(path, _WorkedOut(path, version, made), precondition, self._site.rules)
        [outcome] = await self._site.store.commit([write])
        return outcome

    async def _work_out(self, change: Change, text: bytes, members: Sequence[str]) -> bytes:
        update = change.update
        if update.edits is None:
            seen = await asyncio.to_thread(change.seen, text, members)
            outcome = await self._engine.carry_out(update.text, change.uri, seen)
            return await asyncio.to_thread(change.splice, text, outcome.deleted, outcome.inserted)
        try:
            budget = Budget(self._site.settings.patch_steps)
            return await asyncio.to_thread(change.apply, text, members, budget)
        except TooMuchWorkError:
            detail = "The patch is too complex: it takes too many triples to look at. Ask for less at once."
            raise Problem("LDP073", detail) from None

    async def _state(self, path: str, change: Change) -> tuple[Record | None, Sequence[str]]:
        """Return the resource now, and the IRIs of its members if the patch looks at them."""
        if not is_container(path) or not change.looks_at_members:
            return await self._site.store.read(path), ()
        found = await self._site.store.read_listing(path)
        if found is None:
            return None, ()
        return found[0], [self._site.base + member for member in found[1]]
