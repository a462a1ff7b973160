"""PATCH over real sockets: statuses, headers, preconditions, containers, and patches at once."""

import asyncio

import pytest

from ldp_server import Settings
from tests.support.depth import depth
from tests.support.ldp import Answer, Ldp, running_ldp

HEAD = "@prefix solid: <http://www.w3.org/ns/solid/terms#> .\n"
LDP = "http://www.w3.org/ns/ldp#"
PATCHES = "text/n3, application/sparql-update"


async def n3(ldp: Ldp, path: str, parts: str, **headers: str) -> Answer:
    body = f"{HEAD}_:p a solid:InsertDeletePatch ; {parts} .".encode()
    return await ldp.send("PATCH", path, body, **{"Content-Type": "text/n3", **headers})


async def sparql(ldp: Ldp, path: str, text: str, **headers: str) -> Answer:
    body = text.encode()
    return await ldp.send("PATCH", path, body, **{"Content-Type": "application/sparql-update", **headers})


async def test_a_patch_changes_a_document_and_gives_its_new_tag(ldp: Ldp) -> None:
    before = await ldp.put("/c/x", "<#it> <http://v/> 1 ; <http://w/> [ <http://v/> 2 ] .")
    changed = await n3(
        ldp, "/c/x", "solid:deletes { <#it> <http://v/> 1 } ; solid:inserts { <#it> <http://v/> 3 }"
    )
    read = await ldp.get("/c/x")
    assert (changed.status, changed.body, changed.headers["ETag"]) == (204, b"", read.headers["ETag"])
    assert changed.headers["ETag"] != before.headers["ETag"]
    assert changed.headers["Accept-Patch"] == PATCHES
    it = f"<{ldp.base}/c/x#it>"
    assert ldp.graph(read) == ldp.triples(f"{it} <http://v/> 3 ; <http://w/> [ <http://v/> 2 ] .")
    changed = await sparql(ldp, "/c/x", "DELETE WHERE { ?s <http://w/> ?b . ?b <http://v/> ?two }")
    assert changed.status == 204
    assert ldp.graph(await ldp.get("/c/x")) == ldp.triples(f"{it} <http://v/> 3 .")


async def test_a_patch_creates_what_is_not_there_with_the_containers_above(ldp: Ldp) -> None:
    made = await n3(ldp, "/a/b/x", "solid:inserts { <#it> <http://v/> 1 }")
    assert (made.status, made.headers["Location"]) == (201, f"{ldp.base}/a/b/x")
    assert ldp.graph(await ldp.get("/a/b/x")) == ldp.triples(f"<{ldp.base}/a/b/x#it> <http://v/> 1 .")
    assert await ldp.members("/a/") == [f"{ldp.base}/a/b/"]
    assert (await sparql(ldp, "/k/", "INSERT DATA { <> <http://v/> 1 }")).status == 201
    assert (await n3(ldp, "/a/b", "solid:inserts { <> <http://v/> 1 }")).problem["code"] == "LDP013"
    assert (await n3(ldp, "/a/b/x/y", "solid:inserts { <> <http://v/> 1 }")).problem["code"] == "LDP013"
    assert (await n3(ldp, "/none", "solid:deletes { <> <http://v/> 1 }")).status == 409
    assert (await ldp.get("/none")).status == 404


@pytest.mark.parametrize(
    ("media_type", "body", "status", "code"),
    [
        ("text/n3", "oops", 400, "LDP070"),
        ("text/n3", b"\xff", 400, "LDP070"),
        ("text/n3", HEAD, 422, "LDP071"),
        ("application/sparql-update", "CLEAR ALL", 422, "LDP071"),
        ("application/sparql-update", "INSERT DATA { ?x <http://v/> 1 }", 400, "LDP070"),
        ("text/turtle", "<> <#p> 1 .", 415, "LDP005"),
        ("text/n3; charset=utf-16", HEAD, 415, "LDP005"),
        ("", HEAD, 400, "LDP003"),
        ("text/n3", "#" * 9_001, 413, "LDP006"),
    ],
)
async def test_patches_that_are_refused_leave_no_trace(
    media_type: str, body: str | bytes, status: int, code: str
) -> None:
    settings = Settings(max_patch=9_000)
    async with running_ldp(settings=settings) as server, Ldp(server) as ldp:
        tag = (await ldp.put("/x", "<#it> <http://v/> 1 .")).headers["ETag"]
        data = body if isinstance(body, bytes) else body.encode()
        refused = await ldp.send("PATCH", "/x", data, **{"Content-Type": media_type})
        assert (refused.status, refused.problem["code"]) == (status, code)
        assert refused.headers["Accept-Patch"] == PATCHES
        assert (await ldp.get("/x")).headers["ETag"] == tag
        assert (await n3(ldp, "/x", "solid:deletes { <#it> <http://v/> 2 }")).problem["code"] == "LDP072"
        assert (await ldp.get("/x")).headers["ETag"] == tag


async def test_preconditions_hold_for_patches(ldp: Ldp) -> None:
    tag = (await ldp.put("/x", "<> <http://v/> 1 .")).headers["ETag"]
    parts = "solid:inserts { <> <http://v/> 2 }"
    statuses = [
        (await n3(ldp, "/x", parts, **{"If-None-Match": "*"})).status,
        (await n3(ldp, "/x", parts, **{"If-Match": '"1-ttl"'})).status,
        (await n3(ldp, "/none", parts, **{"If-Match": "*"})).status,
        (await n3(ldp, "/x", parts, **{"If-Match": tag})).status,
        (await n3(ldp, "/x", parts, **{"If-Match": tag})).status,
        (await n3(ldp, "/new", parts, **{"If-None-Match": "*"})).status,
    ]
    assert statuses == [412, 412, 412, 204, 412, 201]


async def test_a_patch_of_a_container_changes_its_own_triples_only(ldp: Ldp) -> None:
    await ldp.put("/c/x", "")
    here, member = f"<{ldp.base}/c/>", f"<{ldp.base}/c/x>"
    for protected in (
        f"solid:deletes {{ {here} <{LDP}contains> {member} }}",
        f"solid:inserts {{ {here} <{LDP}contains> <{ldp.base}/c/y> }}",
        f"solid:deletes {{ {here} a <{LDP}Container> }}",
        f"solid:where {{ ?c <{LDP}contains> {member} }} ; solid:deletes {{ ?c <{LDP}contains> {member} }}",
    ):
        assert (await n3(ldp, "/c/", protected)).problem["code"] == "LDP014"
    found = f"solid:where {{ ?c <{LDP}contains> ?m }} ; solid:inserts {{ ?c <http://first/> ?m ; a <{LDP}Container> }}"
    assert (await n3(ldp, "/c/", found)).status == 204
    assert await ldp.members("/c/") == [f"{ldp.base}/c/x"]
    listing = (await ldp.get("/c/", Accept="application/n-triples")).body.decode().splitlines()
    assert (len(listing), listing.count(f"{here} <http://first/> {member} .")) == (5, 1)
    assert (await sparql(ldp, "/c/", "DELETE WHERE { ?s ?p ?o }")).problem["code"] == "LDP014"


async def test_a_patch_sees_the_types_that_a_container_shows(ldp: Ldp) -> None:
    await ldp.put("/c/", "")
    copied = "INSERT { <> <http://v/copy> ?type } WHERE { <> a ?type }"
    answer = await ldp.send("PATCH", "/c/", copied.encode(), **{"Content-Type": "application/sparql-update"})
    assert answer.status == 204
    shown = (await ldp.get("/c/", Accept="application/n-triples")).body.decode().splitlines()
    types = {line.split(" ")[2] for line in shown if "#type>" in line}
    assert {line.split(" ")[2] for line in shown if "/copy>" in line} == types


async def test_content_takes_no_patch_and_its_description_does(ldp: Ldp) -> None:
    await ldp.put("/p.png", b"x", "image/png")
    refused = await n3(ldp, "/p.png", "solid:inserts { <> <http://v/> 1 }")
    changed = await n3(ldp, "/p.png.meta", "solid:inserts { <> <http://v/> 1 }")
    assert (refused.status, refused.headers["Allow"]) == (405, "GET, HEAD, OPTIONS, PUT, DELETE")
    assert "Accept-Patch" not in refused.headers
    assert (changed.status, (await ldp.get("/p.png")).body) == (204, b"x")
    assert "describes" in changed.headers["Link"]


async def test_a_patch_is_told_as_a_change(ldp: Ldp) -> None:
    await ldp.put("/c/x", "")
    before = (await ldp.get("/c/")).headers["ETag"].strip('"').partition("-")[0]
    for path in ("/c/x", "/c/new"):
        await n3(ldp, path, "solid:inserts { <> <http://v/> 1 }")
    told = (await ldp.get(f"/c/?since={before}", Accept="application/n-triples")).body.decode()
    activity = "https://www.w3.org/ns/activitystreams#"
    assert [told.count(f"<{activity}{kind}>") for kind in ("Update", "Create")] == [1, 1]


async def test_a_service_gets_no_patches_and_promises_none(ldp: Ldp) -> None:
    page = await ldp.get("/.milepost/constraints")
    assert ("PATCH" in page.headers["Allow"], "Accept-Patch" in page.headers) == (False, False)
    assert (await n3(ldp, "/.milepost/x", "solid:inserts { <> <http://v/> 1 }")).status == 403


def moved(number: int) -> str:
    return (
        f"solid:deletes {{ <#it> <http://v/> {number} }} ; solid:inserts {{ <#it> <http://v/> {number + 1} }}"
    )


async def test_patches_at_once_add_up(ldp: Ldp) -> None:
    """Two hundred clients insert a triple each, others one with a blank node for what they find by a variable."""
    clients, finders = 200, depth(40, 200)
    found = "INSERT { ?it <http://new/> [ <http://of/> ?it ] } WHERE { ?it <http://v/> 0 }"
    await ldp.put("/sum", "<#it> <http://v/> 0 .")
    answers = await asyncio.gather(
        *(n3(ldp, "/sum", f"solid:inserts {{ <#it> <http://by/> {number} }}") for number in range(clients)),
        *(sparql(ldp, "/sum", found) for _ in range(finders)),
    )
    assert {answer.status for answer in answers} == {204}
    assert len({answer.headers["ETag"] for answer in answers}) == clients + finders
    lines = (await ldp.get("/sum", Accept="application/n-triples")).body.decode().splitlines()
    assert len(lines) == 1 + clients + 2 * finders


async def test_of_patches_that_compare_and_set_exactly_one_wins(ldp: Ldp) -> None:
    await ldp.put("/x", "<#it> <http://v/> 0 .")
    for trial in range(depth(100, 1000)):
        answers = await asyncio.gather(*(n3(ldp, "/x", moved(trial)) for _ in range(4)))
        assert sorted(answer.status for answer in answers) == [204, 409, 409, 409]
    last = depth(100, 1000)
    assert f'"{last}"' in (await ldp.get("/x", Accept="application/n-triples")).body.decode()


async def test_patches_worked_out_beside_the_commit_lose_no_update(ldp: Ldp) -> None:
    """The document is too long to be patched inside the commit; other writes come between."""
    many = " , ".join(str(number) for number in range(1000))
    await ldp.put("/long", f"<#it> <http://filler/of/some/length/to/make/it/long> {many} .")
    await ldp.put("/c/", f"<> <http://filler/of/some/length> {many} .")
    for trial in range(depth(3, 100)):
        patches = [
            n3(ldp, "/long", f"solid:inserts {{ <#it> <http://by/> {100 * trial + number} }}")
            for number in range(8)
        ]
        posts = [ldp.post("/c/", "") for _ in range(4)]
        found = "solid:where { ?c a <http://www.w3.org/ns/ldp#BasicContainer> } ; solid:inserts { ?c <http://by/> %s }"
        patches += [n3(ldp, "/c/", found % (100 * trial + number)) for number in range(4)]
        answers = await asyncio.gather(*patches, *posts)
        assert {answer.status for answer in answers} == {204, 201}
    for path, count in (("/long", 8), ("/c/", 4)):
        body = (await ldp.get(path, Accept="application/n-triples")).body
        assert body.count(b"<http://by/>") == count * depth(3, 100)
