"""What a profile adds to the server, over real sockets: constraints, names that are kept, preferences, pages of other sites."""

import asyncio
import contextlib
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from msgspec.structs import replace

from ldp_server import MemoryStore, open_sqlite_store, serve
from ldp_server.settings import PROFILES
from tests.support.depth import depth
from tests.support.ldp import Answer, Ldp, running_ldp

LDP = "http://www.w3.org/ns/ldp#"
CONFORMANCE = PROFILES["conformance"]
RDF_SOURCE = f"<{LDP}RDFSource>".encode()
SITE = "https://app.example"


def _constrained_by(answer: Answer, ldp: Ldp) -> bool:
    return f'<{ldp.base}/.milepost/constraints>; rel="{LDP}constrainedBy"' in answer.headers["Link"]


async def test_in_the_profile_conformance_a_refusal_leads_to_its_constraint() -> None:
    async with running_ldp(settings=CONFORMANCE) as server, Ldp(server) as ldp:
        await ldp.put("/a", "<> <http://v/> 1 .")
        unconditional = await ldp.put("/a", "")
        read_only = await ldp.put("/b", "<> <http://www.w3.org/ns/ldp#contains> <c> .")
        malformed = await ldp.put("/b", "no Turtle")
        page = await ldp.get("/.milepost/constraints")

        assert (unconditional.status, unconditional.problem["code"]) == (428, "LDP041")
        assert (read_only.status, read_only.problem["code"]) == (409, "LDP042")
        assert _constrained_by(unconditional, ldp)
        assert _constrained_by(read_only, ldp)
        assert "constrainedBy" not in malformed.headers.get("Link", "")
        for code in ("LDP014", "LDP040", "LDP041", "LDP042"):
            assert f"<{ldp.base}/.milepost/constraints#{code}>".encode() in page.body
        assert (
            f"references> <{LDP}contains>".encode()
            in (await ldp.get("/.milepost/constraints", Accept="application/n-triples")).body
        )
        assert page.headers["Allow"] == "GET, HEAD, OPTIONS"
        again = await ldp.get("/.milepost/constraints", **{"If-None-Match": page.headers["ETag"]})
        assert again.status == 304
        options = await ldp.send("OPTIONS", "/.milepost/constraints")
        assert (options.status, options.headers["Allow"]) == (204, "GET, HEAD, OPTIONS")
        assert (await ldp.put("/.milepost/constraints", "")).status == 403


async def test_a_path_that_nobody_may_write_leads_to_its_constraint() -> None:
    async with running_ldp(MemoryStore()) as server, Ldp(server) as ldp:
        for path, code in (("/.milepost/x", "LDP016"), ("/a//b", "LDP002")):
            refused = await ldp.put(path, "")
            assert refused.problem["code"] == code
            assert f'<{ldp.base}/.milepost/constraints>; rel="{LDP}constrainedBy"' in refused.headers["Link"]


async def test_a_page_of_the_server_tells_its_kind_in_every_answer() -> None:
    async with running_ldp(MemoryStore()) as server, Ldp(server) as ldp:
        for accept in ("text/turtle", "image/png"):
            answer = await ldp.get("/.milepost/constraints", Accept=accept)
            assert f'<{LDP}RDFSource>; rel="type"' in answer.headers["Link"]


async def test_the_relaxed_profile_lists_only_the_constraints_that_it_has() -> None:
    async with running_ldp() as server, Ldp(server) as ldp:
        page = await ldp.get("/.milepost/constraints")
        refused = await ldp.put("/", "<> <http://www.w3.org/ns/ldp#contains> <c> .")

        assert b"#LDP014>" in page.body
        assert [code for code in (b"LDP040", b"LDP041", b"LDP042") if code in page.body] == []
        assert _constrained_by(refused, ldp)


async def test_in_the_profile_conformance_what_was_deleted_is_gone_for_good() -> None:
    async with running_ldp(settings=CONFORMANCE) as server, Ldp(server) as ldp:
        await ldp.put("/c/a", "<> <http://v/> 1 .")
        assert (await ldp.send("DELETE", "/c/a")).status == 204

        answers = [
            await ldp.get("/c/a"),
            await ldp.send("HEAD", "/c/a"),
            await ldp.send("OPTIONS", "/c/a"),
            await ldp.put("/c/a", ""),
        ]

        assert [answer.status for answer in answers] == [410, 410, 410, 410]
        assert answers[0].problem["code"] == "LDP040"
        assert answers[0].headers["Allow"] == "GET, HEAD, OPTIONS"
        assert "Accept-Put" not in answers[0].headers
        assert (await ldp.get("/c/b")).status == 404
        assert (await ldp.post("/c/", "", Slug="a")).headers["Location"] != f"{ldp.base}/c/a"


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
async def test_of_rivals_without_a_condition_one_creates_and_the_others_are_told_to_look(
    kind: str, tmp_path: Path
) -> None:
    store = MemoryStore() if kind == "memory" else open_sqlite_store(tmp_path)
    async with running_ldp(store, settings=CONFORMANCE) as server, Ldp(server) as ldp:
        for place in range(depth(5, 200)):
            rivals = [ldp.put(f"/{place}", f"<> <http://v/> {rival} .") for rival in range(16)]
            answers = await asyncio.gather(*rivals)
            first = answers[[answer.status for answer in answers].index(201)]

            assert sorted(answer.status for answer in answers) == [201, *[428] * 15]
            assert (await ldp.get(f"/{place}")).headers["ETag"] == first.headers["ETag"]


async def test_a_document_has_its_type_once_whoever_wrote_it() -> None:
    async with running_ldp(settings=CONFORMANCE) as server, Ldp(server) as ldp:
        await ldp.put("/bare", "<> <http://v/> 1 .")
        await ldp.put("/typed", f"<> a <{LDP}RDFSource> .")
        bare = await ldp.get("/bare", Accept="application/n-triples")
        typed = await ldp.get("/typed", Accept="application/n-triples")

        assert ldp.graph(bare) == ldp.triples(f"<{ldp.base}/bare> <http://v/> 1 ; a <{LDP}RDFSource> .")
        assert typed.body.count(b"RDFSource") == 1


def _wish(parameter: str, name: str) -> dict[str, str]:
    return {"Prefer": f'return=representation; {parameter}="{LDP}{name}"'}


async def test_a_container_without_its_members_has_a_tag_of_its_own() -> None:
    async with running_ldp() as server, Ldp(server) as ldp:
        await ldp.put("/c/", "<> <http://v/> 1 .")
        await ldp.put("/c/m", "")
        whole = await ldp.get("/c/")
        minimal = await ldp.get("/c/", **_wish("include", "PreferMinimalContainer"))
        without = await ldp.get("/c/", **_wish("omit", "PreferContainment"))
        contained = await ldp.get("/c/", **_wish("include", "PreferContainment"))

        assert b"contains" in whole.body
        assert b"contains" not in minimal.body
        assert b"http://v/" in minimal.body
        assert (without.body, without.headers["ETag"]) == (minimal.body, minimal.headers["ETag"])
        assert (contained.body, contained.headers["ETag"]) == (whole.body, whole.headers["ETag"])
        assert whole.headers["ETag"] != minimal.headers["ETag"]
        assert "Preference-Applied" not in whole.headers
        for answer in (minimal, without, contained):
            assert answer.headers["Preference-Applied"] == "return=representation"
            assert answer.headers["Vary"] == "Accept, Prefer"
        held = {"If-None-Match": minimal.headers["ETag"]}
        assert (await ldp.get("/c/", **held)).status == 200
        assert (await ldp.get("/c/", **_wish("omit", "PreferContainment"), **held)).status == 304
        replaced = await ldp.put("/c/", "<> <http://v/> 2 .", **{"If-Match": minimal.headers["ETag"]})
        assert replaced.status == 204
        assert (await ldp.get("/c/m", **_wish("omit", "PreferContainment"))).headers["Vary"] == "Accept"


async def test_pages_of_other_sites_get_no_permission_unless_they_are_named() -> None:
    async with running_ldp() as server, Ldp(server) as ldp:
        asked = {"Origin": SITE, "Access-Control-Request-Method": "PUT"}
        await ldp.put("/a", "")
        preflight = await ldp.send("OPTIONS", "/a", **asked)
        read = await ldp.get("/a", Origin=SITE)
        written = await ldp.put("/a", "", Origin=SITE)
        opaque = await ldp.post("/", "", Origin="null")
        own = await ldp.put("/a", "", Origin=ldp.base)
        local = await ldp.put("/a", "", Origin=ldp.base.replace("127.0.0.1", "localhost"))

        assert preflight.status == 204
        assert [name for name in preflight.headers if name.startswith("Access-Control")] == []
        assert (read.status, "Access-Control-Allow-Origin" in read.headers) == (200, False)
        assert read.headers["Vary"] == "Accept"
        assert (written.status, written.problem["code"]) == (403, "LDP043")
        assert opaque.status == 403
        assert (own.status, local.status) == (204, 204)


async def test_a_named_site_is_told_what_it_may_do_also_about_what_is_not_there() -> None:
    settings = replace(PROFILES["relaxed"], cors_origins=frozenset({SITE}))
    async with running_ldp(settings=settings) as server, Ldp(server) as ldp:
        asked = {"Origin": SITE, "Access-Control-Request-Method": "PUT"}
        preflight = await ldp.send("OPTIONS", "/not/there", **asked)
        created = await ldp.put("/a", "", Origin=SITE)
        missing = await ldp.get("/not/there", Origin=SITE)
        other = await ldp.send("OPTIONS", "/a", **{**asked, "Origin": "https://other.example"})
        refused = await ldp.put("/a", "", Origin="https://other.example")
        plain = await ldp.get("/a")
        changes = await ldp.send("OPTIONS", "/?since=1", **{**asked, "Access-Control-Request-Method": "GET"})

        assert preflight.status == 204
        assert preflight.headers["Allow"] == preflight.headers["Access-Control-Allow-Methods"]
        assert "PUT" in preflight.headers["Access-Control-Allow-Methods"]
        assert "If-Match" in preflight.headers["Access-Control-Allow-Headers"]
        assert changes.status == 204
        for answer in (preflight, created, missing, changes):
            assert answer.headers["Access-Control-Allow-Origin"] == SITE
            assert "Access-Control-Allow-Credentials" not in answer.headers
        assert "ETag" in created.headers["Access-Control-Expose-Headers"]
        assert (created.status, missing.status) == (201, 404)
        assert "Access-Control-Allow-Origin" not in other.headers
        assert refused.status == 403
        assert plain.headers["Vary"] == "Accept, Origin"
        assert "Access-Control-Allow-Origin" not in plain.headers


async def test_an_asterisk_names_every_site_but_none_that_hides() -> None:
    settings = replace(PROFILES["relaxed"], cors_origins=frozenset({"*"}))
    async with running_ldp(settings=settings) as server, Ldp(server) as ldp:
        assert (await ldp.put("/a", "", Origin=SITE)).headers["Access-Control-Allow-Origin"] == SITE
        hidden = await ldp.put("/a", "", Origin="null")
        assert (hidden.status, "Access-Control-Allow-Origin" in hidden.headers) == (403, False)


async def test_data_served_under_another_profile_have_other_tags_where_they_say_something_else() -> None:
    store = MemoryStore()
    paths = ("/c/a", "/c/photo.meta", "/c/", "/c/?inlined", "/c/?since={}&bodies", "/c/photo")
    shown: dict[tuple[str, str], set[bytes]] = {}
    async with contextlib.AsyncExitStack() as opened:
        opened.push_async_callback(store.close)
        ldps = []
        async with serve(store, port=0) as first:
            base = first.base_url
        for profile in ("relaxed", "conformance"):
            server = await opened.enter_async_context(
                serve(store, port=0, base_url=base, settings=PROFILES[profile])
            )
            ldp = await opened.enter_async_context(Ldp(server))
            ldp.base, ldp.held = f"http://127.0.0.1:{server.port}", {"Host": urlsplit(base).netloc}
            ldps.append(ldp)
        before = store.log.sequence
        written = await ldps[1].put("/c/a", "<> <http://v/> 1 .")
        await ldps[0].put("/c/photo", b"\x89PNG", "image/png")
        for path in paths:
            for ldp in ldps:
                for accept in ("text/turtle", "application/n-triples", "image/png"):
                    answer = await ldp.get(path.format(before), Accept=accept)
                    if answer.status == 200:
                        shown.setdefault((path, answer.headers["ETag"]), set()).add(answer.body)
        held = {"If-None-Match": written.headers["ETag"]}
        again = [(await ldp.get("/c/a", **held)).status for ldp in ldps]
        typed = [
            (await ldp.get("/c/?inlined", Accept="application/n-triples")).body.count(RDF_SOURCE)
            for ldp in ldps
        ]
        replaced = await ldps[0].put("/c/a", "", **{"If-Match": written.headers["ETag"]})

    assert {path for path, _ in shown} == set(paths)
    assert [key for key, bodies in shown.items() if len(bodies) > 1] == []
    assert len([path for path, _ in shown if path == "/c/a"]) == 4
    assert again == [200, 304]
    assert typed == [1, 3]
    assert replaced.status == 204
