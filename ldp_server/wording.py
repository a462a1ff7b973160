"""The bytes of answers to writes: worded once, but for the number, the place and the date."""

from aiohttp.helpers import rfc822_formatted_time

from ldp_server.answers import HARDENED
from ldp_server.storage.port import Committed

Told = tuple[int, dict[str, str]]
"""The status and the headers of an answer without a body."""

_STATUS = {201: "HTTP/1.1 201 Created", 204: "HTTP/1.1 204 No Content"}


class Wording:
    """What is answered, as aiohttp sends it, to writes that differ in their numbers and paths."""

    def __init__(self, done: Committed, told: Told) -> None:
        """Learn from the answer to one such write."""
        status, headers = told
        lines = [_STATUS[status]]
        for name, value in headers.items():
            fixed = value.replace("%", "%%")
            if name == "ETag":
                fixed = fixed.replace(str(done.version), "%d", 1)
            elif name == "Location":
                fixed = fixed.removesuffix(done.path.replace("%", "%%")) + "%s"
            lines.append(f"{name}: {fixed}")
        if done.created:
            lines.append("Content-Length: 0")
        lines += ("Date: %s", *(f"{name}: {value}" for name, value in sorted(HARDENED.items())))
        self._text = "\r\n".join([*lines, "", ""])

    def of(self, done: Committed) -> bytes:
        """Return the answer to a write that is ``done``."""
        date = rfc822_formatted_time()
        values = (done.version, done.path, date) if done.created else (done.version, date)
        return (self._text % values).encode()
