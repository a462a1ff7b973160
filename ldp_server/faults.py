"""What the server refuses, and why: one table of codes, two ways to raise.

A ``Problem`` is an answer to one request: it becomes an ``application/problem+json`` body (RFC 9457).
A ``ServerError`` stops the server from starting: it goes to whoever started it.
"""

import json
from collections.abc import Mapping
from http import HTTPStatus

from msgspec import Struct


class Fault(Struct, frozen=True):
    """One row of the table: the status of the answer (0: no answer, the server did not start) and a title."""

    status: int
    title: str


FAULTS: dict[str, Fault] = {
    "LDP001": Fault(400, "malformed RDF"),
    "LDP002": Fault(400, "unusable path"),
    "LDP003": Fault(400, "missing Content-Type"),
    "LDP004": Fault(400, "malformed request"),
    "LDP005": Fault(415, "unsupported media type"),
    "LDP006": Fault(413, "body too large"),
    "LDP007": Fault(413, "document too complex"),
    "LDP008": Fault(406, "no acceptable representation"),
    "LDP009": Fault(404, "no such resource"),
    "LDP010": Fault(405, "method not allowed"),
    "LDP011": Fault(412, "precondition failed"),
    "LDP012": Fault(409, "container not empty"),
    "LDP013": Fault(409, "name taken by the other kind"),
    "LDP014": Fault(409, "containment is kept by the server"),
    "LDP015": Fault(409, "interaction model not offered"),
    "LDP016": Fault(403, "reserved path"),
    "LDP017": Fault(503, "server busy"),
    "LDP018": Fault(421, "another server's address"),
    "LDP019": Fault(408, "request took too long"),
    "LDP020": Fault(500, "a fault in the server"),
    "LDP021": Fault(500, "storage failed"),
    "LDP022": Fault(431, "request header too large"),
    "LDP040": Fault(410, "deleted for good"),
    "LDP041": Fault(428, "precondition required"),
    "LDP042": Fault(409, "read-only property"),
    "LDP043": Fault(403, "page of another site"),
    "LDP050": Fault(409, "resource of the other kind"),
    "LDP051": Fault(416, "range not satisfiable"),
    "LDP060": Fault(400, "unusable question about changes"),
    "LDP061": Fault(410, "history gone"),
    "LDP062": Fault(413, "view too large"),
    "LDP063": Fault(429, "too many streams"),
    "LDP070": Fault(400, "malformed patch"),
    "LDP071": Fault(422, "patch of another form"),
    "LDP072": Fault(409, "patch does not fit"),
    "LDP073": Fault(413, "patch too complex"),
    "LDP074": Fault(503, "resource changes too fast"),
    "LDP080": Fault(401, "token needed"),
    "LDP081": Fault(0, "unusable tokens"),
    "LDP030": Fault(0, "data folder in use"),
    "LDP031": Fault(0, "not a data folder of this server"),
    "LDP032": Fault(0, "data of another base URL"),
    "LDP033": Fault(0, "open to the network"),
    "LDP034": Fault(0, "address not available"),
    "LDP035": Fault(0, "unusable base URL"),
}


class Problem(Exception):  # noqa: N818 -- the word of RFC 9457
    """The answer to a request that cannot be fulfilled.

    ``code`` is a key of ``FAULTS``, or one of a service's own, which then tells its ``status``; ``detail`` says what is
    wrong and what to do in one or two sentences, ``members`` are further fields of the body such as ``line`` and
    ``column``.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        members: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
        ends_connection: bool = False,
        status: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.members = dict(members or {})
        self.headers = dict(headers or {})
        self.ends_connection = ends_connection
        self._status = status

    @property
    def status(self) -> int:
        """The HTTP status of the answer."""
        return FAULTS[self.code].status if self._status is None else self._status

    def body(self) -> bytes:
        """Return the problem as JSON; ``type`` is about:blank, so ``title`` is the phrase of the status."""
        fields: dict[str, object] = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
        }
        return json.dumps(fields | self.members, ensure_ascii=True).encode() + b"\n"


class ServerError(Exception):
    """The server cannot start or open its data; ``code`` is a key of ``FAULTS``, the text says what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        """Return the code, its title and the message in one line."""
        return f"{self.code} {FAULTS[self.code].title}: {self.message}"
