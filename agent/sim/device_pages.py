"""Simulated devices as HTTP resources in RDF: one document per device and a listing of them all.

GET answers in Turtle, N-Triples or JSON-LD with a strong validator per version and syntax; PUT sets the state, from
an RDF document that says ``<#state> sosa:hasSimpleResult VALUE`` or from the bare value as text/plain. Everything
else in a PUT document is ignored: what a device is, it knows itself.
"""

import asyncio

from aiohttp import web
from pyoxigraph import RdfFormat
from pyoxigraph import serialize as ox_serialize

from agent.errors import ProgramError
from agent.rdf.convert import to_ox_triples
from agent.rdf.documents import parse_document
from agent.rdf.serialise import to_ntriples, to_turtle
from agent.rdf.terms import IRI, Literal, Triple
from agent.sim.devices import HAS_SIMPLE_RESULT, SOSA, Device, Devices
from agent.sim.faults import Fault, HalfDocument, Hang, Says, ServerError
from agent.vocab import LDP, RDFS

TURTLE = "text/turtle"
OFFERED = (TURTLE, "application/n-triples", "application/ld+json")
PREFIXES = {"sosa": SOSA, "rdfs": RDFS, "ldp": LDP}
LONGEST_BODY = 64 * 1024
NAMED_BY_RANGE = {"*/*": OFFERED, "text/*": (TURTLE,), "application/*": OFFERED[1:]}


class DevicePages:
    """The pages of ``devices`` below the path ``folder``; ``faults`` says by name which of them are out of order."""

    def __init__(self, devices: Devices, folder: str = "/devices/") -> None:
        self.devices = devices
        self.folder = folder
        self.faults: dict[str, Fault] = {}
        self._closing = asyncio.Event()

    def mount(self, app: web.Application) -> None:
        """Add the pages to ``app``; paths of their own win over any catch-all that ``app`` has."""
        app.router.add_get(self.folder, self._list)
        app.router.add_route("*", self.folder + "{name}", self._serve)
        app.on_shutdown.append(self._close)

    async def _close(self, _app: web.Application) -> None:
        self._closing.set()

    async def _list(self, request: web.Request) -> web.StreamResponse:
        here = _address(request)
        listed = [
            Triple(IRI(here), IRI(LDP + "contains"), IRI(here + device.name)) for device in self.devices
        ]
        return _document(request, listed, validator="listing")

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        device = self.devices.get(request.match_info["name"])
        if device is None:
            known = ", ".join(member.name for member in self.devices)
            return web.Response(status=404, text=f"There is no such device; there are: {known}.\n")
        state = device.state
        match self.faults.get(device.name):
            case Hang():
                await self._closing.wait()
                return web.Response(status=503)
            case ServerError(status):
                return web.Response(status=status, text=f"The {device.label} is out of order.\n")
            case HalfDocument():
                return await _break_off(request, device)
            case Says(said):
                state = said
            case None:
                pass
        if request.method in {"GET", "HEAD"}:
            triples = device.describe(_address(request), state)
            return _document(request, triples, validator=f"{device.version}-{state.lexical}")
        if request.method == "PUT":
            return await self._put(request, device)
        return web.Response(status=405, headers={"Allow": "GET, HEAD, PUT"})

    async def _put(self, request: web.Request, device: Device) -> web.Response:
        body = await request.content.read(LONGEST_BODY + 1)
        if len(body) > LONGEST_BODY:
            return web.Response(status=413, text=f"A device takes at most {LONGEST_BODY} bytes.\n")
        try:
            said = _state_in(body, request.content_type, _address(request))
        except ProgramError as error:
            return web.Response(status=400, text=f"{error.message}\n")
        state = device.domain.read(said) if said is not None else None
        if state is None:
            got = "nothing" if said is None else f'"{said}"'
            return web.Response(
                status=422,
                text=f"The {device.label} takes {device.domain} as <#state> sosa:hasSimpleResult, not {got}.\n",
            )
        validators = _validators(f"{device.version}-{device.state.lexical}")
        if not _matches(request.headers.get("If-Match"), validators):
            return web.Response(status=412, text=f"The {device.label} has changed since.\n")
        self.devices.set(device.name, state, "http")
        return web.Response(status=204)


def _address(request: web.Request) -> str:
    return str(request.url.with_query(None).with_fragment(None))


def _state_in(body: bytes, media_type: str, address: str) -> str | None:
    """Return the state that a PUT ``body`` names, or nothing; ProgramError when the body cannot be read."""
    if media_type == "text/plain":
        return body.decode("utf-8", errors="replace").strip()
    document = parse_document(body, media_type, address, strict=True)
    said = [
        triple.object.lexical
        for triple in document.triples
        if triple.subject == IRI(f"{address}#state")
        and triple.predicate == HAS_SIMPLE_RESULT
        and isinstance(triple.object, Literal)
    ]
    return said[0] if len(said) == 1 else None


def _document(request: web.Request, triples: list[Triple], *, validator: str) -> web.Response:
    media_type = _choose(request.headers.get("Accept", "*/*"))
    if media_type is None:
        return web.Response(status=406, text=f"A device speaks {', '.join(OFFERED)}.\n")
    headers = {"ETag": _validator(validator, media_type), "Vary": "Accept", "Cache-Control": "no-cache"}
    if headers["ETag"] in request.headers.get("If-None-Match", ""):
        return web.Response(status=304, headers=headers)
    return web.Response(body=_write(triples, media_type), headers=headers | {"Content-Type": media_type})


def _write(triples: list[Triple], media_type: str) -> bytes:
    if media_type == TURTLE:
        return to_turtle(triples, PREFIXES).encode()
    if media_type == "application/n-triples":
        return to_ntriples(triples).encode()
    return ox_serialize(to_ox_triples(triples), format=RdfFormat.JSON_LD) or b""


def _choose(accept: str) -> str | None:
    """Return the offered media type that the Accept field likes best, or nothing; narrower ranges win over wider."""
    ranges = [[word.strip() for word in part.split(";")] for part in accept.split(",")]
    weights = dict.fromkeys(OFFERED, 0.0)
    for name, *parameters in sorted(ranges, key=lambda words: ("/*" not in words[0], words[0] != "*/*")):
        weight = next((_weight(word[2:]) for word in parameters if word.startswith("q=")), 1.0)
        for media_type in NAMED_BY_RANGE.get(name, (name,)):
            if media_type in weights:
                weights[media_type] = weight
    best = max(OFFERED, key=lambda media_type: weights[media_type])
    return best if weights[best] > 0 else None


def _weight(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _validator(version: str, media_type: str) -> str:
    return f'"{version}-{OFFERED.index(media_type)}"'


def _validators(version: str) -> set[str]:
    return {_validator(version, media_type) for media_type in OFFERED}


def _matches(field: str | None, validators: set[str]) -> bool:
    if field is None or field.strip() == "*":
        return True
    return not validators.isdisjoint(part.strip() for part in field.split(","))


async def _break_off(request: web.Request, device: Device) -> web.StreamResponse:
    body = _write(device.describe(_address(request), device.state), TURTLE)
    response = web.StreamResponse(headers={"Content-Type": TURTLE, "Content-Length": str(len(body))})
    await response.prepare(request)
    await response.write(body[: len(body) // 2])
    if request.transport is not None:
        request.transport.close()
    return response
