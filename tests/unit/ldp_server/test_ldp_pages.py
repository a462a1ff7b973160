"""Pages for people: what they show, and that nothing in the data can become anything but text."""

import base64
import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from ldp_server.documents import read_triples
from ldp_server.faults import Problem
from ldp_server.negotiation import choose_for_people
from ldp_server.people.names import MAX_TEXT, is_followed, short_name, shown
from ldp_server.people.pages import HEADERS, MAX_ROWS, write_page
from tests.support.depth import depth
from tests.support.html_pages import read_html

BASE = "http://data.example"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"


@pytest.mark.parametrize(
    ("accept", "short"),
    [
        (BROWSER, "html"),
        ("text/html", "html"),
        ("TEXT/HTML;level=1", "html"),
        ("text/html;q=0.2, text/turtle;q=0.1", "html"),
        ("text/html, text/*;q=0.9, */*;q=0.1", "html"),
        (None, "ttl"),
        ("", "ttl"),
        ("*/*", "ttl"),
        ("text/*", "ttl"),
        ("text/html, */*", "ttl"),
        ("text/html, text/turtle", "ttl"),
        ("text/html;q=0.9, application/ld+json", "jsonld"),
        ("text/html;q=0.9, text/*", "ttl"),
        ("text/html;q=0, */*;q=0.1", "ttl"),
        ("application/xhtml+xml, application/rdf+xml;q=0.5", "rdf"),
    ],
)
def test_only_who_names_html_and_likes_it_best_gets_a_page(accept: str | None, short: str) -> None:
    assert choose_for_people(accept).short == short


@pytest.mark.parametrize("accept", ["text/html;q=0", "application/xhtml+xml", "image/png"])
def test_who_takes_neither_is_told(accept: str) -> None:
    with pytest.raises(Problem, match="Accept"):
        choose_for_people(accept)


@pytest.mark.parametrize(
    ("iri", "short"),
    [
        ("http://www.w3.org/ns/ldp#contains", "ldp:contains"),
        ("http://schema.org/name", "schema:name"),
        ("http://schema.org/", "http://schema.org/"),
        ("http://schema.org/a/b", "http://schema.org/a/b"),
        (BASE + "/a/b#it", "/a/b#it"),
        (BASE + ".evil/a", BASE + ".evil/a"),
    ],
)
def test_an_iri_is_shown_short_where_nothing_is_lost(iri: str, short: str) -> None:
    assert short_name(iri, BASE) == short


def test_only_web_addresses_become_links() -> None:
    followed = [
        is_followed(iri) for iri in ("http://a/", "HTTPS://a/", "javascript:alert(1)", "data:,", "file:///a")
    ]
    assert followed == [True, True, False, False, False]


def test_what_nobody_sees_gets_a_sign_and_what_is_long_is_cut() -> None:
    assert shown("a\u202eb\0c\u200bd") == "a\ufffdb\ufffdc\ufffdd"
    assert shown("<a b='c' d=\"e\">&amp;") == "&lt;a b=&#x27;c&#x27; d=&quot;e&quot;&gt;&amp;amp;"
    assert shown("ä\n\tز") == "ä\n\tز"
    assert shown("x" * (MAX_TEXT + 1)) == "x" * MAX_TEXT + " …"


def test_the_page_of_a_document_shows_its_triples_and_where_it_is() -> None:
    text = (
        '_:b0 <http://schema.org/name> "Room"@en .\n'
        f"<{BASE}/c/d%20e/lamp#it> <http://schema.org/location> _:b0 .\n"
        f'<{BASE}/c/d%20e/lamp#it> <http://v/on> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .\n'
        f"<{BASE}/c/d%20e/lamp#it> <http://v/see> <javascript:alert(1)> .\n"
        f'<{BASE}/c/d%20e/lamp> <http://v/says> "<b>" .\n'
    )
    page = read_html(write_page(BASE, "/c/d%20e/lamp", read_triples(text.encode())))

    assert page.title == "lamp"
    assert page.links[:3] == [
        (f"{BASE}/", "data.example"),
        (f"{BASE}/c/", "c"),
        (f"{BASE}/c/d%20e/", "d e"),
    ]
    assert page.links[-4:] == [
        ("?as=ttl", "Turtle"),
        ("?as=jsonld", "JSON-LD"),
        ("?as=nt", "N-Triples"),
        ("?as=rdf", "RDF/XML"),
    ]
    assert page.rows == [
        ("http://v/says", "<b>"),
        ("schema:location", "_:b0"),
        ("http://v/on", "1 xsd:integer"),
        ("http://v/see", "javascript:alert(1)"),
        ("schema:name", "Room en"),
    ]
    assert ("#_:b0", "_:b0") in page.links
    assert not any("script" in target for target, _ in page.links)
    assert "Members" not in " ".join(page.texts)


def test_the_page_of_a_container_shows_its_members_by_their_names() -> None:
    here = NamedNode(f"{BASE}/c/")
    contains = NamedNode("http://www.w3.org/ns/ldp#contains")
    members = [f"{BASE}/c/a%20b", f"{BASE}/c/d/", f"{BASE}/c/%3Ci%3E"]
    triples = [Triple(here, contains, NamedNode(member)) for member in members]
    triples.append(Triple(NamedNode(f"{BASE}/other/"), contains, NamedNode("http://v/x")))
    page = read_html(write_page(BASE, "/c/", triples))

    assert "Members (3)" in page.texts
    assert page.links[1:4] == list(zip(members, ["a b", "d/", "<i>"], strict=True))
    assert page.rows == [("ldp:contains", "http://v/x")]


def test_a_page_is_bounded_and_says_what_it_leaves_out() -> None:
    here, count = NamedNode(f"{BASE}/"), MAX_ROWS + 5
    contains, value = NamedNode("http://www.w3.org/ns/ldp#contains"), NamedNode("http://v/v")
    triples = [Triple(here, contains, NamedNode(f"{BASE}/{number}")) for number in range(count)]
    triples += [Triple(here, value, Literal(number)) for number in range(count)]
    page = read_html(write_page(BASE, "/", triples))

    assert page.title == "data.example"
    assert len(page.rows) == MAX_ROWS
    assert f"Members ({count:,})" in page.texts
    assert [text for text in page.texts if "not shown" in text] == [
        "5 more members are not shown; the links below have them.",
        "5 more triples are not shown; the links below have them.",
    ]


def test_the_policy_names_the_style_and_allows_nothing_else() -> None:
    style = read_html(write_page(BASE, "/", [])).style
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()

    assert HEADERS["Content-Security-Policy"].split("; ") == [
        "default-src 'none'",
        f"style-src 'sha256-{digest}'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]


MARKUP = st.sampled_from(
    [
        "<",
        ">",
        '"',
        "'",
        "&",
        "<script>",
        "</style>",
        "<!--",
        "]]>",
        "javascript:",
        "&lt;",
        "\0",
        " onx=",
        "é",
        "\u202e",
    ]
)
TEXT = st.lists(st.one_of(MARKUP, st.text(st.characters(exclude_categories=["Cs"]), max_size=3))).map("".join)
PATH = st.lists(st.sampled_from(["a", "%3Cscript%3E", "%22x", "'", "&amp;", "%00", "%FF"]), max_size=4)
SCHEMES = st.sampled_from(
    ["http://x/", "javascript:", "JavaScript:", "data:text/html,", BASE + "/", "urn:x:"]
)
IRI_TAIL = st.lists(
    st.sampled_from(["'", "&", "&lt;", "&quot;", "(", "é", "javascript:", "onx='y'", "a"])
).map("".join)
NODES = st.builds(lambda scheme, tail: NamedNode(scheme + tail), SCHEMES, IRI_TAIL)
OBJECTS = st.one_of(
    NODES,
    st.builds(Literal, TEXT),
    st.builds(lambda text, kind: Literal(text, datatype=kind), TEXT, NODES),
    st.just(BlankNode("b0")),
)


@settings(max_examples=depth(60, 3_000))
@given(
    path=st.builds(
        lambda names, end: "/" + "".join(f"{name}/" for name in names) + end, PATH, st.sampled_from(["", "x"])
    ),
    triples=st.lists(
        st.builds(Triple, st.one_of(NODES, st.just(BlankNode("b0"))), NODES, OBJECTS), max_size=5
    ),
)
def test_no_data_become_elements_attributes_or_links_of_their_own(path: str, triples: list[Triple]) -> None:
    page = read_html(write_page(BASE, path, triples))

    assert [
        target for target, _ in page.links if not target.lower().startswith(("http", "?as=", "#_:"))
    ] == []
    shown_iris = {triple.predicate.value for triple in triples if not _is_member(triple, BASE + path)}
    assert {iri for iri in shown_iris if is_followed(iri)} <= {target for target, _ in page.links}
    assert len(page.rows) == len([triple for triple in triples if not _is_member(triple, BASE + path)])


def _is_member(triple: Triple, uri: str) -> bool:
    return triple.predicate.value == "http://www.w3.org/ns/ldp#contains" and triple.subject == NamedNode(uri)
