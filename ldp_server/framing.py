"""Where a request ends, as far as that can be told without doubt from its first bytes (RFC 9112, section 6)."""

import re

_METHODS = tuple(f"{name} ".encode() for name in ("get", "head", "options", "put", "patch", "post", "delete"))
_FRAMING = re.compile(
    rb"\r\n(?:content-length:[ \t]*([0-9]{1,15})[ \t]*(?=\r\n(?![ \t]))|content-length|transfer-encoding|upgrade)"
)
"""Fields that say where a body ends; the length is told if it is a plain one."""


def bytes_to_come(begun: bytes) -> int | None:
    """Return how many bytes of the request that ``begun`` begins with are still to come, None if there is any doubt.

    Who gets a number may be sure that every parser of HTTP sees the same end. So a header that is not whole, that is
    worded so that parsers read it in different ways, or whose body has no plain length leaves doubt, and so does
    the beginning of another request.
    """
    end = begun.find(b"\r\n\r\n")
    if end < 0:
        return None
    head = begun[: end + 2].lower()
    if not head.startswith(_METHODS) or len(head.splitlines()) != head.count(b"\r\n"):
        return None
    fields = _FRAMING.findall(head)
    if len(fields) > 1 or fields == [b""]:
        return None
    left = end + 4 + int(fields[0] if fields else 0) - len(begun)
    return left if left >= 0 else None
