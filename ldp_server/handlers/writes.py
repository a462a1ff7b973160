"""PUT, POST and DELETE."""

from collections.abc import Callable
from functools import partial
from typing import Literal

from aiohttp import web
from multidict import CIMultiDict

from ldp_server.binaries import SHORT_NAME, description_path
from ldp_server.documents import EMPTY, Draft
from ldp_server.faults import Problem
from ldp_server.handlers.binaries import content_type_of, read_content
from ldp_server.handlers.drafts import Drafts, NewMember
from ldp_server.handlers.patches import Patches
from ldp_server.handlers.site import Site, precondition_of
from ldp_server.kinds import Kind, kind_of_rdf
from ldp_server.known_heads import AGAIN, Again, MakeWrite
from ldp_server.links import asks_for_container
from ldp_server.names import read_slug
from ldp_server.negotiation import body_syntax, refuse_content_encoding
from ldp_server.paths import canonical_path, is_container
from ldp_server.preferences import read_preferences
from ldp_server.reading import read_body, refuse_part
from ldp_server.refusals import problem_of
from ldp_server.services import Done, Writing, service_for
from ldp_server.storage.port import Committed, Delete, Post, Put, Refusal, Write
from ldp_server.syntaxes import TURTLE, Syntax
from ldp_server.validators import Precondition, entity_tag
from ldp_server.wording import Told


class Writes:
    """The methods that change the resources of a site."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._drafts = Drafts(site)
        self.patches = Patches(site)

    async def put(self, request: web.Request, path: str) -> web.Response:
        """Replace or create the resource at ``path``."""
        uri = self._site.base + path
        if asks_for_container(request.headers.getall("Link", [])) and not is_container(path):
            raise Problem("LDP015", f"The URI of a container ends in a slash: PUT {uri}/ instead.")
        if (content_type := self._content_type(request, path)) is not None and not is_container(path):
            canonical_path(description_path(path))
            return await self._write_content(request, content_type, partial(Put, path))
        syntax, body = self._syntax(request), await read_body(request, self._site.settings)
        draft = await self._drafts.read(path, syntax, body)
        if (served := await self._served_write("PUT", request, path, draft)) is not None:
            return served
        precondition = precondition_of(request)
        done = await self._commit(Put(path, draft, precondition, self._site.rules))
        return self._repeatable(done, request, path, precondition, partial(self._put_again, syntax))

    def _put_again(self, syntax: Syntax, path: str, body: bytes, precondition: Precondition) -> Put | None:
        draft = self._drafts.at_once(path, syntax, body)
        return None if draft is None else Put(path, draft, precondition, self._site.rules)

    async def post(self, request: web.Request, path: str) -> web.Response:
        """Create a member of the container at ``path``."""
        if not await self._site.exists(path):
            raise await self._site.missing(path)
        if not is_container(path):
            detail = "POST creates members of containers; this is a document. PUT replaces it."
            raise Problem("LDP010", detail)
        makes_container = asks_for_container(request.headers.getall("Link", []))
        slug = read_slug(request.headers.get("Slug"))
        if (content_type := self._content_type(request, path)) is not None and not makes_container:
            return await self._write_content(request, content_type, partial(Post, path, slug=slug))
        new = NewMember(self._syntax(request), slug, makes_container)
        draft = await self._drafts.read_new(path, new, await read_body(request, self._site.settings))
        if (served := await self._served_write("POST", request, path, draft)) is not None:
            return served
        precondition = precondition_of(request)
        done = await self._commit(self._post(path, new, precondition, draft))
        return self._repeatable(done, request, path, precondition, partial(self._post_again, new))

    def _post_again(self, new: NewMember, path: str, body: bytes, precondition: Precondition) -> Post | None:
        draft = self._drafts.new_at_once(path, new, body)
        return None if draft is None else self._post(path, new, precondition, draft)

    def _post(self, container: str, new: NewMember, precondition: Precondition, draft: Draft) -> Post:
        return Post(container, draft, new.slug, new.is_container, precondition, self._site.rules)

    async def patch(self, request: web.Request, path: str) -> web.Response:
        """Change or create the resource at ``path``."""
        head = self.patches.read_head(request, path)
        done = await self.patches.patch(path, head, await self.patches.read_body(request))
        return self._repeatable(
            done, request, path, head.precondition, partial(self.patches.again, head.language)
        )

    async def delete(self, request: web.Request, path: str) -> web.Response:
        """Remove the resource at ``path``."""
        if (done := await self._served_write("DELETE", request, path, EMPTY)) is not None:
            return done
        await self._commit(Delete(path, precondition_of(request), self._site.rules))
        return web.Response(status=204, headers=self._site.headers(path, Kind.ABSENT))

    def _content_type(self, request: web.Request, path: str) -> str | None:
        return content_type_of(request) if self._site.takes_content(path) else None

    async def _write_content(
        self, request: web.Request, content_type: str, write: Callable[..., Put | Post]
    ) -> web.Response:
        """Carry out a write whose body becomes a Non-RDF source."""
        refuse_part(request)
        precondition = precondition_of(request)
        content = await read_content(request, content_type, self._site)
        done = await self._commit(write(draft=content, precondition=precondition, rules=self._site.rules))
        status, headers = self._told(done, Kind.BINARY, SHORT_NAME)
        return web.Response(status=status, headers=headers)

    async def _served_write(
        self, method: Literal["PUT", "POST", "DELETE"], request: web.Request, path: str, draft: Draft
    ) -> web.Response | None:
        """Let the service that is there, if any, carry out a write; None if it is the store's."""
        service = service_for(path, self._site.services)
        if service is None:
            return None
        preferences = read_preferences(request.headers.getall("Prefer", []))
        done = await service.write(Writing(method, path, draft, precondition_of(request), preferences))
        return None if done is None else await self._served_answer(done, path)

    async def _served_answer(self, done: Done, path: str) -> web.Response:
        headers = CIMultiDict(self._site.headers(path, await self._site.kind(path)))
        for name, value in done.headers.items():
            headers.add(name, value)
        return web.Response(status=done.status, body=done.body or None, headers=headers)

    def _syntax(self, request: web.Request) -> Syntax:
        refuse_content_encoding(request.headers.get("Content-Encoding"))
        refuse_part(request)
        return body_syntax(request.headers.get("Content-Type"), is_empty=not request.body_exists)

    async def _commit(self, write: Write) -> Committed:
        [outcome] = await self._site.store.commit([write])
        if isinstance(outcome, Refusal):
            raise problem_of(outcome, self._site.base)
        return outcome

    def _repeatable(
        self, done: Committed, request: web.Request, path: str, precondition: Precondition, write: MakeWrite
    ) -> web.Response:
        """Return the answer to a write of RDF that ``write`` makes again with another body."""
        status, headers = self._told_of_rdf(done)
        answer = web.Response(status=status, headers=headers)
        if not self._site.origins.named and service_for(path, self._site.services) is None:
            answer[AGAIN] = Again(write, self._told_of_rdf, path, precondition)
        return answer

    def _told_of_rdf(self, done: Committed) -> Told:
        return self._told(done, Kind.DESCRIPTION if done.describes else kind_of_rdf(done.path), TURTLE.short)

    def _told(self, done: Committed, kind: Kind, short: str) -> Told:
        """Return the status and the headers of the answer to a write that is done."""
        headers = self._site.headers(done.path, kind)
        view = self._site.document_view if kind in {Kind.DOCUMENT, Kind.DESCRIPTION} else "whole"
        headers["ETag"] = entity_tag(done.version, short, view)
        if done.created:
            headers["Location"] = self._site.base + done.path
        return 201 if done.created else 204, headers
