"""Faults of entity tags that other servers had, each named by its public issue: ours avoids them."""

from ldp_server import MemoryStore, RunningServer, Store
from tests.support.depth import depth
from tests.support.ldp import Ldp
from tests.support.ldp_wire import wires

SYNTAXES = ("text/turtle", "application/ld+json", "application/n-triples", "application/rdf+xml")


async def tag(ldp: Ldp, path: str, **headers: str) -> str:
    answer = await ldp.get(path, **headers)
    assert answer.status == 200
    return answer.headers["ETag"]


async def test_writes_within_a_second_share_no_tag(server: RunningServer, store: Store) -> None:
    """CommunitySolidServer #2101: the tag was a time in seconds, and readers kept getting 304 on changed data."""
    count = depth(300 if isinstance(store, MemoryStore) else 60, 1000)
    tags, stale = [], '"none"'
    async with wires(server, 1) as [wire]:
        for number in range(count):
            tags.append((await wire.put("/x", f"<> <http://v/> {number % 2} .")).tag)
            read = await wire.send("GET", "/x", If_None_Match=stale)
            assert (read.status, read.tag) == (200, tags[-1])
            stale = read.tag
    assert len(set(tags)) == count


async def test_turtle_and_json_ld_of_one_resource_have_tags_of_their_own(ldp: Ldp) -> None:
    """CommunitySolidServer #1605: both carried one tag, so a cache took one for the other."""
    await ldp.put("/x", "<> <#p> 1 .")
    for path in ("/x", "/"):
        tags = {syntax: await tag(ldp, path, Accept=syntax) for syntax in SYNTAXES}
        assert len(set(tags.values())) == len(SYNTAXES)
        for syntax in SYNTAXES:
            for held, of_syntax in ((tags[each], each) for each in SYNTAXES):
                answer = await ldp.get(path, Accept=syntax, **{"If-None-Match": held})
                assert answer.status == (304 if of_syntax == syntax else 200)
    for number, syntax in enumerate(SYNTAXES):
        written = await ldp.put(
            "/x", f"<> <#p> {number} .", **{"If-Match": await tag(ldp, "/x", Accept=syntax)}
        )
        assert written.status == 204, syntax


async def test_a_reader_that_has_the_state_already_is_told_304(ldp: Ldp) -> None:
    """CommunitySolidServer #1581: If-None-Match was ignored and every answer was 200."""
    await ldp.put("/c/x", "<> <#p> 1 .")
    await ldp.put("/c/small", b"\x00", "image/png")
    await ldp.put("/c/large", b"\x00" * 100_000, "image/png")
    for path in ("/c/x", "/c/", "/", "/c/small", "/c/small.meta", "/c/large", "/c/?inlined"):
        for method in ("GET", "HEAD"):
            held = (await ldp.send(method, path)).headers["ETag"]
            for header in (held, f"W/{held}", f'"other", {held}', "*"):
                answer = await ldp.send(method, path, **{"If-None-Match": header})
                assert (answer.status, answer.body, answer.headers["ETag"]) == (304, b"", held), (
                    path,
                    header,
                )


async def test_head_and_get_give_the_same_strong_tag(ldp: Ldp) -> None:
    """node-solid-server #1370 (weak on HEAD, none on GET) and trellis #393 (weak): If-Match could not be used."""
    await ldp.put("/c/x", "<> <#p> 1 .")
    await ldp.put("/c/p", b"\x00", "image/png")
    for path, body, media_type in (
        ("/c/x", "<> <#p> 2 .", "text/turtle"),
        ("/c/", "<> <#p> 3 .", "text/turtle"),
        ("/c/p", b"\x01", "image/png"),
        ("/c/p.meta", "<> <#p> 4 .", "text/turtle"),
    ):
        read, head = await ldp.get(path), await ldp.send("HEAD", path)
        assert ldp.lasting(head) == ldp.lasting(read)
        held = read.headers["ETag"]
        assert held.startswith('"')
        assert (await ldp.put(path, body, media_type, **{"If-Match": held})).status == 204
        assert (await ldp.put(path, body, media_type, **{"If-Match": held})).status == 412


async def test_a_container_has_a_new_tag_after_each_child_that_comes_or_goes(ldp: Ldp) -> None:
    """fcrepo PR #1810 and PR #1098: tag and modification stayed when a child was added or deleted."""
    await ldp.put("/c/", "")
    tags = [await tag(ldp, "/c/")]
    for method, path, body, media_type in (
        ("PUT", "/c/a", b"", "text/turtle"),
        ("POST", "/c/", b"", "text/turtle"),
        ("PUT", "/c/p", b"x", "image/png"),
        ("PUT", "/c/box/deep", b"", "text/turtle"),
        ("DELETE", "/c/a", b"", ""),
        ("DELETE", "/c/p", b"", ""),
        ("DELETE", "/c/1", b"", ""),
    ):
        written = await ldp.send(method, path, body, **{"Content-Type": media_type})
        assert written.status in {201, 204}
        stale = await ldp.get("/c/", **{"If-None-Match": tags[-1]})
        assert stale.status == 200, (method, path)
        tags.append(stale.headers["ETag"])
    assert len(set(tags)) == len(tags)


async def test_a_link_from_elsewhere_leaves_the_tag_alone(ldp: Ldp) -> None:
    """fcrepo #442: another resource that linked here changed the tag, and writers got 412 for nothing."""
    await ldp.put("/c/x", "<> <#p> 1 .")
    before = [await tag(ldp, path) for path in ("/c/x", "/c/")]
    await ldp.put("/d/y", "<> <http://links/> </c/x>, </c/> .")
    await ldp.put("/c/x/", "")
    assert [await tag(ldp, path) for path in ("/c/x", "/c/")] == before
    assert (await ldp.put("/c/x", "<> <#p> 2 .", **{"If-Match": before[0]})).status == 204
    assert await tag(ldp, "/c/") == before[1]


async def test_a_view_that_shows_a_child_is_never_304_after_the_child_changed(ldp: Ldp) -> None:
    """JavaScriptSolidServer #318: the container listed its children's metadata under a tag that did not move.

    Our plain listing shows nothing of a member but its name; the view with inlined members does.
    """
    await ldp.put("/c/x", "<> <http://v/> 1 .")
    await ldp.put("/c/box/y", "<> <http://v/> 1 .")
    await ldp.put("/c/p", b"x", "image/png")
    for change in ("/c/x", "/c/p.meta"):
        listed, inlined = await ldp.get("/c/"), await ldp.get("/c/?inlined")
        await ldp.put(change, "<> <http://v/> 2 .")
        held = {"If-None-Match": inlined.headers["ETag"]}
        after = await ldp.get("/c/?inlined", **held)
        assert (after.status, after.body == inlined.body) == (200, False)
        again = await ldp.get("/c/")
        assert (again.body, again.headers["ETag"]) == (listed.body, listed.headers["ETag"])
    deep = await ldp.get("/c/?inlined")
    await ldp.put("/c/box/z", "")
    assert (await ldp.get("/c/?inlined", **{"If-None-Match": deep.headers["ETag"]})).status == 200
