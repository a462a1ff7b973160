"""A stand-in for the session of aiohttp that answers at once, so that what is measured is the work of the agent alone."""

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any

from multidict import CIMultiDict, CIMultiDictProxy


class Body:
    """A body that has come together with the head."""

    def __init__(self, body: bytes) -> None:
        self.total_bytes = len(body)
        self._body = body

    def is_eof(self) -> bool:
        """Tell that there is no more to come."""
        return True

    def read_nowait(self) -> bytes:
        """Return the body."""
        return self._body


class Response:
    """What the agent looks at of a response."""

    closed = True

    def __init__(self, status: int, body: bytes) -> None:
        fields = {"Content-Type": "text/turtle", "ETag": '"1"', "Date": "Sat, 01 Jan 2000 00:00:00 GMT"}
        self.status = status
        self.headers = CIMultiDictProxy(CIMultiDict(fields))
        self.content = Body(body)


class StandIn:
    """Answers GET with 200 or, if there is a validator, 304, and everything else with 204, in the next turn of the loop."""

    def __init__(self, body: bytes) -> None:
        self._full = Response(200, body)
        self._confirmed = Response(304, b"")
        self._written = Response(204, b"")

    def request(
        self, method: str, _url: object, *, headers: Mapping[str, str], **_options: object
    ) -> Coroutine[Any, Any, Response]:
        """Answer a request."""
        if method != "GET":
            return self._later(self._written)
        return self._later(self._confirmed if "If-None-Match" in headers else self._full)

    async def close(self) -> None:
        """Have nothing to close."""

    async def _later(self, response: Response) -> Response:
        await asyncio.sleep(0)
        return response
