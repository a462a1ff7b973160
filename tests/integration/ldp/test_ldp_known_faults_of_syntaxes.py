"""Faults of bodies, syntaxes and negotiation that other servers had, each named by its public issue."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.support.ldp import Answer, Ldp

LDP = "http://www.w3.org/ns/ldp#"
SOLID = "@prefix solid: <http://www.w3.org/ns/solid/terms#> .\n"
SYNTAXES = ("text/turtle", "application/ld+json", "application/n-triples", "application/rdf+xml")
GRAPH = "<> <http://p/> (1 [ <http://q/> 'x'@en ] ( [] 'z' )), [], _:b . _:b <http://p/> _:b ."


async def patch(ldp: Ldp, path: str, text: str) -> Answer:
    body = f"{SOLID}_:p a solid:InsertDeletePatch ; {text} .".encode()
    return await ldp.send("PATCH", path, body, **{"Content-Type": "text/n3"})


async def test_blank_nodes_and_lists_come_in_every_syntax(ldp: Ldp) -> None:
    """node-solid-server #1420: a graph with blank nodes asked for as JSON-LD was answered 500."""
    await ldp.put("/c/x", GRAPH)
    await ldp.put("/c/", GRAPH)
    for path in ("/c/x", "/c/", "/c/?inlined"):
        graphs = [ldp.graph(await ldp.get(path, Accept=syntax)) for syntax in SYNTAXES]
        assert all(graph == graphs[0] for graph in graphs), path


async def test_a_document_comes_as_the_type_that_was_asked_for(ldp: Ldp) -> None:
    """lakesuperior #46: Turtle came back whatever the Accept header said."""
    await ldp.put("/c/x", "<> <#p> 1 .")
    wishes = {syntax: syntax for syntax in SYNTAXES} | {
        "text/turtle;q=0.1, application/ld+json;q=0.2": "application/ld+json",
        "application/*;q=0.5, text/turtle;q=0.4": "application/ld+json",
        "APPLICATION/N-Triples": "application/n-triples",
        'application/ld+json; profile="http://www.w3.org/ns/json-ld#expanded"': "application/ld+json",
        "image/png, */*;q=0.01": "text/turtle",
    }
    for path in ("/c/x", "/c/"):
        shown = {wish: (await ldp.get(path, Accept=wish)).headers["Content-Type"] for wish in wishes}
        assert shown == wishes
        assert (await ldp.get(path, Accept="text/turtle;q=0, image/png")).status == 406


async def test_what_rdf_xml_cannot_carry_comes_as_the_next_best_that_was_asked_for(ldp: Ldp) -> None:
    await ldp.put("/c/a", '<> <http://v/1> "\\u0001" .')
    wishes = [
        ("application/rdf+xml, text/turtle;q=0.5", "text/turtle"),
        ("application/rdf+xml, application/n-triples;q=0.5, text/turtle;q=0.4", "application/n-triples"),
        ("application/rdf+xml, */*;q=0.1", "text/turtle"),
        ("application/rdf+xml, text/html;q=0.9, text/turtle;q=0.1", "text/html; charset=utf-8"),
    ]
    answers = [await ldp.get("/c/a", Accept=wish) for wish, _ in wishes]
    held = {"If-None-Match": answers[0].headers["ETag"]}
    again = await ldp.get("/c/a", Accept=wishes[0][0], **held)
    inlined = await ldp.get("/c/?inlined", Accept="application/rdf+xml, application/trig;q=0.5")
    refused = [
        await ldp.get(path, Accept="application/rdf+xml, text/turtle;q=0") for path in ("/c/a", "/c/?inlined")
    ]

    assert [(answer.status, answer.headers["Content-Type"]) for answer in answers] == [
        (200, media_type) for _, media_type in wishes
    ]
    assert (again.status, again.headers["ETag"]) == (304, answers[0].headers["ETag"])
    assert (inlined.status, inlined.headers["Content-Type"]) == (200, "application/trig")
    assert [(answer.status, b"cannot be written" in answer.body) for answer in refused] == [(406, True)] * 2


async def test_many_questions_at_once_are_all_answered(ldp: Ldp) -> None:
    """lakesuperior #72: under many queries the database ran out of slots for readers now and then."""
    for number in range(20):
        await ldp.put(f"/c/{number}", f"<> <http://v/> {number} .")
    paths = [f"/c/{number}" for number in range(20)] + ["/c/", "/c/?inlined", "/"]
    answers = await asyncio.gather(
        *(ldp.get(path, Accept=syntax) for path in paths for syntax in SYNTAXES for _ in range(3))
    )
    assert {answer.status for answer in answers} == {200}


async def test_relative_references_mean_what_they_mean_below_the_document(ldp: Ldp) -> None:
    """lakesuperior PR #111: relative references in bodies were mishandled, by POST even with 500."""
    body = "<> <#p> <>, <#f>, <?q>, <x>, <./y/>, <../up>, </root>, <//host/z>, <.>, <..>, <../../../far> ."
    await ldp.put("/a/b/put", body)
    made = await ldp.post("/a/b/", body, Slug="post")
    assert made.status == 201
    for path in ("/a/b/put", "/a/b/post"):
        uri, base = ldp.base + path, ldp.base
        items = [uri, f"{uri}#f", f"{uri}?q", f"{base}/a/b/x", f"{base}/a/b/y/", f"{base}/a/up"]
        items += [f"{base}/root", "http://host/z", f"{base}/a/b/", f"{base}/a/", f"{base}/far"]
        expected = " ".join(f"<{uri}> <{uri}#p> <{item}> ." for item in items)
        assert ldp.graph(await ldp.get(path)) == ldp.triples(expected)


async def test_a_patch_deletes_through_a_blank_node_and_inserts_new_ones(ldp: Ldp) -> None:
    """CommunitySolidServer #1977 and #1998: N3 Patch could do neither."""
    await ldp.put("/x", "<> <http://has/> [ <http://v/> 1 ], [ <http://v/> 2 ] .")
    deleted = await patch(
        ldp,
        "/x",
        "solid:where { <> <http://has/> ?b . ?b <http://v/> 1 } ;"
        " solid:deletes { <> <http://has/> ?b . ?b <http://v/> 1 }",
    )
    inserted = await patch(ldp, "/x", "solid:inserts { <> <http://has/> [ <http://v/> 3 ] }")
    assert (deleted.status, inserted.status) == (204, 204)
    expected = f"<{ldp.base}/x> <http://has/> [ <http://v/> 2 ], [ <http://v/> 3 ] ."
    assert ldp.graph(await ldp.get("/x")) == ldp.triples(expected)


@pytest.mark.parametrize(
    ("media_type", "body"),
    [
        ("text/turtle", b"<> <#p> oops ."),
        ("text/turtle", b"<> <#p> 1"),
        ("text/turtle", b"<> <#p> 'unclosed ."),
        ("text/turtle", b"x:y <#p> 1 ."),
        ("text/turtle", b"<> <#p> <a b> ."),
        ("text/turtle", b"<> <#p> '\xff' ."),
        ("text/turtle", b"<> <#p> 1 . <> <#p> ."),
        ("application/n-triples", b"<a> <b> <c> ."),
        ("application/ld+json", b'{"@id": '),
        ("application/ld+json", b'{"@id": 5}'),
        ("application/rdf+xml", b"<rdf:RDF/>"),
        ("application/rdf+xml", b"<a><b></a>"),
    ],
)
async def test_a_malformed_body_is_refused_when_it_is_written(ldp: Ldp, media_type: str, body: bytes) -> None:
    """CommunitySolidServer #87 and node-solid-server #882: malformed Turtle was stored, and later requests failed."""
    await ldp.put("/c/there", "<> <#p> 1 .")
    before = await ldp.get("/c/there")
    for path in ("/c/there", "/c/new", "/c/new/"):
        refused = await ldp.put(path, body, media_type)
        assert (refused.status, refused.problem["code"]) == (400, "LDP001")
    assert (await ldp.post("/c/", body, media_type)).status == 400
    after = await ldp.get("/c/there")
    assert (after.body, after.headers["ETag"]) == (before.body, before.headers["ETag"])
    assert await ldp.members("/c/") == [ldp.base + "/c/there"]


SAMPLES = {
    "text/turtle": b"<> <#p> 1 .",
    "application/ld+json": b"{}",
    "application/n-triples": b"",
    "application/rdf+xml": b'<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>',
    "*/*": b"<> <#p> 1 .",
    "text/n3": SOLID.encode() + b"_:p a solid:InsertDeletePatch ; solid:inserts { <> <#p> 2 } .",
    "application/sparql-update": b"INSERT DATA { <> <#p> 3 }",
}
METHODS = ("GET", "HEAD", "OPTIONS", "PUT", "POST", "PATCH", "DELETE", "TRACE", "LOCK")


async def test_no_header_promises_what_is_refused(ldp: Ldp) -> None:
    """CommunitySolidServer #2097: Accept-Patch stood on a text file, and a PATCH of it was answered 501."""
    await ldp.put("/c/x", "<> <#p> 1 .")
    await ldp.put("/c/text", b"text", "text/plain")
    await ldp.put("/c/box/", "")
    for path in ("/c/x", "/c/text", "/c/text.meta", "/c/box/", "/", "/c/none", "/.milepost/constraints"):
        told = await ldp.send("OPTIONS", path)
        allowed = told.headers["Allow"].split(", ")
        for method in METHODS:
            accepted = told.headers.get(f"Accept-{method.title()}", "")
            assert not accepted or method in allowed, (path, method)
            for media_type in accepted.split(", ") if accepted else [""]:
                if method == "DELETE" and method in allowed:
                    continue
                sent = "text/plain" if media_type == "*/*" else media_type
                answer = await ldp.send(method, path, SAMPLES.get(media_type), **{"Content-Type": sent})
                if method in allowed:
                    assert answer.status not in {403, 405, 415, 501}, (path, method, media_type, answer.body)
                else:
                    assert 400 <= answer.status < 500, (path, method)
                    assert answer.status != 405 or answer.headers["Allow"] == told.headers["Allow"]
                if path == "/c/none" and method in {"PUT", "PATCH"}:
                    assert (await ldp.send("DELETE", path)).status == 204


async def test_a_container_with_an_index_is_still_shown_itself(ldp: Ldp) -> None:
    """CommunitySolidServer #844 and node-solid-server #1264: who asked for Turtle got index.html."""
    html = b"<!doctype html><title>index</title>"
    for name in ("index.html", "index", "index.ttl"):
        assert (await ldp.put(f"/c/{name}", html, "text/html")).status == 201
    listing = ldp.graph(await ldp.get("/c/"))
    for wish in (
        "",
        "*/*",
        "text/turtle",
        "text/*",
        "text/turtle, */*;q=0.1",
        "text/turtle, text/html;q=0.9",
    ):
        answer = await ldp.get("/c/", Accept=wish)
        assert (answer.status, answer.headers["Content-Type"]) == (200, "text/turtle"), wish
        assert ldp.graph(answer) == listing
    assert (await ldp.get("/c/", Accept="text/html")).body != html
    assert (await ldp.get("/c/index.html", Accept="text/html")).body == html


async def test_media_types_are_read_with_any_spacing_and_written_plainly(ldp: Ldp) -> None:
    """VSDS-LDESServer4J #1484: "text/turtle;charset=UTF-8" without its blank made a consumer refuse the answer."""
    for number, sent in enumerate(
        (
            "text/turtle;charset=UTF-8",
            "text/turtle ; charset=utf-8",
            'Text/Turtle;charset="UTF-8"',
            "text/turtle;",
            " text/turtle;version=1.1;CHARSET=utf-8 ",
        )
    ):
        assert (await ldp.put(f"/{number}", "<> <#p> 'é' .", sent)).status == 201, sent
        wished = await ldp.get(f"/{number}", Accept=sent)
        assert (wished.status, wished.headers["Content-Type"]) == (200, "text/turtle")
        assert ldp.graph(wished) == ldp.triples(f"<{ldp.base}/{number}> <{ldp.base}/{number}#p> 'é' .")
    for syntax in SYNTAXES:
        assert (await ldp.get("/0", Accept=f"{syntax};charset=utf-8")).headers["Content-Type"] == syntax


async def test_a_byte_order_mark_before_a_body_does_no_harm(ldp: Ldp) -> None:
    """Editors of some systems write one; it was refused as a broken first triple, also in XML, which allows it."""
    mark = b"\xef\xbb\xbf"
    bodies = {
        "text/turtle": b"<> <http://p/q> 'v' .",
        "application/n-triples": f'<{ldp.base}/x> <http://p/q> "v" .'.encode(),
        "application/ld+json": b'{"@id": "", "http://p/q": "v"}',
        "application/rdf+xml": b'<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:p="http://p/">'
        b'<r:Description r:about=""><p:q>v</p:q></r:Description></r:RDF>',
    }
    expected = ldp.triples(f"<{ldp.base}/x> <http://p/q> 'v' .")
    for media_type, body in bodies.items():
        assert (await ldp.put("/x", mark + body, media_type)).status in {201, 204}, media_type
        assert ldp.graph(await ldp.get("/x")) == expected
    insert = b"INSERT DATA { <> <http://p/> 'w' }"
    changed = await ldp.send("PATCH", "/x", mark + insert, **{"Content-Type": "application/sparql-update"})
    assert changed.status == 204


@asynccontextmanager
async def listening(reached: list[bytes]) -> AsyncIterator[int]:
    """Listen on a free port, note who comes, and answer what a thief would want to be given."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reached.append(await reader.readline())
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/ld+json\r\nContent-Length: 15\r\n\r\n")
        writer.write(b'{"@context":{}}')
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def test_no_body_makes_the_server_fetch_anything(ldp: Ldp, tmp_path: Path) -> None:
    """RDFLib #1844 and #1369: contexts of JSON-LD were fetched from any address, also from the server's own files."""
    secret = tmp_path / "secret.jsonld"
    secret.write_text('{"@context": {"p": "http://secret/"}}')
    reached: list[bytes] = []
    async with listening(reached) as port:
        for address in (f"http://127.0.0.1:{port}/c", secret.as_uri(), f"{ldp.base}/context"):
            for context in (f'"{address}"', f'["{address}"]', f'{{"@import": "{address}"}}'):
                body = f'{{"@context": {context}, "@id": "", "p": 1}}'
                assert (await ldp.put("/x", body, "application/ld+json")).status == 400
            entity = f'<!DOCTYPE r [<!ENTITY e SYSTEM "{address}">]><r>&e;</r>'
            assert (await ldp.put("/x", entity, "application/rdf+xml")).status == 400
            for update in (
                f"LOAD <{address}>",
                f"INSERT {{ <> ?p ?o }} WHERE {{ SERVICE <{address}> {{ ?s ?p ?o }} }}",
                f"INSERT {{ <> ?p ?o }} USING <{address}> WHERE {{ ?s ?p ?o }}",
                f"INSERT {{ <> ?p ?o }} WHERE {{ GRAPH <{address}> {{ ?s ?p ?o }} }}",
            ):
                sent = {"Content-Type": "application/sparql-update"}
                assert (await ldp.send("PATCH", "/x", update.encode(), **sent)).status == 422, update
    assert reached == []
    assert (await ldp.get("/x")).status == 404
