"""The read phase over real sockets: what is retrieved, how often, and what counts."""

import asyncio
from pathlib import Path

from aiohttp import web

from tests.support.recorded import bench

FACTS_OUT = """
{ ?s ex:says ?o } => { [] http:mthd m:PUT ; http:requestURI <BASE/out> ; http:body { <> ex:heard ?o } } .
"""


async def test_a_bare_request_without_a_dot_is_read_and_members_are_followed_once(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await b.server.put("/c/p1", "<> ex:is 1 .")
        await b.server.put("/c/p2", "<> ex:is 2 .")

        done = await b.run(
            """
            { [] http:mthd m:GET ; http:requestURI <BASE/c/> . }
            { <BASE/c/> ldp:contains ?y . } => { [] http:mthd m:GET ; http:requestURI ?y . } .
            """
        )

        assert done.code == 0, done.err
        assert sorted(b.server.requests()) == [("GET", "/c/"), ("GET", "/c/p1"), ("GET", "/c/p2")]


async def test_fragments_of_one_document_cost_one_request(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await b.server.put("/d", "<#a> ex:is 1 .")

        done = await b.run(
            """
            { [] http:mthd m:GET ; http:requestURI <BASE/d#a> }
            { [] http:mthd m:GET ; http:requestURI <BASE/d#b> }
            { [] http:mthd m:GET ; http:requestURI <BASE/d> }
            """
        )

        assert done.code == 0, done.err
        assert b.server.requests() == [("GET", "/d")]


async def test_after_a_303_statements_are_about_the_final_document_which_is_not_asked_again(
    tmp_path: Path,
) -> None:
    async def see_other(_: web.Request) -> web.Response:
        return web.Response(status=303, headers={"Location": "/d2"})

    async with bench(tmp_path) as b:
        await b.server.put("/d2", "<#x> ex:says <> .")
        b.server.scripted["/d"] = see_other

        done = await b.run(
            FACTS_OUT
            + """
            { [] http:mthd m:GET ; http:requestURI <BASE/d> }
            { <BASE/d2#x> ex:says ?d . } => { [] http:mthd m:GET ; http:requestURI ?d } .
            """
        )

        assert done.code == 0, done.err
        assert b.server.requests() == [("GET", "/d"), ("GET", "/d2"), ("PUT", "/out")]
        assert f"<{b.server.base}/d2>" in b.server.sent("PUT", "/out")[0].body


async def test_what_is_derived_in_a_step_is_fetched_in_the_same_step(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await b.server.put("/b", "<BASE/b> ex:isFedBy <BASE/a> .")
        await b.server.put("/a", "<BASE/a> ex:feeds <BASE/b> .")

        done = await b.run(
            """
            { [] http:mthd m:GET ; http:requestURI <BASE/b> }
            { ?b ex:isFedBy ?a } => { ?a ex:feeds ?b } .
            { ?a ex:feeds ?b } => { [] http:mthd m:GET ; http:requestURI ?a } .
            """
        )

        assert done.code == 0, done.err
        assert b.server.requests() == [("GET", "/b"), ("GET", "/a")]
        assert len(b.trace) == 1


async def test_documents_that_link_to_each_other_are_read_once_each(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await b.server.put("/a", "<> ex:next <b> .")
        await b.server.put("/b", "<> ex:next <a> .")

        done = await b.run(
            """
            { [] http:mthd m:GET ; http:requestURI <BASE/a> }
            { ?x ex:next ?y } => { [] http:mthd m:GET ; http:requestURI ?y } .
            """
        )

        assert done.code == 0, done.err
        assert b.server.requests() == [("GET", "/a"), ("GET", "/b")]


async def _server_error(_: web.Request) -> web.Response:
    return web.Response(status=500)


async def _html(_: web.Request) -> web.Response:
    return web.Response(text="<p>hello</p>", content_type="text/html")


async def _cut(_: web.Request) -> web.Response:
    text = "<http://example.org/x> <http://example.org/vocab#says> 666 .\n<http://example.org/y> <http://exa"
    return web.Response(text=text, content_type="text/turtle")


async def _silence(_: web.Request) -> web.Response:
    await asyncio.sleep(60)
    return web.Response()


async def _xml(_: web.Request) -> web.Response:
    text = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:ex="http://example.org/vocab#">
    <rdf:Description rdf:about="#Worker"><ex:says>xml</ex:says></rdf:Description></rdf:RDF>"""
    return web.Response(text=text, content_type="application/xml")


async def test_bad_documents_contribute_nothing_and_stop_nobody(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await b.server.put("/good", '<> ex:says "good" .')
        b.server.scripted |= {
            "/broken": _server_error,
            "/page": _html,
            "/cut": _cut,
            "/silent": _silence,
            "/worker": _xml,
        }
        asked = ["/good", "/missing", "/broken", "/page", "/cut", "/silent", "/worker"]
        gets = "\n".join(f"{{ [] http:mthd m:GET ; http:requestURI <BASE{path}> }}" for path in asked)

        done = await b.run(
            gets
            + """
            { ?s ex:says ?o } => { [] http:mthd m:PUT ; http:requestURI <BASE/out> ; ag:about ?s ;
                                      http:body { <> ex:heard "something" } } .
            { <BASE/worker#Worker> ex:says "xml" } =>
                { [] http:mthd m:PUT ; http:requestURI <BASE/out-xml> ; http:body { <> ex:heard "xml" } } .
            { ?s ex:says 666 } =>
                { [] http:mthd m:PUT ; http:requestURI <BASE/out-cut> ; http:body { <> ex:heard "cut" } } .
            """
        )

        assert done.code == 0, done.err
        assert sorted(b.server.writes()) == [("PUT", "/out"), ("PUT", "/out-xml")]
        warned = [line for line in done.err.splitlines() if any(p in line for p in asked[1:6])]
        assert [next(p for p in asked if f"{p}>" in w or f"{p} " in w or p in w) for w in sorted(warned)]
        for path in asked[1:6]:
            assert sum(path in line for line in warned) == 1, done.err
        assert "/good" not in done.err
        assert "/worker" not in done.err
