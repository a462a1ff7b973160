"""Faults of paths, slugs and listed names that other servers had, each named by its public issue."""

import json

from pyoxigraph import NamedNode, RdfFormat, parse

from tests.support.ldp import Ldp

LDP = "http://www.w3.org/ns/ldp#"
CONTAINER = f'<{LDP}BasicContainer>; rel="type"'
SYNTAXES = ("text/turtle", "application/ld+json", "application/n-triples", "application/rdf+xml")


async def test_a_slug_that_ends_in_a_slash_makes_no_container(ldp: Ldp) -> None:
    """CommunitySolidServer #1082 and #631: such a slug made a container that nobody asked for."""
    for slug, wanted, place in (
        ("x/", "", "/x"),
        ("y//", "", "/y"),
        ("x/", CONTAINER, "/x-1/"),
        ("z%2F", "", "/z"),
        ("box", CONTAINER, "/box/"),
    ):
        made = await ldp.post("/", "", Slug=slug, Link=wanted)
        assert (made.status, made.headers["Location"]) == (201, ldp.base + place)
        assert ("BasicContainer" in made.headers["Link"]) is bool(wanted)


async def test_a_name_with_any_reserved_character_is_listed_as_it_is_read(ldp: Ldp) -> None:
    """CommunitySolidServer #1653: a member whose name had an encoded question mark was listed and not found."""
    names = [f"a{character}b" for character in "!$&'()*+,;=:@-._~"]
    names += [f"a%{octet:02X}b" for octet in b'?#[] "<>%\\^`{|}' if chr(octet) != "\\"]
    names += ["caf%C3%A9", "%E2%98%83", "%FF"]
    for number, name in enumerate(names):
        made = await ldp.put(f"/n/{name}", f"<> <http://v/> {number} .")
        assert (made.status, made.headers["Location"]) == (201, f"{ldp.base}/n/{name}")
    assert sorted(await ldp.members("/n/")) == sorted(f"{ldp.base}/n/{name}" for name in names)
    for number, name in enumerate(names):
        uri = f"{ldp.base}/n/{name}"
        assert ldp.graph(await ldp.get(f"/n/{name}")) == ldp.triples(f"<{uri}> <http://v/> {number} .")
        assert (await ldp.send("DELETE", f"/n/{name}")).status == 204
    assert await ldp.members("/n/") == []


async def test_an_encoded_slash_is_no_second_way_to_a_resource(ldp: Ldp) -> None:
    """node-solid-server #1666: %2F was read as a slash, so rules for one address were passed by at another."""
    await ldp.put("/a/b", "<> <#p> 1 .")
    for method in ("GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "OPTIONS"):
        for path in ("/a%2Fb", "/a%2fb", "/%2Fa/b", "/a%5Cb", "/a/%2e%2e/a/b", "/a//b", "//a/b", "/a/./b"):
            answer = await ldp.send(method, path, b"", **{"Content-Type": "text/turtle"})
            assert answer.status == 400, (method, path)
    assert await ldp.members("/") == [ldp.base + "/a/"]
    assert await ldp.members("/a/") == [ldp.base + "/a/b"]


async def test_a_listing_names_its_members_the_same_in_every_syntax(ldp: Ldp) -> None:
    """node-solid-server #476: the listing as JSON-LD lost the path of its base, and its members with it."""
    for name in ("1", "x%20y", "deep/er", "p:q"):
        await ldp.put(f"/some/where/{name}", "")
    plain = ldp.graph(await ldp.get("/some/where/"))
    for syntax in SYNTAXES:
        answer = await ldp.get("/some/where/", Accept=syntax)
        assert answer.headers["Content-Type"] == syntax
        assert ldp.graph(answer) == plain
    listed = json.loads((await ldp.get("/some/where/", Accept="application/ld+json")).body)
    here = next(node for node in listed if node["@id"] == f"{ldp.base}/some/where/")
    members = sorted(member["@id"] for member in here[LDP + "contains"])
    assert members == sorted(f"{ldp.base}/some/where/{name}" for name in ("1", "x%20y", "deep/", "p:q"))


async def test_a_slug_with_slashes_breaks_neither_the_server_nor_the_place(ldp: Ldp) -> None:
    """node-solid-server #304 and #259: a slash in a slug ended the server, or Location had two in a row."""
    await ldp.put("/c/", "")
    slugs = [
        "/",
        "//",
        "/a",
        "a/b",
        "a//b",
        "../up",
        "..",
        ".",
        "%2F%2F",
        "a?b#c",
        "\\",
        "a\tb",
        " ",
        '"',
        "%",
    ]
    slugs += ["%00", "é/ü", "x" * 5000, ".meta", "a.meta", ".acl", "/.milepost/x", "http://evil/x", "-", "&"]
    for slug in slugs:
        made = await ldp.post("/c/", "<> <#p> 1 .", Slug=slug)
        assert made.status == 201, slug
        name = made.headers["Location"].removeprefix(f"{ldp.base}/c/")
        assert name
        assert "/" not in name
        assert len(name) <= 255
        assert (await ldp.get(f"/c/{name}")).status == 200
    assert len(await ldp.members("/c/")) == len(slugs)


async def test_a_container_is_named_with_its_slash_in_every_triple(ldp: Ldp) -> None:
    """trellis #1596: triples of one server named a container with its slash here and without it there."""
    await ldp.put("/a/b/x", "<> <http://in/> <.> .")
    made = await ldp.post("/a/", "<> <http://in/> <.> .", Slug="c", Link=CONTAINER)
    containers = {f"{ldp.base}{path}" for path in ("/a/", "/a/b/", "/a/c/")}
    assert made.headers["Location"] in containers
    for path in ("/", "/a/", "/a/b/", "/a/c/", "/a/b/x", "/a/?inlined"):
        for syntax in SYNTAXES:
            answer = await ldp.get(path, Accept=syntax)
            form = RdfFormat.from_media_type(syntax)
            assert form is not None
            triples = list(parse(answer.body, form, base_iri=ldp.base + path))
            iris = {
                term.value
                for triple in triples
                for term in (triple.subject, triple.predicate, triple.object)
                if isinstance(term, NamedNode)
            }
            assert not iris & {container.rstrip("/") for container in containers}, (path, syntax)
            if path.endswith("/"):
                assert {triple.subject for triple in triples} == {NamedNode(ldp.base + path)}
