"""The trace of a run: one line of JSON for each step, and its normalised form, for comparing runs.

Keys of a line and their order are fixed; see docs/reference/trace.md.
"""

import base64
import json
import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import IO, Any

from msgspec import Struct

from agent.decide.updates import Clash
from agent.rdf.serialise import term_text
from agent.runtime.report import GetReport, Ground, RequestReport, StepReport

_UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
_ELEMENT = re.compile(r"(?<=\.)[0-9a-f]{16}\b")
_INSTANT = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_MINTED = (("instant", _INSTANT), ("uuid", _UUID), ("element", _ELEMENT))
_WHOLE = {"etag": "etag", "sha256": "sha256", "body": "body"}

Line = dict[str, Any]


class TraceWriter(Struct, frozen=True):
    """Writes a line for each step to ``stream`` and flushes it; ``bodies`` keeps bodies too, for replay."""

    stream: IO[str]
    bodies: bool = False

    def write(self, number: int, report: StepReport, ms: Mapping[str, float]) -> None:
        """Write the line of step ``number``."""
        line = trace_line(number, report, ms, bodies=self.bodies)
        self.stream.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
        self.stream.flush()


def trace_line(number: int, report: StepReport, ms: Mapping[str, float], *, bodies: bool = False) -> Line:
    """Return the line of a step as a JSON object."""
    line: Line = {
        "step": number,
        "instant": report.instant,
        "freshId": report.fresh_id,
        "gets": [_get(get, bodies=bodies) for get in report.gets],
        "facts": report.facts,
        "requests": [_request(request, bodies=bodies) for request in report.requests],
        "clashes": [_clash(clash) for clash in report.clashes],
    }
    held = [one for one in report.instances if one.status in ("paused", "parked")]
    if held:
        line["held"] = [{"instance": one.uri, "status": one.status, "reason": one.reason} for one in held]
    if report.failure is not None:
        line["failure"] = {"code": report.failure.code, "message": report.failure.message}
    if report.interrupted:
        line["interrupted"] = True
    line["ms"] = dict(ms)
    return line


def normalise(lines: Iterable[Line], replacements: Mapping[str, str] | None = None) -> list[Line]:
    """Return the lines without what differs between two runs that did the same.

    ``ms`` and the ``grounds`` of requests are left out: a proof is one of several. Instants, UUIDs, names made of hashes, validators and hashes are numbered in the order of their
    first appearance, so that equal things stay equal. Requests of a step are sorted without those. ``replacements``
    are put in first, for example a free port's base URL and a fixed one.
    """
    numbering = _Numbering()
    return [
        numbering.applied(_sorted_requests({key: value for key, value in line.items() if key != "ms"}))
        for line in (_replaced(line, replacements or {}) for line in lines)
    ]


def _get(get: GetReport, *, bodies: bool) -> Line:
    line: Line = {"uri": get.uri, "status": get.status, "etag": get.etag, "sha256": get.sha256}
    if get.reason:
        line["reason"] = get.reason
    if bodies:
        line |= {"finalUri": get.final_uri, "mediaType": get.media_type, "body": _text(get.body)}
    return line


def _request(request: RequestReport, *, bodies: bool) -> Line:
    line: Line = {
        "instance": request.instances[0] if request.instances else None,
        "method": request.method,
        "uri": request.uri,
        "sha256": request.sha256,
        "rule": list(request.rules),
        "annotations": [[name, term_text(value)] for name, value in request.annotations],
        "outcome": request.outcome,
        "status": request.status,
    }
    if request.reason:
        line["reason"] = request.reason
    if request.grounds:
        line["grounds"] = [_ground(ground) for ground in request.grounds]
    if bodies:
        line |= {"headers": [list(header) for header in request.headers], "body": _text(request.body)}
    return line


def _ground(ground: Ground) -> Line:
    documents = ground.documents
    return {
        "rule": ground.rule,
        "binding": {name: term_text(value) for name, value in ground.binding},
        "documents": None if documents is None else [{"uri": uri, "etag": etag} for uri, etag in documents],
    }


def _clash(clash: Clash) -> Line:
    winner, loser = clash.winner, clash.loser
    return {
        "uri": clash.uri,
        "winner": {"method": winner.method, "rule": list(winner.rules)},
        "loser": {"method": loser.method, "rule": list(loser.rules)},
        "bothSent": clash.both_sent,
    }


def _text(body: bytes | None) -> str | Line | None:
    """Return a body as text, or as base64 where it is no UTF-8."""
    if body is None:
        return None
    try:
        return body.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(body).decode()}


def _replaced(line: Line, replacements: Mapping[str, str]) -> Line:
    text = json.dumps(line)
    for old, new in replacements.items():
        text = text.replace(json.dumps(old)[1:-1], json.dumps(new)[1:-1])
    replaced: Line = json.loads(text)
    return replaced


def _sorted_requests(line: Line) -> Line:
    def without_minted(request: Line) -> str:
        rest = {key: value for key, value in request.items() if key not in _WHOLE}
        text = json.dumps(rest, sort_keys=True)
        for _, pattern in _MINTED:
            text = pattern.sub("*", text)
        return text

    requests = [
        {key: value for key, value in request.items() if key != "grounds"}
        for request in line.get("requests", [])
    ]
    return {**line, "requests": sorted(requests, key=without_minted)}


class _Numbering:
    """Numbers things of a kind in the order of their first appearance."""

    def __init__(self) -> None:
        self._seen: dict[str, dict[str, str]] = {}

    def applied(self, value: Any, key: str = "") -> Any:  # noqa: ANN401  # JSON is of any shape
        if isinstance(value, dict):
            return {name: self.applied(part, name) for name, part in value.items()}
        if isinstance(value, list):
            return [self.applied(part) for part in value]
        if not isinstance(value, str) or not value:
            return value
        if key in _WHOLE:
            return self._numbered(_WHOLE[key], value)
        for kind, pattern in _MINTED:
            value = pattern.sub(partial(self._renamed, kind), value)
        return value

    def _renamed(self, kind: str, match: re.Match[str]) -> str:
        return self._numbered(kind, match[0])

    def _numbered(self, kind: str, value: str) -> str:
        seen = self._seen.setdefault(kind, {})
        return seen.setdefault(value, f"{kind}-{len(seen) + 1}")
