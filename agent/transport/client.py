"""HTTP requests with every bound that the open Web makes necessary.

A request ends in a ``Reply`` or in ``NoReplyError`` with a reason for people; nothing else comes out. Redirects are
followed here, hop by hop: 301, 302, 303, 307, 308 for GET, 307 and 308 for writes (RFC 9110, section 15.4); other
redirects of a write are its answer, and all are where ``max_redirects`` is 0. Credentials belong to one origin and go to no other.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self
from urllib.parse import urljoin

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from agent import __version__
from agent.messages import FIELD_NAME, FRAMING_FIELDS, Headers
from agent.rdf.terms import document_of
from agent.settings import Settings
from agent.transport.addresses import HostMap, Target, UnusableURIError
from agent.transport.bodies import BodyError, read_body
from agent.transport.policy import CheckedResolver, Policy, RefusedHostError

ACCEPT = (
    "application/n-triples, text/turtle;q=0.9, application/n-quads;q=0.8, application/trig;q=0.8, "
    "application/ld+json;q=0.7, application/rdf+xml;q=0.6, text/n3;q=0.5, application/xml;q=0.2, */*;q=0.1"
)
_GET_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_WRITE_REDIRECTS = frozenset({307, 308})
_TRAVELLING = frozenset({"accept", "content-type", "if-match", "if-none-match", "link", "prefer", "slug"})
"""Header fields that may follow a redirect to another origin."""
_LINE_END = "\n"
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


_UNSENT = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)


class NoReplyError(Exception):
    """No usable answer came; ``reason`` is for people. Unless ``was_sent`` the request certainly never left."""

    def __init__(self, reason: str, *, was_sent: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.was_sent = was_sent


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer; ``uri`` is the URI that gave it, after redirects; names of ``headers`` are in lower case."""

    uri: str
    status: int
    headers: Mapping[str, str]
    body: bytes

    def location(self) -> str:
        """Return the absolute URI of the Location field, or ""."""
        try:
            return urljoin(self.uri, self.headers["location"]) if self.headers.get("location") else ""
        except ValueError:
            return ""


class Client:
    """A session. Use it as an async context; ``policy`` may learn hosts while the session is open."""

    def __init__(self, settings: Settings, policy: Policy | None = None) -> None:
        self.settings = settings
        self._map = HostMap(settings.mapping)
        self.policy = policy or Policy(settings.allowed_hosts, self._map.target_hosts)
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        """Open the session."""
        settings = self.settings
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(resolver=CheckedResolver(self.policy), limit=0),
            timeout=aiohttp.ClientTimeout(
                total=settings.request_timeout_s, sock_connect=settings.connect_timeout_s
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            headers={"User-Agent": f"milepost/{__version__}"},
            skip_auto_headers=("Accept", "Accept-Encoding", "Content-Type"),
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the session and its connections."""
        if self._session is not None:
            await self._session.close()

    async def get(self, uri: str, headers: Headers = ()) -> Reply:
        """GET ``uri``, redirects followed, at most ``max_body_bytes`` of body; NoReplyError."""
        fields = CIMultiDict(headers)
        fields.setdefault("Accept", ACCEPT)
        return await self.request("GET", uri, tuple(fields.items()), None)

    async def request(self, method: str, uri: str, headers: Headers, body: bytes | None) -> Reply:
        """Send one request and return the answer to its last hop; NoReplyError."""
        if not FIELD_NAME.fullmatch(method):  # a method is a token too
            raise NoReplyError(f"{method!r} is no request method")
        _check_headers(headers)
        here = document_of(uri)
        followed = _GET_REDIRECTS if method == "GET" else _WRITE_REDIRECTS
        for _ in range(self.settings.max_redirects + 1):
            target = self.target(here)
            reply = await self._exchange(method, target, headers, body)
            goal = reply.location() if reply.status in followed else ""
            if not goal or not self.settings.max_redirects:
                return reply
            here = document_of(goal)
            headers = headers if _same_origin(self.target(here), target) else _without_private(headers)
        raise NoReplyError(f"more than {self.settings.max_redirects} redirects")

    def target(self, uri: str) -> Target:
        """Return where a request for ``uri`` goes; NoReplyError if none may be sent there."""
        try:
            target = self._map.target(uri)
            self.policy.check(target)
        except UnusableURIError as error:
            raise NoReplyError(str(error)) from None
        except RefusedHostError as error:
            raise NoReplyError(f"host refused by policy: {error}") from None
        return target

    async def _exchange(self, method: str, target: Target, headers: Headers, body: bytes | None) -> Reply:
        if self._session is None:
            raise NoReplyError("the session is not open")
        fields = CIMultiDict(headers)
        fields["Host"] = target.host
        fields.setdefault("Accept-Encoding", "gzip, deflate")
        for name, value in self.settings.credentials.get(target.origin, {}).items():
            fields.setdefault(name, value)
        try:
            async with self._session.request(
                method, URL(target.wire_uri, encoded=True), headers=fields, data=body, allow_redirects=False
            ) as response:
                content = await read_body(response, self.settings.max_body_bytes)
                return Reply(target.uri, response.status, _legible(response.headers), content)
        except (aiohttp.ClientError, BodyError, OSError, TimeoutError, ValueError) as error:
            raise NoReplyError(self._reason(error), was_sent=not isinstance(error, _UNSENT)) from None

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
            case aiohttp.ClientResponseError():
                return f"the answer is not HTTP: {error.message.partition(_LINE_END)[0][:100].rstrip(':')}"
            case _:
                return f"no request can be sent: {error}"


def _legible(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of an answer by lower-case name, with a question mark for each byte that is not UTF-8.

    A validator with such bytes, or with control characters, is left out: it could not be sent back.
    """
    legible = {name.lower(): value.encode("utf-8", "replace").decode() for name, value in fields.items()}
    etag = fields.get("ETag", "")
    if etag != legible.get("etag", "") or _CONTROL.search(etag):
        del legible["etag"]
    return legible


def _check_headers(headers: Headers) -> None:
    for name, value in headers:
        if not FIELD_NAME.fullmatch(name):
            raise NoReplyError(f"{name!r} is no name of a header field")
        if name.lower() in FRAMING_FIELDS:
            raise NoReplyError(f"the header field {name} cannot be set by a request")
        if _CONTROL.search(value):
            raise NoReplyError(f"the header field {name} has a control character")


def _same_origin(one: Target, other: Target) -> bool:
    return one.origin == other.origin


def _without_private(headers: Headers) -> Headers:
    return tuple((name, value) for name, value in headers if name.lower() in _TRAVELLING)
