"""Active resources: what code besides the store answers for, below one path.

The server keeps all of HTTP to itself: hosts, limits, syntaxes, entity tags, preconditions of reads, problems. A
service says what a resource is at the moment, and what a write to it does. It needs nothing but these few types, and
what it does not take is served from the store like everything else.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct, field

from ldp_server.documents import Draft
from ldp_server.preferences import NO_PREFERENCES, Preferences
from ldp_server.validators import Precondition


class Page(Struct, frozen=True):
    """What a resource says now: ``text`` is N-Triples, of a container with its ``ldp:contains``.

    ``version`` is positive and another one whenever the text is another one; entity tags are made of it.
    """

    text: bytes
    version: int


class Writing(Struct, frozen=True):
    """A write that the server has read and found well-formed.

    The name of a member that a POST makes is a gap in ``draft`` that the service fills (``Draft.named``); a DELETE
    has an empty draft.
    """

    method: Literal["PUT", "POST", "DELETE"]
    path: str
    draft: Draft
    precondition: Precondition
    preferences: Preferences = NO_PREFERENCES


class Done(Struct, frozen=True):
    """The answer to a write; ``headers`` come on top of those that the server always sends."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


class Service(Protocol):
    """Active resources below ``prefix``, a path that begins and ends with a slash.

    ``methods`` says what a resource takes, such as "GET, HEAD, OPTIONS, PUT"; None leaves that to the server, an
    empty text means that nothing is there and nothing may be. A read asks ``page``, and the store if that has none.
    A write comes to ``write``; None hands it on to the store. Both may raise ``Problem``.
    """

    @property
    def prefix(self) -> str:
        """Return the path below which the service is asked."""
        ...

    def methods(self, path: str) -> str | None:
        """Return what the resource at ``path`` takes, for the Allow header."""
        ...

    async def page(self, path: str) -> Page | None:
        """Return what the resource at ``path`` says, or None if the store knows."""
        ...

    async def write(self, writing: Writing) -> Done | None:
        """Carry out a write, or return None to let the store do it."""
        ...


def service_for(path: str, services: Sequence[Service]) -> Service | None:
    """Return the service that is asked about ``path``: the one with the longest prefix."""
    found, most = None, 0
    for service in services:
        prefix = service.prefix
        if len(prefix) > most and path.startswith(prefix):
            found, most = service, len(prefix)
    return found
