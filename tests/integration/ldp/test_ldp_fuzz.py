"""Requests made by chance from what servers read: no fault, no hang, nothing half-written.

Each is sent to a server in a process of its own. Afterwards its state is compared: an answer that is no success has
changed nothing, and what a success has written can be read in every syntax and says the same in each.
"""

import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import CanonicalizationAlgorithm, Dataset, RdfFormat, parse

from tests.support.depth import DEEP, depth
from tests.support.ldp import LdpProcess, ldp_process
from tests.support.ldp_raw import CONTINUE, check_harmless, exchange, request, status

LDP = "http://www.w3.org/ns/ldp#"
SOLID = b"@prefix s: <http://www.w3.org/ns/solid/terms#> . _:p a s:InsertDeletePatch ; "
XML = b'<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:p="http://p/">'
SYNTAXES = ("text/turtle", "application/ld+json", "application/n-triples", "application/rdf+xml")

FURNITURE = (
    (b"/c/x", b"text/turtle", b"<> <http://p/> 1 , [ <http://q/> 2 ] ."),
    (b"/c/p", b"image/png", b"\x89PNG"),
    (b"/c/box/", b"text/turtle", b"<> <http://p/> 1 ."),
)


@dataclass(frozen=True, slots=True)
class Prey:
    """The server that is tried, with a few resources to begin with."""

    process: LdpProcess

    @property
    def port(self) -> int:
        return self.process.port

    def ask(self, method: str, target: bytes, headers: bytes = b"", body: bytes = b"") -> bytes:
        return exchange(self.port, request(self.port, method, target, headers, body))

    def state(self) -> bytes:
        """Return the number of the last commit that changed anything; asked for in a new connection, so the server lives."""
        answer = self.ask("HEAD", b"/")
        found = re.search(rb"\?since=([0-9]+)", answer)
        assert found is not None, answer
        return found[1]

    def furnish(self) -> None:
        for target, kind, body in FURNITURE:
            assert status(self.ask("PUT", target, b"Content-Type: %s\r\n" % kind, body)) in {201, 204}

    def written_since(self, before: bytes) -> int:
        """Return how many commits came after ``before``, when all that is under way is done: what is written now comes after it."""
        self.furnish()
        return int(self.state()) - int(before) - len(FURNITURE)

    def check(self, target: bytes) -> None:
        """Assert that what is at ``target`` can be read, and that every syntax says the same."""
        graphs = []
        check_harmless(self.ask("GET", target, b"Accept: text/html\r\n"))
        for syntax in SYNTAXES:
            answer = self.ask("GET", target, b"Accept: %s\r\n" % syntax.encode())
            check_harmless(answer)
            head, _, body = answer.partition(b"\r\n\r\n")
            form = RdfFormat.from_media_type(syntax)
            assert form is not None
            if status(answer) == 200 and b"Content-Type: %s\r\n" % syntax.encode() in head + b"\r\n":
                dataset = Dataset(parse(body, form, base_iri="http://base-was-needed/"))
                dataset.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
                graphs.append(dataset)
        assert all(graph == graphs[0] for graph in graphs), target

    def check_listings(self) -> None:
        pending = [b"/"]
        while pending:
            container = pending.pop()
            answer = self.ask("GET", container, b"Accept: application/n-triples\r\n")
            assert status(answer) == 200, container
            for member in re.findall(rb"#contains> <http://[^/]*([^>]*)>", answer):
                assert status(self.ask("GET", member)) == 200, member
                pending += [member] if member.endswith(b"/") else []


@pytest.fixture(scope="module", params=["memory", "sqlite"] if DEEP else ["sqlite"])
def prey(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prey]:
    folder: Path | str = ":memory:" if request.param == "memory" else tmp_path_factory.mktemp("ldp") / "data"
    with ldp_process(folder) as process:
        started = Prey(process)
        started.furnish()
        yield started
        started.check_listings()
        assert process.process.poll() is None


def some(*choices: bytes) -> st.SearchStrategy[bytes]:
    return st.sampled_from(choices)


@st.composite
def bent(draw: st.DrawFn, seeds: st.SearchStrategy[bytes], pieces: st.SearchStrategy[bytes]) -> bytes:
    """Return a seed, mostly with a few cuts, repetitions and strange pieces in it."""
    text = draw(seeds)
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 12)))
        middle = draw(st.one_of(st.just(b""), pieces, st.just(text[start:end] * 2), st.binary(max_size=3)))
        text = text[:start] + middle + text[end:]
    return text


TURTLE_PIECES = some(
    b"<>", b"<#a>", b"<http://p/>", b"a", b"_:b", b"[", b"]", b"(", b")", b" ; ", b" , ", b" . ", b"1", b"-1.0e9",
    b'"x"', b"'''", b'"\\u0001"', b'"\\uD800"', b"@en", b"^^", b"<<", b">>", b"<urn:x>", b"<%>", b"<\\u0020>", b"true",
    b"@prefix p: <http://p#> . ", b"@base <x/> . ", b"{", b"}", b"=>", b"?v", b"#", b"\n", b"\0", b"\xff", b"\xe2\x98\x83",
    b"<http://www.w3.org/ns/ldp#contains>", b"<..>", b"BASE <http://e/>", b"{| <a> <b> |}", b"~", b"!", b"^", b"<-", b"@",
)  # fmt: skip
TURTLE = bent(
    some(
        b"",
        b"<> <http://p/> 1 .",
        b"<> <http://p/> 'x'@en , \"y\"^^<http://t> , [ a <#c> ; <http://q#r> ( 1 2 ) ] .",
        b"_:a <http://p/> _:b . _:b <http://p/> _:a .",
        b"@prefix p: <http://p#> . p:a p:b p:c ; p:d <../x>, <?q>, <//h/y> .",
        b"<> <http://www.w3.org/ns/ldp#contains> <x> .",
    ),
    TURTLE_PIECES,
)
JSON_LD = bent(
    some(
        b"{}",
        b"[]",
        b'{"@id": "", "http://p/": [1, 1.5, true, null, "x", {"@id": "#a"}, {"@list": [1, {"@value": "y"}]}]}',
        b'{"@context": {"@vocab": "http://v/", "p": {"@type": "@id"}}, "p": "x", "@type": "T", "@graph": [{"q": 1}]}',
        b'{"@context": {"@base": "http://b/", "a": "http://a/", "b": {"@reverse": "a:r"}}, "b": {"a:x": {}}}',
        b'{"http://p/": {"@value": {"a": 1}, "@type": "@json"}}',
        b'{"http://p/": {"@value": "x", "@language": "en", "@direction": "ltr"}}',
    ),
    some(
        b'"', b"{", b"}", b"[", b"]", b",", b":", b"null", b"1e400", b"-0", b"1" * 40, b'"@id"', b'"@type"', b'"@graph"',
        b'"@context"', b'"@included"', b'"@nest"', b'"@index"', b'"@set"', b'"@none"', b"\\ud800", b"\\u0000", b"\\", b"_:b",
        b"NaN", b'"@container":"@language"', b'"@protected":true', b'"@propagate":false', b'"@version":1.1', b"\xff",
    ),
)  # fmt: skip
RDF_XML = bent(
    some(
        XML + b'<r:Description r:about=""><p:q r:resource="x"/></r:Description></r:RDF>',
        XML + b'<p:T r:ID="a" p:q="v"><p:l r:parseType="Collection"><p:U/></p:l></p:T></r:RDF>',
        XML + b'<p:T r:nodeID="n"><p:m r:parseType="Literal"><b>x</b></p:m><p:k xml:lang="en">y</p:k></p:T></r:RDF>',
        XML + b'<r:Description><r:li>1</r:li><p:q r:datatype="http://t">2</p:q></r:Description></r:RDF>',
    ),
    some(
        b"<", b">", b"/>", b"</r:RDF>", b"<p:q>", b"&amp;", b"&x;", b"&#0;", b"&#xD800;", b"<!--", b"-->", b"<![CDATA[", b"]]>",
        b"<?x y?>", b"<!DOCTYPE r []>", b' r:about="%"', b' xml:base="http://e/"', b' xmlns:r="x"', b' r:ID="a"', b' r:bagID="x"',
        b' r:parseType="Resource"', b"\x01", b"\xff", b'<?xml version="1.0" encoding="utf-16"?>', b' r:annotation="x"',
    ),
)  # fmt: skip
N3_PATCH = bent(
    some(
        SOLID + b"s:inserts { <> <http://p/> 2 } .",
        SOLID
        + b"s:where { ?a <http://p/> ?b } ; s:deletes { ?a <http://p/> ?b } ; s:inserts { ?a <http://q/> ?b, [] } .",
        SOLID + b"s:deletes { <> <http://p/> 1 } .",
        SOLID + b"s:patches <> ; s:inserts { <a> <b> ( 1 ?x ) } .",
        b"{ ?x a ?y } => { ?y a ?x } .",
    ),
    TURTLE_PIECES,
)
SPARQL = bent(
    some(
        b"INSERT DATA { <> <http://p/> 2 }",
        b"DELETE DATA { <> <http://p/> 1 } ; INSERT DATA { <#a> a <#b> }",
        b"DELETE { ?a <http://p/> ?b } INSERT { ?a <http://q/> [ <http://p/> ?b ] } WHERE { ?a <http://p/> ?b }",
        b"DELETE WHERE { ?a ?p ?o }",
        b"INSERT { ?a <http://n/> ?n } WHERE { SELECT ?a (COUNT(*) AS ?n) { ?a ?p ?o } GROUP BY ?a }",
        b"PREFIX p: <http://p#> INSERT { ?a p:x ?c } WHERE { ?a (p:y|!p:z)* ?b OPTIONAL { ?b ?q ?c } FILTER(?c > 1) }",
        b"CLEAR ALL",
    ),
    st.one_of(
        TURTLE_PIECES,
        some(
            b"WHERE", b"INSERT", b"DELETE", b"DATA", b"GRAPH <g>", b"SERVICE <http://127.0.0.1:1/>", b"LOAD <x>", b"UNION",
            b"FILTER(", b"BIND(1 AS ?x)", b"VALUES ?x { 1 UNDEF }", b"USING <g>", b"WITH <g>", b"/", b"|", b"+", b"MINUS", b"EXISTS",
        ),
    ),
)  # fmt: skip
MULTIPART = bent(
    some(
        b'--b\r\nContent-Disposition: form-data; name="f"; filename="../x"\r\nContent-Type: text/turtle\r\n\r\nx\r\n--b--\r\n',
        b"--b\r\n\r\n--b--",
        b"a=1&b=%00",
    ),
    some(b"--b", b"--b--", b"\r\n", b"\r\n\r\n", b"--", b'filename="', b"Content-Length: 9\r\n"),
)
BODIES = st.one_of(
    st.tuples(some(b"text/turtle", b"application/n-triples", b"TEXT/TURTLE;charset=utf-8"), TURTLE),
    st.tuples(some(b"application/ld+json", b"application/json"), JSON_LD),
    st.tuples(some(b"application/rdf+xml", b"application/xml"), RDF_XML),
    st.tuples(some(b"text/n3"), N3_PATCH),
    st.tuples(some(b"application/sparql-update"), SPARQL),
    st.tuples(
        some(b"multipart/form-data; boundary=b", b"multipart/mixed", b"multipart/form-data; boundary="),
        MULTIPART,
    ),
    st.tuples(
        some(b"image/png", b"text/html", b"a/b;c", b"", b"text", b"*/*", b"text/turtle;charset=utf-16"),
        TURTLE,
    ),
)
PATCHES = st.one_of(
    st.tuples(some(b"text/n3"), N3_PATCH), st.tuples(some(b"application/sparql-update"), SPARQL)
)
WRITES = st.one_of(
    st.tuples(some(b"PUT", b"POST"), BODIES), st.tuples(some(b"PATCH"), st.one_of(PATCHES, PATCHES, BODIES))
)
PLACES = some(
    b"/", b"/c/", b"/c/x", b"/c/p", b"/c/p.meta", b"/c/box/", b"/new", b"/c/new/", b"/c/n.meta", b"/a/b/c"
)
PATHS = bent(
    PLACES,
    some(b"%2F", b"%2e", b"..", b"//", b"%00", b"%", b"%zz", b"%C3%A9", b"\xc3\xa9", b"\xff", b"\\", b"#", b";", b":", b"%5C", b"%3F", b"@", b"~", b".meta", b"x" * 300),
).map(lambda path: b"/" + path.translate(None, b" \t\r\n\0").lstrip(b"/"))  # fmt: skip


@settings(max_examples=depth(100, 20_000))
@given(write=WRITES, target=PLACES)
def test_any_body_is_taken_whole_or_not_at_all(
    prey: Prey, write: tuple[bytes, tuple[bytes, bytes]], target: bytes
) -> None:
    method, (media_type, body) = write
    before = prey.state()
    answer = prey.ask(method.decode(), target, b"Content-Type: " + media_type + b"\r\n", body)
    check_harmless(answer)
    if status(answer) >= 300:
        assert prey.state() == before, (method, target, media_type, body)
        return
    found = re.search(rb"\r\nLocation: http://[^/]*([^\r]*)", answer)
    place = found[1] if found else target
    prey.check(place)
    if place != target or place.rstrip(b"/") in {b"/new", b"/c/new", b"/c/n.meta", b"/a/b/c"}:
        assert status(prey.ask("DELETE", place)) in {204, 404, 405, 409}


FIELDS: dict[bytes, st.SearchStrategy[bytes]] = {
    b"Prefer": bent(
        some(
            f'return=representation; include="{LDP}PreferMinimalContainer"'.encode(),
            f'return=representation; omit="{LDP}PreferContainment {LDP}PreferMembership"'.encode(),
            b"respond-async, wait=10, return=minimal; foo=\"bar",
        ),
        some(b'"', b";", b",", b"=", b"\\", b"wait=99999999999", b" ", b"\t"),
    ),
    b"Link": bent(
        some(
            f'<{LDP}BasicContainer>; rel="type"'.encode(),
            f'<{LDP}NonRDFSource>; rel="type", <{LDP}Resource>; rel=type'.encode(),
            f'<{LDP}DirectContainer>; rel="type"'.encode(),
            b'<x>; rel="acl"; title*=UTF-8\'\'%e2; anchor="#a',
        ),
        some(b"<", b">", b";", b",", b'"', b"rel=", b"=", b" ", b"\\"),
    ),
    b"If-Match": bent(some(b'"1-ttl"', b"*", b'W/"1-ttl", "2-ld"', b'"99999999999999999999-ttl"'), some(b'"', b",", b"W/", b"*", b"-", b"\xff")),
    b"If-None-Match": bent(some(b'"1-ttl"', b"*", b'W/"1-bin"', b"1-ttl"), some(b'"', b",", b"W/", b"*", b" ")),
    b"If-Range": bent(some(b'"1-bin"', b'W/"x"', b"Sat, 28 Nov 2026 00:00:00 GMT"), some(b'"', b",")),
    b"Range": bent(some(b"bytes=0-1", b"bytes=-1", b"bytes=1-", b"bytes=0-0,2-3", b"items=0-1", b"bytes=9-1"), some(b"-", b"=", b",", b"9" * 30, b" ")),
    b"Accept": bent(
        some(b"text/turtle", b"application/ld+json;q=0.5, */*;q=0.1", b"text/html,application/xhtml+xml;q=0.9", b"image/*", b"text/event-stream"),
        some(b"/", b"*", b";", b"q=", b",", b"1.0000", b"=", b'"', b"\xff"),
    ),
    b"Origin": bent(some(b"http://evil.example", b"null", b"http://127.0.0.1"), some(b":", b"/", b" ", b"\xff", b",")),
    b"Access-Control-Request-Method": some(b"PUT", b"", b"\xff", b"GET, PUT"),
    b"Host": bent(some(b"127.0.0.1", b"[::1]", b"localhost:80", b"evil.example"), some(b":", b"[", b"]", b"@", b"/", b" ", b"\xff", b"0")),
    b"Slug": bent(some(b"name", b"a/b", b"%2e%2e%2f", b"x.meta", b"caf\xc3\xa9", b".acl"), some(b"/", b"%", b"%00", b"%ff", b"\xff", b".", b"\t", b"?")),
    b"Expect": some(b"100-continue", b"100-Continue, x", b"", b"\xff"),
    b"Content-Encoding": some(b"gzip", b"identity", b"gzip, br", b""),
    b"Content-Range": some(b"bytes 0-1/2", b"", b"x"),
    b"Authorization": some(b"Bearer x", b"Bearer", b"Basic eDp5", b"Bearer \xff", b""),
    b"Last-Event-ID": some(b"1", b"-1", b"9" * 30, b"x"),
    b"Connection": some(b"Upgrade", b"keep-alive", b"x"),
    b"Upgrade": some(b"websocket", b"h2c"),
    b"Content-Type": some(b"text/turtle", b"a/b", b"", b"\xff", b"text/turtle, text/turtle"),
}  # fmt: skip
HEADERS = st.lists(
    st.sampled_from(list(FIELDS)).flatmap(lambda name: st.tuples(st.just(name), FIELDS[name])), max_size=5
).map(lambda rows: b"".join(b"%s: %s\r\n" % (name, value.translate(None, b"\r\n\0")) for name, value in rows))
QUERIES = some(
    b"",
    b"",
    b"",
    b"?inlined",
    b"?since=1",
    b"?since=1&bodies",
    b"?since=%00",
    b"?",
    b"?x=%ff&&=;",
    b"?as=html",
    b"?as=rdf",
)


@settings(max_examples=depth(100, 20_000))
@given(
    method=st.sampled_from(["GET", "GET", "HEAD", "OPTIONS", "PUT", "POST", "DELETE", "PATCH"]),
    target=st.one_of(PLACES, PATHS),
    query=QUERIES,
    headers=HEADERS,
)
def test_any_headers_do_no_harm(prey: Prey, method: str, target: bytes, query: bytes, headers: bytes) -> None:
    prey.furnish()  # else a document may come where what was deleted had its description, and keep it away
    before = prey.state()
    answer = prey.ask(
        method, target + query, headers, b"<> <http://p/> 2 ." if method in {"PUT", "POST"} else b""
    )
    check_harmless(answer)
    if status(answer) >= 300 or method in {"GET", "HEAD", "OPTIONS"}:
        assert prey.state() == before, (method, target, headers)


FRAMES = st.lists(
    some(
        b"Content-Length: 18", b"Content-Length: 3", b"Content-Length: 99", b"Content-Length: -1", b"Content-Length: +18",
        b"Content-Length: 18, 18", b"Content-Length: 0x12", b"Content-Length: ", b"Content-Length: 1_8", b"Content-Length : 18",
        b"Content-Length: 99999999999999999999", b"Transfer-Encoding: chunked", b"Transfer-Encoding: gzip, chunked",
        b"Transfer-Encoding: chunked, gzip", b"Transfer-Encoding: identity", b"Transfer-Encoding: \x0bchunked",
        b"Transfer-Encoding:chunked", b"Transfer-Encoding: xchunked", b" Transfer-Encoding: chunked", b"Trailer: ETag",
        b"Expect: 100-continue", b"Connection: close", b"Content-Length: \xb2", b"Transfer-Encoding: chunked, chunked",
    ),
    min_size=1,
    max_size=3,
)  # fmt: skip
FRAMED = bent(
    some(
        b"<> <http://p/> 3 .",
        b"12\r\n<> <http://p/> 3 .\r\n0\r\n\r\n",
        b"9\r\n<> <http:\r\n9;x=y\r\n//p/> 3 .\r\n0\r\nETag: x\r\n\r\n",
        b"<> <http://p/> 3 .GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    ),
    some(b"\r\n", b"\n", b"0\r\n\r\n", b"ffffffffffffffff\r\n", b"-1\r\n", b" ", b";", b"+9\r\n", b"0x9\r\n"),
)

UNANSWERED = {b"", CONTINUE}
"""What is left of a request whose client has ended its sending side: aiohttp takes that for the end of the connection.

It does so whenever it reads that end: before it reads the header, or while it reads the body, after it has told the
client to go on.
"""


@settings(max_examples=depth(60, 20_000))
@given(method=st.sampled_from([b"PUT", b"POST", b"PATCH", b"GET", b"DELETE"]), frames=FRAMES, framed=FRAMED)
def test_any_framing_is_answered_or_ended(
    prey: Prey, method: bytes, frames: list[bytes], framed: bytes
) -> None:
    """A body is read as long as it is or not at all; what follows it is another request or none."""
    before = prey.state()
    head = b"%s /framed HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: text/turtle\r\n" % (method, prey.port)
    answer = exchange(prey.port, head + b"\r\n".join(frames) + b"\r\n\r\n" + framed, ends=True)
    if answer in UNANSWERED:
        assert prey.written_since(before) in {0, 1}, (frames, framed, answer)
        if status(prey.ask("GET", b"/framed")) == 200:
            prey.check(b"/framed")
        return
    check_harmless(answer)
    if not re.search(rb"HTTP/1.1 2(?!00 )", answer):
        assert prey.state() == before, (frames, framed, answer)
    elif status(prey.ask("GET", b"/framed")) == 200:
        prey.check(b"/framed")


@pytest.mark.parametrize(
    ("frame", "part"),
    [(b"Content-Length: 18", b"# begun"), (b"Transfer-Encoding: chunked", b"7\r\n# begun\r\n")],
    ids=["length", "chunked"],
)
def test_a_client_that_ends_in_the_middle_of_its_body_is_given_up(
    prey: Prey, frame: bytes, part: bytes
) -> None:
    """What came of the body would be a document too; it is not taken for one."""
    before = prey.state()
    head = b"PUT /half HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: text/turtle\r\nExpect: 100-continue\r\n%s\r\n\r\n"
    with socket.create_connection(("127.0.0.1", prey.port), timeout=20) as connection:
        connection.sendall(head % (prey.port, frame))
        assert connection.recv(65536) == CONTINUE
        connection.sendall(part)
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(65536) == b""
    assert prey.written_since(before) == 0
