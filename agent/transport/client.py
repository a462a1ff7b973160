"""HTTP requests with every bound that the open Web makes necessary.

A request ends in a ``Reply`` or in ``NoReplyError`` with a reason for people; nothing else comes out. Redirects are
followed here, hop by hop: 301, 302, 303, 307, 308 for GET, 307 and 308 for writes (RFC 9110, section 15.4); other
redirects of a write are its answer, and all are where ``max_redirects`` is 0. Credentials belong to one origin and go to no other.
"""

import re
from collections.abc import Awaitable, Mapping
from functools import lru_cache
from types import TracebackType
from typing import Self
from urllib.parse import urljoin

import aiohttp
from aiohttp.http import HttpProcessingError
from msgspec import Struct
from multidict import CIMultiDict
from yarl import URL

from agent import __version__
from agent.messages import FIELD_NAME, FRAMING_FIELDS, Headers
from agent.rdf.terms import document_of
from agent.settings import Settings
from agent.transport.addresses import HostMap, Target, UnusableURIError
from agent.transport.bodies import BodyError, read_body, short_body
from agent.transport.fields import LegibleFields
from agent.transport.plain import METHODS, PlainHost, UnreachableError, words
from agent.transport.policy import CheckedResolver, Policy, RefusedHostError
from agent.transport.timeouts import Timeouts

ACCEPT = (
    "application/n-triples, text/turtle;q=0.9, application/n-quads;q=0.8, application/trig;q=0.8, "
    "application/ld+json;q=0.7, application/rdf+xml;q=0.6, text/n3;q=0.5, application/xml;q=0.2, */*;q=0.1"
)
_OWN_FIELDS = {"User-Agent": f"milepost/{__version__}", "Accept-Encoding": "gzip, deflate"}
_GET_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_WRITE_REDIRECTS = frozenset({307, 308})
_TRAVELLING = frozenset({"accept", "content-type", "if-match", "if-none-match", "link", "prefer", "slug"})
"""Header fields that may follow a redirect to another origin."""
_LINE_END = "\n"
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_MOST_WAYS = 65_536
_MOST_FIELDS = 1_024
"""How many URIs, and how many sets of header fields, are kept in the form that is sent."""

_UNSENT = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)


class NoReplyError(Exception):
    """No usable answer came; ``reason`` is for people. Unless ``was_sent`` the request certainly never left."""

    def __init__(self, reason: str, *, was_sent: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.was_sent = was_sent


class Reply(Struct, frozen=True):
    """An answer; ``uri`` is the URI that gave it, after redirects; names of ``headers`` are in lower case."""

    uri: str
    status: int
    headers: Mapping[str, str]
    body: bytes

    def location(self) -> str:
        """Return the absolute URI of the Location field, or ""."""
        location = self.headers.get("location")
        try:
            return urljoin(self.uri, location) if location else ""
        except ValueError:
            return ""


class Client:
    """A session. Use it as an async context; ``policy`` may learn hosts while the session is open."""

    def __init__(self, settings: Settings, policy: Policy | None = None) -> None:
        self.settings = settings
        self._map = HostMap(settings.mapping)
        self.policy = policy or Policy(settings.allowed_hosts, self._map.target_hosts)
        self._session: aiohttp.ClientSession | None = None
        self._timeouts = Timeouts(settings.request_timeout_s)
        self._ways: dict[str, _Way] = {}
        self._fields: dict[tuple[Headers, str], CIMultiDict[str]] = {}
        self._words: dict[tuple[str, Headers, str], bytes | None] = {}
        self._resolver = CheckedResolver(self.policy)
        self._plain: dict[tuple[str, int], PlainHost] = {}

    async def __aenter__(self) -> Self:
        """Open the session."""
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(resolver=self._resolver, limit=0),
            # The whole of a request is timed by ourselves, with one timer for all of them (ADR 0121).
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=self.settings.connect_timeout_s),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            headers=_OWN_FIELDS,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the session and its connections."""
        self._timeouts.close()
        for host in self._plain.values():
            await host.close()
        self._plain.clear()
        self._ways.clear()
        if self._session is not None:
            await self._session.close()

    def get(self, uri: str, headers: Headers = (), validator: str = "") -> Awaitable[Reply]:
        """GET ``uri``, redirects followed, at most ``max_body_bytes`` of body; NoReplyError.

        With ``validator`` of an earlier reply the answer is 304 if nothing has changed (If-None-Match).
        """
        return self._follow("GET", uri, headers, None, validator)

    def request(self, method: str, uri: str, headers: Headers, body: bytes | None) -> Awaitable[Reply]:
        """Send one request and return the answer to its last hop; NoReplyError."""
        return self._follow(method, uri, headers, body)

    def target(self, uri: str) -> Target:
        """Return where a request for ``uri`` goes; NoReplyError if none may be sent there."""
        return self._way(uri).target

    async def _follow(
        self, method: str, uri: str, headers: Headers, body: bytes | None, validator: str = ""
    ) -> Reply:
        """Send a request, and again wherever redirects lead."""
        is_get = method == "GET"
        if is_get:
            headers = _getting(headers)
        else:
            if not FIELD_NAME.fullmatch(method):  # a method is a token too
                raise NoReplyError(f"{method!r} is no request method")
            _check_headers(headers)
        followed = _GET_REDIRECTS if is_get else _WRITE_REDIRECTS
        way = self._way(document_of(uri))
        for _ in range(self.settings.max_redirects + 1):
            reply = await self._exchange(method, way, headers, body, validator)
            goal = reply.location() if reply.status in followed else ""
            if not goal or not self.settings.max_redirects:
                return reply
            origin = way.target.origin
            way = self._way(document_of(goal))
            headers = headers if way.target.origin == origin else _without_private(headers)
        raise NoReplyError(f"more than {self.settings.max_redirects} redirects")

    def _way(self, uri: str) -> "_Way":
        """Return the way to ``uri``. What the policy has let through once it lets through for ever."""
        way = self._ways.get(uri)
        if way is not None:
            return way
        try:
            target = self._map.target(uri)
            self.policy.check(target)
        except UnusableURIError as error:
            raise NoReplyError(str(error)) from None
        except RefusedHostError as error:
            raise NoReplyError(f"host refused by policy: {error}") from None
        if len(self._ways) >= _MOST_WAYS:
            self._ways.clear()
        url = URL(target.wire_uri, encoded=True)
        way = self._ways[uri] = _Way(target, url, self._plain_host(url))
        return way

    def _plain_host(self, url: URL) -> PlainHost | None:
        if url.scheme != "http" or not url.host or url.port is None or self._session is None:
            return None
        key = (url.host, url.port)
        host = self._plain.get(key)
        if host is None:
            host = self._plain[key] = PlainHost(*key, self._resolver, self.settings.connect_timeout_s)
        return host

    def _asked_for(self, headers: Headers, way: "_Way", validator: str) -> CIMultiDict[str]:
        """Return the header fields of a GET; but for the validator they are the same in every step."""
        key = (headers, way.target.origin)
        fields = self._fields.get(key)
        if fields is None:
            if len(self._fields) >= _MOST_FIELDS:
                self._fields.clear()
            fields = self._fields[key] = self._worded(headers, way.target)
        if validator:
            fields = fields.copy()
            fields.add("If-None-Match", validator)
        return fields

    def _worded(self, headers: Headers, target: Target) -> CIMultiDict[str]:
        """Return the header fields of a request: what it brings, the credentials of the origin, and our own."""
        fields = CIMultiDict(headers)
        if target.is_mapped:
            fields["Host"] = target.host
        for name, value in self.settings.credentials.get(target.origin, {}).items():
            fields.setdefault(name, value)
        return fields

    async def _exchange(
        self, method: str, way: "_Way", headers: Headers, body: bytes | None, validator: str
    ) -> Reply:
        if self._session is None:
            raise NoReplyError("the session is not open")
        try:
            with self._timeouts.one():
                if way.plain is not None and way.plain.is_usual and method in METHODS:
                    message = self._message(method, way, headers, body, validator)
                    if message is not None:
                        answer = await way.plain.exchange(method, message, self.settings.max_body_bytes)
                        if answer is not None:
                            head, content = answer
                            return Reply(way.target.uri, head.code, LegibleFields(head.headers), content)
                if method == "GET":
                    fields = self._asked_for(headers, way, validator)
                else:
                    fields = self._worded(headers, way.target)
                return await self._by_session(self._session, method, way, fields, body)
        except UnreachableError as error:
            raise NoReplyError(str(error)) from None
        except (
            aiohttp.ClientError,
            HttpProcessingError,
            BodyError,
            OSError,
            TimeoutError,
            ValueError,
        ) as error:
            raise NoReplyError(self._reason(error), was_sent=not isinstance(error, _UNSENT)) from None

    def _message(
        self, method: str, way: "_Way", headers: Headers, body: bytes | None, validator: str
    ) -> bytes | None:
        """Return a request as it is sent over plain http, or None if that is left to aiohttp."""
        key = (method, headers, way.target.origin)
        if key not in self._words:
            if len(self._words) >= _MOST_FIELDS:
                self._words.clear()
            self._words[key] = words(way.url, self._worded(headers, way.target), _OWN_FIELDS)
        own = self._words[key]
        if own is None or _CONTROL.search(validator):
            return None
        worded = b"%b %b HTTP/1.1\r\n%b" % (method.encode(), way.url.raw_path_qs.encode(), own)
        if body is not None:
            return b"%bContent-Length: %d\r\n\r\n%b" % (worded, len(body), body)
        if method != "GET":
            return worded + b"Content-Length: 0\r\n\r\n"
        if validator:
            return b"%bIf-None-Match: %b\r\n\r\n" % (worded, validator.encode())
        return worded + b"\r\n"

    async def _by_session(
        self,
        session: aiohttp.ClientSession,
        method: str,
        way: "_Way",
        fields: CIMultiDict[str],
        body: bytes | None,
    ) -> Reply:
        # aiohttp would say that a body is an octet stream.
        skipped = None if body is None or "Content-Type" in fields else ("Content-Type",)
        response = await session.request(
            method, way.url, headers=fields, data=body, allow_redirects=False, skip_auto_headers=skipped
        )
        try:
            content = short_body(response, self.settings.max_body_bytes)
            if content is None:
                content = await read_body(response, self.settings.max_body_bytes)
        finally:
            if not response.closed:
                response.release()
        return Reply(way.target.uri, response.status, LegibleFields(response.headers), content)

    def _reason(self, error: Exception) -> str:
        match error:
            case BodyError():
                return str(error)
            case aiohttp.ConnectionTimeoutError():
                return f"no connection within {self.settings.connect_timeout_s:g} s"
            case TimeoutError():
                return f"no answer within {self.settings.request_timeout_s:g} s"
            case aiohttp.ClientConnectorError(os_error=RefusedHostError() as refusal):
                return f"host refused by policy: {refusal}"
            case aiohttp.ClientConnectorDNSError():
                return f"unknown host {error.host}"
            case aiohttp.ClientConnectorCertificateError() | aiohttp.ClientConnectorSSLError():
                return f"no secure connection: {error}"
            case aiohttp.ClientConnectorError():
                return (
                    "connection refused"
                    if isinstance(error.os_error, ConnectionRefusedError)
                    else f"no connection: {error.strerror}"
                )
            case aiohttp.ClientPayloadError():
                return "the answer broke off"
            case aiohttp.ServerDisconnectedError() | ConnectionResetError() | aiohttp.ClientOSError():
                return "the server closed the connection without an answer"
            case aiohttp.ClientResponseError() | HttpProcessingError():
                return f"the answer is not HTTP: {error.message.partition(_LINE_END)[0][:100].rstrip(':')}"
            case _:
                return f"no request can be sent: {error}"


class _Way(Struct, frozen=True):
    """Where a request goes, its URL in the form that aiohttp takes, and the connections that are kept, if any."""

    target: Target
    url: URL
    plain: PlainHost | None


@lru_cache(maxsize=1024)
def _getting(headers: Headers) -> Headers:
    """Return the header fields of a GET that brings ``headers``; NoReplyError if they cannot be sent."""
    _check_headers(headers)
    fields = CIMultiDict(headers)
    fields.setdefault("Accept", ACCEPT)
    return tuple(fields.items())


def _check_headers(headers: Headers) -> None:
    for name, value in headers:
        fault = _fault_of_name(name)
        if fault:
            raise NoReplyError(fault)
        if _CONTROL.search(value):
            raise NoReplyError(f"the header field {name} has a control character")


@lru_cache(maxsize=1_024)
def _fault_of_name(name: str) -> str:
    if not FIELD_NAME.fullmatch(name):
        return f"{name!r} is no name of a header field"
    if name.lower() in FRAMING_FIELDS:
        return f"the header field {name} cannot be set by a request"
    return ""


def _without_private(headers: Headers) -> Headers:
    return tuple((name, value) for name, value in headers if name.lower() in _TRAVELLING)
