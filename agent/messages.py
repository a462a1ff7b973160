"""What the machine tells the world to do, and what the world answers: events and instructions, as bytes and strings.

The machine never waits. It returns instructions (``Get``, ``Send``), the driver carries them out and hands back
events (``Answer``, ``NoAnswer`` for a Get; ``Written``, ``NotWritten`` for a Send).
"""

import re
from typing import TypeAlias

from msgspec import Struct

Headers: TypeAlias = tuple[tuple[str, str], ...]

FIELD_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""The names that header fields may have: tokens (RFC 9110, section 5.6.2)."""

FRAMING_FIELDS = frozenset(
    {"connection", "content-length", "expect", "host", "te", "trailer", "transfer-encoding", "upgrade"}
)
"""Header fields that frame the message; no rule may set them (RFC 9110, sections 7.6.1 and 10.1.1)."""


class Get(Struct, frozen=True):
    """Retrieve the document ``uri`` (no fragment), with ``headers`` beside the usual ones."""

    uri: str
    headers: Headers = ()


class Send(Struct, frozen=True):
    """Send one unsafe request; ``id`` is unique in the step and comes back in the event.

    ``headers`` are complete but for credentials (Content-Type, If-Match, If-None-Match included).
    """

    id: int
    method: str
    uri: str
    headers: Headers
    body: bytes | None


class Answer(Struct, frozen=True):
    """The final answer to a Get, redirects followed, and a 304 already replaced by the kept representation.

    ``final_uri`` is the URI that answered (base of relative references); ``status`` the status code;
    ``media_type`` is lower-case without parameters; ``etag`` is the validator as sent, or "".
    """

    uri: str
    final_uri: str
    status: int
    media_type: str
    etag: str
    body: bytes
    unchanged: bool = False


class NoAnswer(Struct, frozen=True):
    """A Get that got no answer: refused, broken off, too large, forbidden by policy, past its deadline."""

    uri: str
    reason: str


class Written(Struct, frozen=True):
    """The answer to a Send. ``location`` is absolute or "", ``etag`` the new validator or ""."""

    id: int
    status: int
    location: str = ""
    etag: str = ""


class NotWritten(Struct, frozen=True):
    """A Send that got no answer; whether it took effect is unknown."""

    id: int
    reason: str


Instruction: TypeAlias = Get | Send
Event: TypeAlias = Answer | NoAnswer | Written | NotWritten
