"""What clients ask in the benchmark: one operation, many requests."""

from collections.abc import Callable

from msgspec import Struct

TURTLE = "text/turtle"
DOCUMENT = "/bench/doc"
FOLDERS = {100: "/bench/hundred/", 1000: "/bench/thousand/"}
NEW = "/bench/new/"
PATCHED = 64
"""How many documents are patched in turns, so that requests at the same time do not meet on one."""


class Site(Struct, frozen=True):
    """Where requests go: the host with its port, and the entity tags that are known, by path."""

    authority: str
    tags: dict[str, str]


class Operation(Struct, frozen=True):
    """Requests of one kind: ``request`` makes the one of a number; any answer but ``expected`` is a failure.

    An ``expected`` of one digit is a class of statuses, such as 2 for 200 to 299. ``held`` is a path whose entity tag
    the client knows. ``is_patch`` tells that not all servers have it.
    """

    name: str
    expected: int
    request: Callable[[Site, int], bytes]
    connections: int = 8
    held: str = ""
    is_patch: bool = False

    def is_answered_by(self, status: int) -> bool:
        """Tell whether ``status`` is one that is expected."""
        return self.expected in {status, status // 100}


def request(
    site: Site, method: str, path: str, body: str = "", *, kind: str = TURTLE, headers: str = ""
) -> bytes:
    """Return the bytes of a request; ``headers`` are whole lines, each with its end."""
    sent = body.encode()
    about = (
        f"Content-Type: {kind}\r\nContent-Length: {len(sent)}\r\n" if method not in {"GET", "DELETE"} else ""
    )
    head = f"{method} {path} HTTP/1.1\r\nHost: {site.authority}\r\nAccept: {TURTLE}\r\n{headers}{about}\r\n"
    return head.encode() + sent


def reading(number: int) -> str:
    """Return what a sensor says, about 480 bytes of Turtle; ``number`` is its value."""
    return f"""\
@prefix sosa: <http://www.w3.org/ns/sosa/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<#it> a sosa:Observation ;
  rdfs:label "temperature of the room" ;
  sosa:madeBySensor <#sensor> ;
  sosa:hasFeatureOfInterest <#room> ;
  sosa:resultTime "2026-01-01T00:00:00Z"^^xsd:dateTime ;
  sosa:hasSimpleResult {number} .
<#sensor> a sosa:Sensor ; sosa:observes <#temperature> ; sosa:isHostedBy <#room> .
"""


def _get(site: Site, path: str) -> bytes:
    return request(site, "GET", path)


def _held(site: Site, path: str) -> bytes:
    return request(site, "GET", path, headers=f"If-None-Match: {site.tags[path]}\r\n")


def _another(site: Site, number: int) -> bytes:
    """Return a request for one of a thousand documents in turns, of whose state the client knows an old tag."""
    old = f'If-None-Match: "{number + 1}-ttl"\r\n'
    return request(site, "GET", f"{FOLDERS[1000]}m{number % 1000}", headers=old)


def _post(site: Site, number: int) -> bytes:
    return request(site, "POST", NEW, reading(number))


def _create(site: Site, number: int) -> bytes:
    return request(site, "PUT", f"{NEW}n{number}", reading(number))


def patched(number: int) -> str:
    """Return the path of the document that the patch with this number changes."""
    return f"{DOCUMENT}-{number % PATCHED}"


def _n3_patch(site: Site, number: int) -> bytes:
    body = f"""\
@prefix solid: <http://www.w3.org/ns/solid/terms#> .
@prefix sosa: <http://www.w3.org/ns/sosa/> .
_:change a solid:InsertDeletePatch ;
  solid:where {{ ?it sosa:hasSimpleResult ?before }} ;
  solid:deletes {{ ?it sosa:hasSimpleResult ?before }} ;
  solid:inserts {{ ?it sosa:hasSimpleResult {number} }} .
"""
    return request(site, "PATCH", patched(number), body, kind="text/n3")


def _sparql_patch(site: Site, number: int) -> bytes:
    body = f"""\
PREFIX sosa: <http://www.w3.org/ns/sosa/>
DELETE {{ ?it sosa:hasSimpleResult ?before }} INSERT {{ ?it sosa:hasSimpleResult {number} }}
WHERE {{ ?it sosa:hasSimpleResult ?before }}
"""
    return request(site, "PATCH", patched(number), body, kind="application/sparql-update")


def _listing_after_a_change(site: Site, number: int) -> bytes:
    """Return one of four requests in turns: a member is made, the listing read, the member removed, the listing read."""
    turn, is_read = divmod(number, 2)
    if is_read:
        return _get(site, FOLDERS[1000])
    path = FOLDERS[1000] + "extra"
    return request(site, "DELETE", path) if turn % 2 else request(site, "PUT", path, reading(turn))


OPERATIONS = (
    Operation("GET", 200, lambda site, _: _get(site, DOCUMENT)),
    Operation("GET, not modified", 304, lambda site, _: _held(site, DOCUMENT), held=DOCUMENT),
    Operation("GET of one of 1,000", 200, _another),
    Operation("listing of 100", 200, lambda site, _: _get(site, FOLDERS[100])),
    Operation("listing of 1,000", 200, lambda site, _: _get(site, FOLDERS[1000])),
    Operation("listing, not modified", 304, lambda site, _: _held(site, FOLDERS[1000]), held=FOLDERS[1000]),
    Operation("PUT", 2, lambda site, number: request(site, "PUT", DOCUMENT, reading(number))),
    Operation("PUT of a new one", 2, _create),
    Operation("PUT of a new one, 64 at once", 2, _create, connections=64),
    Operation("POST", 201, _post),
    Operation("PATCH text/n3", 2, _n3_patch, is_patch=True),
    Operation("PATCH sparql-update", 2, _sparql_patch, is_patch=True),
    Operation("change, then listing", 2, _listing_after_a_change, connections=1),
)
