"""What all handlers share: the store, the base URL, the limits, the services, and what holds for every answer."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from aiohttp import web

from ldp_server.answers import READ, resource_headers, restricted
from ldp_server.caching import ByteCache
from ldp_server.cors import Origins
from ldp_server.faults import Problem
from ldp_server.kinds import Kind, kind_of, kind_of_rdf
from ldp_server.links import feed_links
from ldp_server.paths import is_container, slash_twin
from ldp_server.refusals import problem_of
from ldp_server.services import Page, Service, service_for
from ldp_server.settings import Settings
from ldp_server.storage.port import Reason, Record, Refusal, Store
from ldp_server.storage.rules import Rules
from ldp_server.validators import Precondition, View, read_tags
from ldp_server.vocabulary import LDP, RDF_TYPE

Made = TypeVar("Made")
_OFF_LOOP = 32 * 1024
"""Bodies and documents from this size on are parsed and written outside the event loop."""

Served = ByteCache[tuple[str, str], tuple[str, bytes]]
"""Representations that were served before, with their entity tags, by path and what tells them apart at one path."""


@dataclass(frozen=True, slots=True)
class Site:
    """The resources of one store at one base URL (without its final slash).

    ``origins`` are the sites whose pages may use the server, ``rules`` what every write of a client has to heed.
    """

    store: Store
    base: str
    settings: Settings
    services: Sequence[Service] = ()
    origins: Origins = field(init=False)
    rules: Rules = field(init=False)
    _served: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Work out what follows from the settings."""
        limits = self.settings
        object.__setattr__(self, "origins", Origins(self.base, limits.cors_origins))
        object.__setattr__(self, "rules", Rules(limits.requires_match, limits.keeps_names, limits.read_only))
        object.__setattr__(self, "_served", tuple(service.prefix for service in self.services))

    def headers(self, path: str, kind: Kind) -> dict[str, str]:
        """Return the headers that every answer about ``path`` carries."""
        headers = resource_headers(self.base, path, kind, takes_content=self.takes_content(path))
        service = self._service(path)
        if service is None:
            return headers
        methods = service.methods(path)
        return restricted(
            headers, headers["Allow"].replace(", PATCH", "") if methods is None else methods or READ
        )

    @property
    def document_view(self) -> View:
        """Return how documents are shown; whoever serves the same data in the other way gives them other tags."""
        return "typed" if self.settings.shows_types else "whole"

    def shown(self, record: Record) -> bytes:
        """Return the triples of a document, with the type that every document has if the settings say so."""
        line = f"<{self.base}{record.path}> <{RDF_TYPE}> <{LDP}RDFSource> .\n".encode()
        return record.text if not self.settings.shows_types or line in record.text else record.text + line

    def takes_content(self, path: str) -> bool:
        """Tell whether a Non-RDF source can be at ``path``, or in it: what belongs to a service is RDF."""
        return self.keeps_alone(path)

    def keeps_alone(self, path: str) -> bool:
        """Tell whether the store alone knows what is at ``path``."""
        return not path.startswith(self._served)

    def methods_of_service(self, path: str) -> str | None:
        """Return what the service at ``path`` takes, or None if the server itself decides that."""
        service = self._service(path)
        return None if service is None else service.methods(path)

    def _service(self, path: str) -> Service | None:
        return service_for(path, self.services) if path.startswith(self._served) else None

    async def page(self, path: str) -> Page | None:
        """Return what a service says at ``path``, or None if that is the store's."""
        service = self._service(path)
        return None if service is None else await service.page(path)

    async def kind(self, path: str) -> Kind:
        """Return the kind of what is at ``path``: a page of a service, or what the store has."""
        if await self.page(path) is not None:
            return kind_of_rdf(path)
        return kind_of(path, await self.store.read(path))

    async def feeds(self, path: str) -> str:
        """Return the Link header that tells where a container's changes are, empty for what has none.

        Ask for it before the state it goes with: then nothing can change between the two and be missed.
        """
        subtree = await self.store.read_subtree(path) if is_container(path) else None
        return "" if subtree is None else feed_links(self.base + path, subtree)

    async def exists(self, path: str) -> bool:
        """Tell whether the store has a resource at ``path``."""
        return await self.store.read(path) is not None

    async def missing(self, path: str) -> Problem:
        """Return the problem that tells that nothing is at ``path``, or not any more."""
        if self.settings.keeps_names and await self.store.was_deleted(path):
            return problem_of(Refusal(Reason.GONE, path), self.base)
        twin = slash_twin(path)
        hint = f" There is {self.base}{twin}, which is another resource." if await self.exists(twin) else ""
        return Problem("LDP009", f"There is no resource {self.base}{path}.{hint}")


async def worked_out(size: int, work: Callable[[], Made]) -> Made:
    """Return what ``work`` on about ``size`` bytes comes to; if they are many, the event loop goes on meanwhile."""
    return await asyncio.to_thread(work) if takes_long(size) else work()


def takes_long(size: int) -> bool:
    """Tell whether reading or writing so many bytes would keep the event loop from other requests."""
    return size >= _OFF_LOOP


def joined(request: web.Request, name: str) -> str | None:
    """Return the value of a header that may come in several lines, or None without one."""
    values = request.headers.getall(name, [])
    return ", ".join(values) if values else None


def is_held(request: web.Request, tag: str) -> bool:
    """Tell whether the client has the representation with this entity tag already (RFC 9110, section 13.1.2)."""
    held = read_tags(joined(request, "If-None-Match"))
    return held is not None and held.names_tag(tag)


def precondition_of(request: web.Request) -> Precondition:
    """Return what a request asks of the present state."""
    return Precondition(read_tags(joined(request, "If-Match")), read_tags(joined(request, "If-None-Match")))
