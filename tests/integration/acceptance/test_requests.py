"""Requests over real sockets: which are sent, how often, and what goes on the wire."""

from pathlib import Path

import pytest
from aiohttp import web

from tests.support.recorded import Bench, bench

THREE = 'ex:a ex:likes "x" . ex:b ex:likes "x" . ex:c ex:likes "x" .'


async def _accept(request: web.Request) -> web.Response:
    await request.read()
    return web.Response(status=202)


async def test_bindings_that_do_not_reach_the_head_make_one_request(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        b.server.scripted["/inbox"] = _accept

        done = await b.run(
            THREE
            + """
            { ?who ex:likes ?what } => { [] http:mthd m:POST ; http:requestURI <BASE/inbox> ;
                                            http:body { <#it> ex:liked ?what } } .
            """
        )

        assert done.code == 0, done.err
        assert b.server.writes() == [("POST", "/inbox")]


async def test_an_annotation_tells_otherwise_equal_posts_apart_and_is_never_sent(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        b.server.scripted["/inbox"] = _accept

        done = await b.run(
            THREE
            + """
            { ?who ex:likes ?what } => { _:h http:mthd m:POST ; http:requestURI <BASE/inbox> ; ex:for ?who ;
                                            http:body { <#it> ex:liked ?what } } .
            """
        )

        assert done.code == 0, done.err
        assert b.server.writes() == [("POST", "/inbox")] * 3
        assert len({e.body for e in b.server.log}) == 1
        assert "ex:for" not in b.server.log[0].body
        assert "vocab#for" not in b.server.log[0].body


async def test_this_means_the_document_being_written(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await b.server.put("/c/", "")

        done = await b.run(
            """
            { [] http:mthd m:PUT ; http:requestURI <BASE/c/inst#it> ;
                 http:body { this:it ex:is "put" . <> ex:about <#it> } }
            { [] http:mthd m:POST ; http:requestURI <BASE/c/> ; http:body { this:S ex:is "posted" } }
            { [] http:mthd m:GET ; http:requestURI <BASE/c/> }
            """
        )

        assert done.code == 0, done.err
        put = b.server.sent("PUT", "/c/inst")[0]
        assert "<#it>" in put.body
        assert all("this.nxparser" not in exchange.body for exchange in b.server.log)
        stored = await b.server.get("/c/inst")
        assert f"<{b.server.base}/c/inst#it>" in stored
        assert f"<{b.server.base}/c/inst> <http://example.org/vocab#about>" in stored
        listing = await b.server.get("/c/")
        (minted,) = {
            part.strip("<>")
            for line in listing.splitlines()
            if "contains" in line
            for part in line.split()[2:3]
        } - {f"{b.server.base}/c/inst"}
        posted = await b.server.get(minted.removeprefix(b.server.base))
        assert f'<{minted}#S> <http://example.org/vocab#is> "posted"' in posted


async def test_blank_nodes_of_a_payload_are_its_own(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        b.server.scripted["/gripper"] = _accept

        done = await b.run(
            """
            ex:one a ex:Robot . ex:two a ex:Robot .
            { ?r a ex:Robot } => { _:c http:mthd m:POST ; http:requestURI <BASE/gripper> ; ex:for ?r ; http:body {
                _:c ex:invokes ex:grip . _:c ex:invokes ex:down_left . } } .
            """
        )

        assert done.code == 0, done.err
        assert len(b.server.log) == 2
        for exchange in b.server.log:
            subjects = [line.split()[0] for line in exchange.body.splitlines() if "invokes" in line]
            assert len(subjects) == 2
            assert len(set(subjects)) == 1
            assert subjects[0].startswith("_:")


TASK = """
<#task> http:mthd m:POST ; http:requestURI <BASE/inbox> ; http:body PAYLOAD .
"""

EXECUTE = """
{ [] http:mthd m:GET ; http:requestURI <BASE/task> }
{ ?r http:mthd ?m ; http:requestURI ?u ; http:body ?b } =>
    { [] http:mthd ?m ; http:requestURI ?u ; http:body ?b } .
"""


@pytest.mark.parametrize(
    ("literal", "entity", "media_type"),
    [
        (r'"{\"http://schema.org/text\":\"A\"}"', '{"http://schema.org/text":"A"}', "application/ld+json"),
        ('""^^xsd:string', "", None),
        ('"go"', "go", "text/plain"),
    ],
)
async def test_a_task_described_in_rdf_is_sent_byte_for_byte(
    tmp_path: Path, literal: str, entity: str, media_type: str | None
) -> None:
    async with bench(tmp_path) as b:
        b.server.scripted["/inbox"] = _accept
        await b.server.put("/task", TASK.replace("PAYLOAD", literal))

        done = await b.run(EXECUTE)

        assert done.code == 0, done.err
        (sent,) = b.server.sent("POST", "/inbox")
        assert sent.body == entity
        found = sent.headers.get("Content-Type")
        assert (found.partition(";")[0] if found else None) == media_type


async def test_a_request_inside_a_payload_is_data(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        done = await b.run(
            """
            ex:op a ex:Operator ; ex:target <BASE/valve> .
            { ?op a ex:Operator ; ex:target ?t } => { [] http:mthd m:PUT ; http:requestURI <BASE/plan> ; http:body {
                ?op http:mthd m:DELETE ; http:requestURI ?t . } } .
            """
        )

        assert done.code == 0, done.err
        assert b.server.writes() == [("PUT", "/plan")]
        assert f"<{b.server.base}/valve>" in await b.server.get("/plan")


async def test_comparisons_read_any_number_and_skip_what_is_none(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        done = await b.run(
            """
            ex:a ex:level 25 . ex:b ex:level "abc" . ex:c ex:level "0.60"^^xsd:double . ex:d ex:level "0.5" .
            { ?x ex:level ?v . ?v math:notLessThan "0.6"^^xsd:double } =>
                { [] http:mthd m:PUT ; http:requestURI <BASE/high> ; http:body { ex:high ex:has ?x } } .
            """,
            "--on-conflict",
            "all",
        )

        assert done.code == 0, done.err
        assert "Traceback" not in done.err
        has = sorted(
            name
            for e in b.server.sent("PUT", "/high")
            for name in "abcd"
            if f"vocab#{name}>" in e.body.split("has>")[1]
        )
        assert has == ["a", "c"]


CONFLICT = """
{ } => { [] http:mthd m:PUT ; http:requestURI <BASE/x> ; http:body { <> ex:is "first" } } .
{ } => { [] http:mthd m:PUT ; http:requestURI <BASE/x> ; http:body { <> ex:is "second" } } .
{ [] http:mthd m:PUT ; http:requestURI <BASE/y> ; http:body { <> ex:is "alone" } }
"""


def _shuffled(rules: str, turn: int) -> str:
    lines = [line for line in rules.splitlines() if line]
    return "\n".join(lines[turn % 3 :] + lines[: turn % 3])


async def test_conflicting_writers_give_one_put_and_a_warning_whatever_the_order(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        for turn in range(3):
            done = await b.run(_shuffled(CONFLICT, turn))
            assert done.code == 0, done.err
            assert "/x" in done.err

        bodies = [e.body for e in b.server.sent("PUT", "/x")]
        assert len(bodies) == 3
        assert len(set(bodies)) == 1
        assert len(b.server.sent("PUT", "/y")) == 3
        assert all(len(step["clashes"]) == 1 for step in b.trace)


async def test_on_conflict_error_sends_nothing_of_the_step(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        done = await b.run(CONFLICT, "--on-conflict", "error")

        assert done.code == 4
        assert b.server.writes() == []
        assert "/x" in done.err
        assert len(done.err.splitlines()) <= 12


async def test_a_delete_wins_over_a_put(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await b.server.put("/x", "<> ex:is 1 .")

        done = await b.run(
            """
            { [] http:mthd m:PUT ; http:requestURI <BASE/x> ; http:body { <> ex:is 2 } }
            { [] http:mthd m:DELETE ; http:requestURI <BASE/x> }
            """
        )

        assert done.code == 0, done.err
        assert b.server.writes() == [("DELETE", "/x")]


async def test_existentials_are_as_many_in_every_step(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        done = await b.run(
            """
            ex:q1 a ex:Sentry . ex:q2 a ex:Sentry . ex:q3 a ex:Sentry . ex:a a ex:Instance . ex:b a ex:Instance .
            { ?q a ex:Sentry . ?i a ex:Instance } => { ?q ex:hasResult _:r . _:r ex:of ?i } .
            """,
            "--steps",
            "3",
        )

        assert done.code == 0, done.err
        assert [step["facts"] for step in b.trace] == [b.trace[0]["facts"]] * 3
        assert await _count_results(b) == 6


async def _count_results(b: Bench) -> int:
    rules = b.folder / "program.n3"
    out = b.folder / "out.nt"
    done = await b.run_command("run", "-p", rules, "-o", out)
    assert done.code == 0, done.err
    lines = [line for line in out.read_text(encoding="utf-8").splitlines() if "hasResult" in line]
    return len({line.split()[2] for line in lines})


async def test_a_dry_run_decides_and_sends_nothing(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        done = await b.run(CONFLICT, "--dry-run")

        assert done.code == 0, done.err
        assert b.server.writes() == []
        assert "/y" in done.out
