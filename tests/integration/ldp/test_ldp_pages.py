"""Pages for people over real sockets: who gets one, its tag, its policy, and the way to the RDF."""

from ldp_server import Settings
from tests.support.html_pages import read_html
from tests.support.ldp import Ldp, running_ldp

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"}
DOCUMENT = '<#it> <http://schema.org/name> "<script>alert(1)</script>" .'


async def test_a_browser_gets_a_page_and_everybody_else_rdf() -> None:
    async with running_ldp() as server, Ldp(server) as ldp:
        await ldp.put("/c/lamp", DOCUMENT)
        answer = await ldp.get("/c/lamp", **BROWSER)
        page = read_html(answer.body)
        head = await ldp.send("HEAD", "/c/lamp", **BROWSER)
        others = [await ldp.get("/c/lamp"), await ldp.get("/c/lamp", Accept="*/*")]

        assert (answer.status, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
        assert answer.headers["ETag"].endswith('-html"')
        assert answer.headers["Vary"] == "Accept"
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'sha256-")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert page.rows == [("schema:name", "<script>alert(1)</script>")]
        assert (f"{ldp.base}/c/", "c") in page.links
        assert (head.status, head.headers["ETag"], head.body) == (200, answer.headers["ETag"], b"")
        assert [other.headers["Content-Type"] for other in others] == ["text/turtle"] * 2


async def test_the_tag_of_a_page_is_one_of_the_state() -> None:
    async with running_ldp() as server, Ldp(server) as ldp:
        await ldp.put("/c/lamp", DOCUMENT)
        tag = (await ldp.get("/c/lamp", **BROWSER)).headers["ETag"]
        listing = (await ldp.get("/c/", **BROWSER)).headers["ETag"]

        again = await ldp.get("/c/lamp", **BROWSER, **{"If-None-Match": tag})
        as_turtle = await ldp.get("/c/lamp", **{"If-None-Match": tag})
        replaced = await ldp.put("/c/lamp", "", **{"If-Match": tag})
        late = await ldp.put("/c/lamp", "", **{"If-Match": tag})
        changed = await ldp.get("/c/lamp", **BROWSER, **{"If-None-Match": tag})
        unchanged_listing = await ldp.get("/c/", **BROWSER, **{"If-None-Match": listing})
        await ldp.put("/c/new", "")
        changed_listing = await ldp.get("/c/", **BROWSER, **{"If-None-Match": listing})

        assert (again.status, again.headers["ETag"], again.headers["Vary"]) == (304, tag, "Accept")
        assert as_turtle.status == 200
        assert (replaced.status, late.status, changed.status) == (204, 412, 200)
        assert (unchanged_listing.status, changed_listing.status) == (304, 200)
        assert (f"{ldp.base}/c/new", "new") in read_html(changed_listing.body).links


async def test_the_links_of_a_page_lead_to_the_same_graph_in_each_syntax() -> None:
    async with running_ldp() as server, Ldp(server) as ldp:
        await ldp.put("/c/lamp", DOCUMENT)
        for path in ("/c/lamp", "/c/"):
            expected = await ldp.get(path, Accept="text/turtle")
            page = read_html((await ldp.get(path, **BROWSER)).body)
            raw = {
                target: await ldp.get(path + target, **BROWSER) for target, _ in page.links if "?" in target
            }
            types = [answer.headers["Content-Type"] for answer in raw.values()]

            assert types == [
                "text/turtle",
                "application/ld+json",
                "application/n-triples",
                "application/rdf+xml",
            ]
            assert raw["?as=ttl"].body == expected.body
            assert raw["?as=ttl"].headers["ETag"] == expected.headers["ETag"]
            assert "sandbox" in raw["?as=rdf"].headers["Content-Security-Policy"]
            for answer in raw.values():
                assert ldp.graph(answer) == ldp.graph(expected)


async def test_a_query_for_a_syntax_is_for_reading_rdf_that_is_there() -> None:
    async with running_ldp() as server, Ldp(server) as ldp:
        await ldp.put("/photo", b"\x89PNG", "image/png")
        await ldp.put("/lamp", DOCUMENT)
        statuses = [
            (await ldp.get("/photo?as=ttl")).status,
            (await ldp.get("/none?as=ttl")).status,
            (await ldp.get("/lamp?as=exe")).status,
            (await ldp.get("/lamp?as=ttl&as=nt")).status,
            (await ldp.put("/lamp?as=ttl", "")).status,
            (await ldp.send("DELETE", "/lamp?as=ttl")).status,
            (await ldp.get("/lamp?as=html")).status,
        ]
        photo = await ldp.get("/photo", **BROWSER)

        assert statuses == [404, 404, 404, 404, 404, 404, 200]
        assert (photo.body, photo.headers["Content-Type"]) == (b"\x89PNG", "image/png")


async def test_pages_of_services_and_of_descriptions_are_shown_too() -> None:
    async with running_ldp(settings=Settings(shows_types=True)) as server, Ldp(server) as ldp:
        await ldp.put("/photo", b"\x89PNG", "image/png")
        await ldp.put("/lamp", DOCUMENT)
        constraints = read_html((await ldp.get("/.milepost/constraints", **BROWSER)).body)
        description = read_html((await ldp.get("/photo.meta", **BROWSER)).body)
        lamp = read_html((await ldp.get("/lamp", **BROWSER)).body)

        assert any("LDP014" in value for _, value in constraints.rows)
        assert ("rdf:type", "ldp:NonRDFSource") in description.rows
        assert ("rdf:type", "ldp:RDFSource") in lamp.rows
