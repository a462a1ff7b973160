"""What changed in a container, told in one request, and its members in one."""

import re
from collections.abc import Iterable

import pytest
from pyoxigraph import DefaultGraph, NamedNode, Quad, RdfFormat, parse

from ldp_server import Settings
from tests.support.ldp import Answer, Ldp

AS = "https://www.w3.org/ns/activitystreams#"
FEED = "https://w3id.org/milepost/ldp#"
PLAIN = "application/n-triples"


@pytest.fixture
def limits() -> Settings:
    return Settings(max_view=20_000)


def read(answer: Answer) -> list[Quad]:
    assert answer.status == 200, answer.body
    form = RdfFormat.from_media_type(answer.headers["Content-Type"])
    assert form is not None
    return list(parse(answer.body, form))


def values(quads: Iterable[Quad], term: str) -> dict[str, str]:
    return {
        getattr(quad.subject, "value", ""): getattr(quad.object, "value", "")
        for quad in quads
        if quad.predicate.value == term
    }


def told(answer: Answer) -> dict[str, str]:
    """Return what an answer says of each resource: the activity and the version."""
    quads = read(answer)
    kinds = values(quads, "http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    versions = values(quads, FEED + "version")
    subtrees = values(quads, FEED + "subtreeVersion")
    return {
        iri: " ".join(
            filter(None, [kinds[node].removeprefix(AS), versions.get(node), "below" * (node in subtrees)])
        )
        for node, iri in values(quads, AS + "object").items()
    }


def link(answer: Answer, term: str) -> str:
    found = re.search(rf'<([^>]*)>; rel="{re.escape(FEED)}{term}"', answer.headers["Link"])
    assert found is not None, answer.headers["Link"]
    return found[1]


def version(answer: Answer) -> str:
    return answer.headers["ETag"].strip('"').partition("-")[0]


def next_of(answer: Answer) -> str:
    [target] = values(read(answer), AS + "next").values()
    return "/" + target.split("/", 3)[3]


async def test_what_changed_is_told_in_one_answer(ldp: Ldp) -> None:
    for name in ("a", "b", "c", "box/deep/doc"):
        await ldp.put(f"/c/{name}", "<> <http://v/> 1 .")
    start = "/c/" + link(await ldp.get("/c/"), "changes")
    assert told(await ldp.get(start)) == {}
    changed = await ldp.put("/c/a", "<> <http://v/> 2 .")
    await ldp.send("DELETE", "/c/b")
    await ldp.put("/c/passing", "")
    await ldp.send("DELETE", "/c/passing")
    created = await ldp.post("/c/", "<> <http://v/> 3 .", Slug="new")
    await ldp.put("/elsewhere", "")
    await ldp.put("/c/box/deep/other", "")
    own = await ldp.put("/c/", "<> <http://v/> 4 .")
    answer = await ldp.get(start, Accept=PLAIN)
    assert told(answer) == {
        f"{ldp.base}/c/a": f"Update {version(changed)}",
        f"{ldp.base}/c/b": "Delete",
        f"{ldp.base}/c/new": f"Create {version(created)}",
        f"{ldp.base}/c/box/": "Update below",
        f"{ldp.base}/c/": f"Update {version(own)}",
    }
    assert told(await ldp.get(next_of(answer))) == {}
    assert (
        ldp.graph(answer)
        == ldp.graph(await ldp.get(start))
        == ldp.graph(await ldp.get(start, Accept="application/ld+json"))
    )
    await ldp.put("/c/a", "<> <http://v/> 5 .")
    assert set(told(await ldp.get(next_of(answer)))) == {f"{ldp.base}/c/a"}
    below = await ldp.get("/c/box/?since=" + start.partition("=")[2])
    assert {iri: kind.split()[0] for iri, kind in told(below).items()} == {
        f"{ldp.base}/c/box/deep/": "Update"
    }


async def test_nothing_new_costs_less_than_200_bytes(ldp: Ldp) -> None:
    await ldp.put("/things/a", "<> <http://v/> 1 .")
    start = "/things/" + link(await ldp.get("/things/"), "changes")
    await ldp.put("/things/a", "<> <http://v/> 2 .")
    answer = await ldp.get(start)
    for target in (start, next_of(answer)):
        again = await ldp.get(target, **{"If-None-Match": answer.headers["ETag"]})
        assert again.status == 304
        head = "".join(f"{name}: {value}\r\n" for name, value in again.headers.items())
        assert len(f"HTTP/1.1 304 Not Modified\r\n{head}\r\n") <= 200
    await ldp.put("/things/b/c", "")
    for target in (start, next_of(answer)):
        later = await ldp.get(target, **{"If-None-Match": answer.headers["ETag"]})
        assert later.status == 200
        assert f"{ldp.base}/things/b/" in told(later)


async def test_bodies_come_along_on_request(ldp: Ldp) -> None:
    start = "/c/" + link(await ldp.get("/"), "changes")
    await ldp.put("/c/a", "<> <http://v/> [ <http://w/> 'x _:b0' ] .")
    await ldp.put("/c/b", "<> <http://v/> [ <http://w/> 'y' ] .")
    await ldp.put("/c/p", b"\x89PNG", "image/png")
    merged = read(await ldp.get(start + "&bodies"))
    assert {str(quad.object) for quad in merged if quad.predicate.value == "http://w/"} == {'"x _:b0"', '"y"'}
    assert len({quad.object for quad in merged if quad.predicate.value == "http://v/"}) == 2
    for media_type in ("application/n-quads", "application/trig"):
        apart = read(await ldp.get(start + "&bodies", Accept=media_type))
        graphs = {quad.graph_name for quad in apart if quad.predicate.value in {"http://v/", "http://w/"}}
        assert graphs == {NamedNode(f"{ldp.base}/c/a"), NamedNode(f"{ldp.base}/c/b")}
        assert {quad.graph_name for quad in apart if quad.predicate.value.startswith(AS)} == {DefaultGraph()}
    await ldp.put("/c/a", f"<> <http://v/> '{'x' * 19_000}' .")
    assert (await ldp.get(start + "&bodies")).status == 200
    await ldp.put("/c/b", f"<> <http://v/> '{'x' * 1_000}' .")
    refused = await ldp.get(start + "&bodies")
    assert (refused.status, refused.problem["code"]) == (413, "LDP062")
    assert (await ldp.get(start)).status == 200


async def test_members_come_inlined_under_one_tag(ldp: Ldp) -> None:
    a = await ldp.put("/c/a", "<#it> <http://v/> [] .")
    await ldp.put("/c/box/b", "<> <http://v/> 2 .")
    await ldp.put("/c/p", b"\x89PNG", "image/png")
    view = "/c/" + link(await ldp.get("/c/"), "inlined")
    first = await ldp.get(view, Accept="application/n-quads")
    quads = read(first)
    graphs = {getattr(quad.graph_name, "value", "") for quad in quads}
    assert graphs == {"", f"{ldp.base}/c/a", f"{ldp.base}/c/box/", f"{ldp.base}/c/p.meta"}
    assert values(quads, FEED + "version")[f"{ldp.base}/c/a"] == version(a)
    assert values(quads, FEED + "subtreeVersion") == {f"{ldp.base}/c/": version(first)}
    contained = {str(quad.object) for quad in quads if quad.predicate.value.endswith("#contains")}
    assert contained == {f"<{ldp.base}/c/{name}>" for name in ("a", "box/", "p", "box/b")}
    merged = await ldp.get(view)
    assert len(read(merged)) == len(quads)
    held = {"If-None-Match": merged.headers["ETag"]}
    await ldp.put("/elsewhere", "")
    assert (await ldp.get(view, **held)).status == 304
    assert (await ldp.get(view)).body == merged.body
    listing = (await ldp.get("/c/")).headers["ETag"]
    await ldp.put("/c/box/b", "<> <http://v/> 3 .")
    moved = await ldp.get(view, **held)
    assert moved.status == 200
    assert moved.headers["ETag"] != merged.headers["ETag"]
    assert (await ldp.get("/c/")).headers["ETag"] == listing
    assert told(await ldp.get(f"/c/?since={version(first)}")) == {f"{ldp.base}/c/box/": "Update below"}
    await ldp.put("/c/large", f"<> <http://v/> '{'x' * 20_000}' .")
    refused = await ldp.get(view)
    assert (refused.status, refused.problem["code"]) == (413, "LDP062")
    told_after = await ldp.get("/c/" + link(refused, "changes").partition("/c/")[2])
    assert told_after.status == 200


async def test_what_a_container_says_itself_counts_for_what_is_inlined(ldp: Ldp) -> None:
    await ldp.put("/c/", "".join(f"<> <http://v/> {number} ." for number in range(1000)))
    await ldp.put("/many/box/", "")
    for number in range(300):
        await ldp.put(f"/many/box/{number}", "")
    for path in ("/c/", "/many/"):
        refused = await ldp.get(f"{path}?inlined")
        assert (refused.status, refused.problem["code"]) == (413, "LDP062")
        assert 'ldp#BasicContainer>; rel="type"' in refused.headers["Link"]
        assert (await ldp.get(link(refused, "changes").removeprefix(ldp.base))).status == 200


async def test_questions_that_cannot_be_answered_are_refused(ldp: Ldp) -> None:
    await ldp.put("/c/a", "")
    now = int(link(await ldp.get("/c/"), "changes").partition("=")[2])
    asked = {
        f"/c/?since={now}": 200,
        f"/c/?since={now}&bodies": 200,
        "/c/?since=0": 410,
        f"/c/?since={now + 1}": 410,
        "/c/?since=9999999999999999999": 400,
        "/c/?since=": 400,
        "/c/?since": 400,
        "/c/?since=-1": 400,
        "/c/?since=1e3": 400,
        "/c/?since=%D9%A1": 400,
        f"/c/?since={now}&since={now}": 400,
        f"/c/?since={now}&bodies=yes": 400,
        f"/c/?since={now}&x=1": 400,
        "/c/?since=1&a=1&b=2&c=3&d=4": 404,
        f"/c/a?since={now}": 404,
        f"/none/?since={now}": 404,
        "/none/?inlined": 404,
        "/c/?inlined=1": 404,
        "/c/?other": 404,
    }
    assert {target: (await ldp.get(target)).status for target in asked} == asked
    for method in ("PUT", "POST", "DELETE"):
        assert (await ldp.send(method, f"/c/?since={now}")).status == 404
    gone = await ldp.get("/c/?since=0")
    assert gone.problem["code"] == "LDP061"
    anew = "/c/" + link(await ldp.get("/c/"), "changes")
    assert (await ldp.get(anew)).status == 200
    head = await ldp.send("HEAD", f"/c/?since={now}")
    assert (head.status, head.body) == (200, b"")
    assert link(await ldp.send("OPTIONS", "/c/"), "inlined") == "?inlined"
