"""What the server does with every method, over real sockets, in memory and in SQLite."""

import json
from collections.abc import AsyncIterator

import pytest

from ldp_server import Settings
from tests.support.ldp import Ldp

LDP = "http://www.w3.org/ns/ldp#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
TURTLE = "text/turtle"
CONTAINER_LINK = f'<{LDP}BasicContainer>; rel="type"'
RDF_TYPES = "text/turtle, application/ld+json, application/n-triples, application/rdf+xml"
ANY_TYPE = f"{RDF_TYPES}, */*"
RDF_LINK = f'<{LDP}RDFSource>; rel="type"'
DOCUMENT_METHODS = "GET, HEAD, OPTIONS, PUT, PATCH, DELETE"
CONTAINER_METHODS = "GET, HEAD, OPTIONS, PUT, PATCH, POST, DELETE"


@pytest.fixture
def limits() -> Settings:
    return Settings(max_body=50_000, max_content=90_000)


def types(link: str) -> set[str]:
    return {
        part.split(">")[0].strip(" <").removeprefix(LDP) for part in link.split(",") if 'rel="type"' in part
    }


async def test_a_document_is_created_replaced_read_and_deleted(ldp: Ldp) -> None:
    created = await ldp.put("/a/b", "<> <#p> 1 .")
    assert (created.status, created.body) == (201, b"")
    assert created.headers["Location"] == ldp.base + "/a/b"
    read = await ldp.get("/a/b")
    assert (read.status, read.headers["Content-Type"]) == (200, TURTLE)
    assert read.headers["ETag"] == created.headers["ETag"]
    assert ldp.graph(read) == ldp.triples(f"<{ldp.base}/a/b> <{ldp.base}/a/b#p> 1 .")
    replaced = await ldp.put("/a/b", "<> <#p> 2 .")
    assert (replaced.status, "Location" in replaced.headers) == (204, False)
    assert replaced.headers["ETag"] != created.headers["ETag"]
    assert ldp.graph(await ldp.get("/a/b")) == ldp.triples(f"<{ldp.base}/a/b> <{ldp.base}/a/b#p> 2 .")
    assert (await ldp.send("DELETE", "/a/b")).status == 204
    gone = await ldp.get("/a/b")
    assert (gone.status, gone.problem["code"]) == (404, "LDP009")
    assert (await ldp.send("DELETE", "/a/b")).status == 404
    assert await ldp.members("/a/") == []


@pytest.mark.parametrize("media_type", RDF_TYPES.split(", "))
async def test_one_graph_in_every_syntax_in_and_out(ldp: Ldp, media_type: str) -> None:
    turtle = "<> <http://p/> (1 [ <http://q/> 'x'@en ] ( 'z' )), <#y>, _:b . _:b <http://p/> _:b ."
    await ldp.put("/first", turtle)
    asked = await ldp.get("/first", Accept=media_type)
    assert (asked.status, asked.headers["Content-Type"], asked.headers["Vary"]) == (200, media_type, "Accept")
    assert ldp.graph(asked) == ldp.graph(await ldp.get("/first"))
    assert (await ldp.put("/second", asked.body, media_type)).status == 201
    again = await ldp.get("/second", Accept="application/n-triples")
    assert ldp.graph(again) == ldp.graph(asked)
    tags = {(await ldp.get("/first", Accept=each)).headers["ETag"] for each in RDF_TYPES.split(", ")}
    assert len(tags) == 4
    refused = await ldp.get("/first", Accept="image/png")
    assert (refused.status, refused.headers["Vary"]) == (406, "Accept")


async def test_head_and_a_304_carry_the_headers_of_get(ldp: Ldp) -> None:
    await ldp.put("/c/x", "<> <#p> 1 .")
    for path in ("/c/x", "/c/", "/"):
        read, head = await ldp.get(path), await ldp.send("HEAD", path)
        assert (head.status, head.body) == (200, b"")
        assert ldp.lasting(head) == ldp.lasting(read)
        same = await ldp.get(path, **{"If-None-Match": read.headers["ETag"]})
        assert (same.status, same.body) == (304, b"")
        for name in ("ETag", "Vary", "Allow", "Link"):
            assert same.headers[name] == read.headers[name]
        other = await ldp.get(path, Accept="application/ld+json", **{"If-None-Match": read.headers["ETag"]})
        assert other.status == 200
        assert (await ldp.get(path, **{"If-None-Match": '"x", W/' + read.headers["ETag"]})).status == 304
        assert (await ldp.get(path, **{"If-None-Match": "*"})).status == 304


async def test_a_listing_changes_its_tag_exactly_when_it_changes(ldp: Ldp) -> None:
    async def tag() -> str:
        return (await ldp.get("/c/")).headers["ETag"]

    await ldp.put("/c/x", "")
    first = await tag()
    await ldp.put("/c/x", "<> <#p> 1 .")
    await ldp.put("/d/y", f"<> <#p> <{ldp.base}/c/> .")
    assert await tag() == first
    await ldp.put("/c/y", "")
    second = await tag()
    await ldp.send("DELETE", "/c/y")
    third = await tag()
    assert len({first, second, third}) == 3
    stale = await ldp.get("/c/", **{"If-None-Match": first})
    assert (stale.status, await ldp.members("/c/")) == (200, [ldp.base + "/c/x"])


async def test_conditional_writes(ldp: Ldp) -> None:
    async def put(**headers: str) -> int:
        return (await ldp.put("/x", "<> <#p> 1 .", **headers)).status

    assert await put(**{"If-Match": "*"}) == 412
    assert await put(**{"If-Match": '"1-ttl"'}) == 412
    assert await put(**{"If-None-Match": "*"}) == 201
    assert await put(**{"If-None-Match": "*"}) == 412
    assert await put(**{"If-Match": "*"}) == 204
    first = (await ldp.get("/x", Accept="application/ld+json")).headers["ETag"]
    assert await put(**{"If-Match": first}) == 204
    assert await put(**{"If-Match": first}) == 412
    second = (await ldp.get("/x")).headers["ETag"]
    assert await put(**{"If-Match": f"{first}, {second}"}) == 204
    refused = await ldp.send("DELETE", "/x", **{"If-Match": second})
    assert (refused.status, refused.problem["code"]) == (412, "LDP011")
    third = (await ldp.get("/x")).headers["ETag"]
    assert (await ldp.send("DELETE", "/x", **{"If-Match": third})).status == 204
    assert (await ldp.send("DELETE", "/x", **{"If-Match": third})).status == 412
    assert (await ldp.post("/", "", **{"If-Match": '"1-ttl"'})).status == 412
    assert await put() == 201
    assert (await ldp.get("/x")).headers["ETag"] not in {first, second, third}


async def test_a_read_can_ask_for_a_state_too(ldp: Ldp) -> None:
    await ldp.put("/x", "<> <#p> 1 .")
    tag = (await ldp.get("/x", Accept="application/ld+json")).headers["ETag"]
    for method in ("GET", "HEAD"):
        for wanted, status in (("*", 200), (tag, 200), ('"0-ttl"', 412), ("W/" + tag, 412)):
            assert (await ldp.send(method, "/x", **{"If-Match": wanted})).status == status
    both = await ldp.get("/x", Accept="application/ld+json", **{"If-Match": tag, "If-None-Match": tag})
    assert both.status == 304


async def test_post_names_by_slug_or_by_number_never_used_before(ldp: Ldp) -> None:
    await ldp.put("/c/", "")
    await ldp.put("/c/2", "")
    places = []
    for slug in ("", "", "note", "note", "a/b?c", "x/", ".."):
        answer = await ldp.post("/c/", "<> <#p> <x>, <> .", **({"Slug": slug} if slug else {}))
        assert answer.status == 201
        places.append(answer.headers["Location"].removeprefix(ldp.base + "/c/"))
        read = await ldp.send("GET", answer.headers["Location"].removeprefix(ldp.base))
        assert read.headers["ETag"] == answer.headers["ETag"]
        uri = answer.headers["Location"]
        assert ldp.graph(read) == ldp.triples(f"<{uri}> <{uri}#p> <{ldp.base}/c/x>, <{uri}> .")
    assert places == ["1", "3", "note", "note-4", "a-b-c", "x", "5"]
    await ldp.send("DELETE", "/c/5")
    assert (await ldp.post("/c/", "")).headers["Location"] == ldp.base + "/c/6"


async def test_post_makes_a_container_when_the_link_says_so(ldp: Ldp) -> None:
    answer = await ldp.post("/", "<> <#p> <x> .", Link=CONTAINER_LINK, Slug="box")
    assert (answer.status, answer.headers["Location"]) == (201, ldp.base + "/box/")
    assert types(answer.headers["Link"]) == {"Resource", "RDFSource", "Container", "BasicContainer"}
    uri = ldp.base + "/box/"
    own = f"<{uri}> a <{LDP}BasicContainer>, <{LDP}Container>, <{LDP}RDFSource> ; <{uri}#p> <{uri}x> ."
    assert ldp.graph(await ldp.get("/box/")) == ldp.triples(own)
    inside = await ldp.post("/box/", "")
    assert inside.headers["Location"] == uri + "1"
    assert ldp.graph(await ldp.get("/box/")) == ldp.triples(f"{own} <{uri}> <{LDP}contains> <{uri}1> .")


async def test_post_is_for_containers_that_exist(ldp: Ldp) -> None:
    await ldp.put("/a", "")
    assert (await ldp.post("/a", "")).status == 405
    assert (await ldp.post("/none/", "")).status == 404
    assert (await ldp.post("/none", "")).status == 404
    assert (await ldp.post("/a/", "")).status == 404


async def test_the_this_base_and_relative_references_find_the_document(ldp: Ldp) -> None:
    this = (
        "http://this.nxparser.github.io/reference/to/URI/of/current/rdf/graph/"
        "for/representing/permanently/relative/URIs/in/N-Triples/"
    )
    body = f"@prefix this: <{this}#> . this:it a this:S ; <{this}> <rel> ."
    await ldp.put("/c/put", body)
    await ldp.post("/c/", body)
    for path in ("/c/put", "/c/1"):
        uri = ldp.base + path
        expected = f"<{uri}#it> a <{uri}#S> ; <{uri}> <{ldp.base}/c/rel> ."
        read = await ldp.get(path)
        assert ldp.graph(read) == ldp.triples(expected)
        assert b"this.nxparser" not in read.body


async def test_a_container_put_keeps_containment(ldp: Ldp) -> None:
    await ldp.put("/c/x", "")
    uri = ldp.base + "/c/"
    listing = await ldp.get("/c/")
    same = await ldp.put(
        "/c/", listing.body.decode() + "<> <#t> 1 .", **{"If-Match": listing.headers["ETag"]}
    )
    assert same.status == 204
    more = await ldp.put("/c/", f"<> <{LDP}contains> <x>, <y> .")
    assert (more.status, more.problem["code"]) == (409, "LDP014")
    assert (await ldp.put("/c/", f"<> <{LDP}contains> <y> .")).status == 409
    assert (await ldp.put("/new/", f"<> <{LDP}contains> <y> .")).status == 409
    assert (await ldp.put("/c/", "<> <#t> 2 .")).status == 204
    expected = (
        f"<{uri}> a <{LDP}BasicContainer>, <{LDP}Container>, <{LDP}RDFSource> ;"
        f" <{uri}#t> 2 ; <{LDP}contains> <{uri}x> ."
    )
    assert ldp.graph(await ldp.get("/c/")) == ldp.triples(expected)


async def test_a_path_with_and_without_its_slash_never_both_exist(ldp: Ldp) -> None:
    await ldp.put("/doc", "")
    await ldp.put("/box/", "")
    for path in ("/doc/", "/box", "/doc/below", "/doc/below/"):
        refused = await ldp.put(path, "")
        assert (refused.status, refused.problem["code"]) == (409, "LDP013")
    hinted = await ldp.get("/box")
    assert hinted.status == 404
    assert f"There is {ldp.base}/box/" in str(hinted.problem["detail"])
    assert (await ldp.post("/", "", Slug="doc", Link=CONTAINER_LINK)).headers[
        "Location"
    ] == ldp.base + "/doc-1/"


async def test_deleting_containers(ldp: Ldp) -> None:
    await ldp.put("/c/x", "")
    full = await ldp.send("DELETE", "/c/")
    assert (full.status, full.problem["code"]) == (409, "LDP012")
    root = await ldp.send("DELETE", "/")
    assert (root.status, root.headers["Allow"]) == (405, "GET, HEAD, OPTIONS, PUT, PATCH, POST")
    await ldp.send("DELETE", "/c/x")
    assert (await ldp.send("DELETE", "/c/")).status == 204
    assert await ldp.members("/") == []


async def test_every_answer_says_what_the_resource_takes_and_is(ldp: Ldp) -> None:
    await ldp.put("/c/x", "<> <#p> 1 .")
    for path, allowed, kinds in (
        ("/c/x", DOCUMENT_METHODS, {"Resource", "RDFSource"}),
        ("/c/", CONTAINER_METHODS, {"Resource", "RDFSource", "Container", "BasicContainer"}),
    ):
        answers = [
            await ldp.get(path),
            await ldp.send("HEAD", path),
            await ldp.send("OPTIONS", path),
            await ldp.put(path, "<> <#p> 2 ."),
            await ldp.put(path, "oops"),
            await ldp.send("LOCK", path),
            await ldp.send("DELETE", path, **{"If-Match": '"0-ttl"'}),
            await ldp.get(path, Accept="image/png"),
        ]
        assert [answer.status for answer in answers] == [200, 200, 204, 204, 400, 405, 412, 406]
        for answer in answers:
            assert answer.headers["Allow"] == allowed
            assert answer.headers["Accept-Put"] == RDF_TYPES
            assert answer.headers["Accept-Patch"] == "text/n3, application/sparql-update"
            assert types(answer.headers["Link"]) == kinds
            assert answer.headers.get("Accept-Post") == (ANY_TYPE if path == "/c/" else None)
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
    absent = await ldp.send("OPTIONS", "/none")
    assert (absent.status, absent.headers["Allow"]) == (404, "GET, HEAD, OPTIONS, PUT, PATCH")


@pytest.mark.parametrize(
    ("method", "body", "headers", "status", "code"),
    [
        ("PUT", "<> <#p> 1 .", {"Content-Type": ""}, 400, "LDP003"),
        ("POST", "<> <#p> 1 .", {"Content-Type": ""}, 400, "LDP003"),
        ("PUT", "x", {"Content-Type": "image"}, 415, "LDP005"),
        ("PUT", "x", {"Content-Type": "image/png", "Link": RDF_LINK}, 415, "LDP005"),
        ("POST", "x", {"Content-Type": "image/png", "Link": CONTAINER_LINK}, 415, "LDP005"),
        ("PUT", "x", {"Content-Type": "image/png", "Content-Encoding": "gzip"}, 415, "LDP005"),
        ("PUT", "x", {"Content-Type": "image/png", "Content-Range": "bytes 0-0/9"}, 400, "LDP004"),
        ("PUT", "x" * 90_001, {"Content-Type": "image/png"}, 413, "LDP006"),
        ("PUT", "x", {"Content-Type": "text/turtle", "Content-Encoding": "gzip"}, 415, "LDP005"),
        ("PUT", "x", {"Content-Type": "text/turtle", "Content-Range": "bytes 0-0/9"}, 400, "LDP004"),
        ("PUT", "#" * 50_001, {"Content-Type": "text/turtle"}, 413, "LDP006"),
        ("PUT", "", {"Content-Type": "text/turtle", "Link": CONTAINER_LINK}, 409, "LDP015"),
        ("PUT", "", {"Link": f'<{LDP}DirectContainer>; rel="type"'}, 409, "LDP015"),
        ("POST", "", {"Link": f'{RDF_LINK}, <{LDP}NonRDFSource>; rel="type"'}, 409, "LDP015"),
        (
            "POST",
            '{"@context": "http://127.0.0.1:1/"}',
            {"Content-Type": "application/ld+json"},
            400,
            "LDP001",
        ),
        ("PUT", "<!DOCTYPE x []><x/>", {"Content-Type": "application/xml"}, 400, "LDP001"),
    ],
)
async def test_bodies_that_are_refused_leave_no_trace(
    ldp: Ldp, method: str, body: str, headers: dict[str, str], status: int, code: str
) -> None:
    answer = await ldp.send(method, "/" if method == "POST" else "/x", body.encode(), **headers)
    assert (answer.status, answer.problem["code"], answer.problem["status"]) == (status, code, status)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (await ldp.get("/x")).status == 404
    assert await ldp.members("/") == []


async def test_malformed_rdf_is_told_with_its_place(ldp: Ldp) -> None:
    answer = await ldp.put("/x", "<> <#p>\n  oops .")
    problem = dict(answer.problem)
    detail = problem.pop("detail")
    assert problem == {
        "type": "about:blank",
        "title": "Bad Request",
        "status": 400,
        "code": "LDP001",
        "line": 2,
        "column": 3,
    }
    assert str(detail).startswith("Line 2, column 3: ")


async def test_a_body_in_chunks_is_bounded_too(ldp: Ldp) -> None:
    async def chunks(count: int) -> AsyncIterator[bytes]:
        for _ in range(count):
            yield b"# a comment of thirty-two bytes\n"

    assert (await ldp.send("PUT", "/x", chunks(100), **{"Content-Type": TURTLE})).status == 201
    large = await ldp.send("PUT", "/y", chunks(5_000), **{"Content-Type": TURTLE})
    assert (large.status, large.headers["Connection"]) == (413, "close")


async def test_no_body_and_no_type_is_an_empty_document(ldp: Ldp) -> None:
    assert (await ldp.send("PUT", "/x")).status == 201
    assert (await ldp.send("POST", "/")).status == 201
    assert (await ldp.get("/x")).body == b""
    assert json.loads((await ldp.get("/x", Accept="application/ld+json")).body) == []


async def test_paths_differ_by_their_octets_and_not_by_their_spelling(ldp: Ldp) -> None:
    await ldp.put("/a/b", "<> <#p> 1 .")
    assert (await ldp.get("/a%2Fb")).status == 400
    assert (await ldp.get("/%61/%62")).headers["ETag"] == (await ldp.get("/a/b")).headers["ETag"]
    for name in ("x%3Fy", "caf%C3%A9", "100%25", "a;b=c", "(z)", "a%20b"):
        created = await ldp.put(f"/n/{name}", "<> <#p> 1 .")
        assert created.headers["Location"] == f"{ldp.base}/n/{name}"
        assert (await ldp.get(f"/n/{name}")).status == 200
    for member in await ldp.members("/n/"):
        assert (await ldp.get(member.removeprefix(ldp.base))).status == 200
    assert (await ldp.put("/.milepost/x", "")).status == 403
    assert (await ldp.get("/a/b?x=1")).status == 404


async def test_the_listing_is_the_same_graph_in_every_syntax(ldp: Ldp) -> None:
    await ldp.put("/c/", "<> <#own> [ <#q> 1 ] .")
    for name in ("1", "x%20y", "z/"):
        await ldp.put(f"/c/{name}", "")
    graphs = [ldp.graph(await ldp.get("/c/", Accept=each)) for each in RDF_TYPES.split(", ")]
    assert all(each == graphs[0] for each in graphs)


async def test_only_requests_for_this_server_are_answered(ldp: Ldp) -> None:
    port = ldp.base.rpartition(":")[2]
    for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}", f"[::1]:{port}"):
        assert (await ldp.send("GET", "/", Host=host)).status == 200
    for host in ("127.0.0.1", "evil.example", f"evil.example:{port}", f"127.0.0.1:{port}.evil.example", ""):
        refused = await ldp.send("PUT", "/x", Host=host)
        assert (refused.status, refused.problem["code"]) == (421, "LDP018")
    assert await ldp.members("/") == []
