"""Request targets become canonical paths, or are refused."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_server.faults import Problem, ServerError
from ldp_server.paths import (
    Target,
    ancestors,
    authority_of,
    canonical_path,
    containers_above,
    is_reserved,
    parent,
    read_base_url,
    read_target,
    slash_twin,
)


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ("/", "/"),
        ("/a", "/a"),
        ("/a/", "/a/"),
        ("/a/b.c~d-e_f", "/a/b.c~d-e_f"),
        ("/%61%7Eb", "/a~b"),
        ("/caf%c3%a9", "/caf%C3%A9"),
        ("/x%3Fy%23z%25", "/x%3Fy%23z%25"),
        ("/...", "/..."),
        ("/a;b=c,d:@!$&'()*+", "/a;b=c,d:@!$&'()*+"),
        ("/%FF", "/%FF"),
    ],
)
def test_a_usable_path_gets_one_spelling(raw: str, path: str) -> None:
    assert read_target(raw) == Target(path)


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "a",
        "//",
        "/a//b",
        "//a",
        "/.",
        "/..",
        "/a/../b",
        "/a/%2e%2E/b",
        "/.%2e/",
        "/a%2Fb",
        "/a%2fb",
        "/a%5Cb",
        "/a\\b",
        "/a%00",
        "/a%1f",
        "/a%7F",
        "/a%",
        "/a%zz",
        "/a b",
        "/é",
        '/a"b',
        "/a<b>",
        "/a#b",
        "/" + "a" * 256,
        "/" + "%41" * 256,
        "/a" * 65,
        "/" + "a/" * 1100,
    ],
)
def test_an_unusable_path_is_refused_not_repaired(raw: str) -> None:
    with pytest.raises(Problem) as refused:
        read_target(raw)
    assert (refused.value.code, refused.value.status) == ("LDP002", 400)


def test_limits_of_length_are_met_exactly() -> None:
    assert canonical_path("/" + "a" * 255) == "/" + "a" * 255
    assert canonical_path("/" + "%41" * 255) == "/" + "A" * 255
    assert canonical_path("/a" * 64) == "/a" * 64


def test_a_query_and_an_absolute_form_are_told_apart_from_the_path() -> None:
    assert read_target("/a?x=1") == Target("/a", query="x=1")
    assert read_target("/a?") == Target("/a", query="")
    assert read_target("http://h:1/a?q") == Target("/a", query="q")
    assert read_target("HTTP://h") == Target("/")
    assert read_target("http://h?q") == Target("/", query="q")
    assert [authority_of(raw) for raw in ("http://h:1/a", "HTTP://h", "/a", "*")] == ["h:1", "h", None, None]


@given(st.text(alphabet="/a.%25eEfF0~?#: \\é\x00", max_size=12))
def test_a_canonical_path_is_its_own_canonical_path(tail: str) -> None:
    with suppress(Problem):
        path = canonical_path("/" + tail)
        assert canonical_path(path) == path
        assert not {".", "..", ""} & set(path[1:].rstrip("/").split("/")) or path == "/"


def test_parents_ancestors_and_twins() -> None:
    assert parent("/a") == "/"
    assert parent("/a/b/") == "/a/"
    assert ancestors("/a/b/c") == ("/a/b/", "/a/", "/")
    assert ancestors("/") == ()
    assert containers_above(["/a/b/c", "/a/d/", "/e"]) == {"/a/b/", "/a/", "/"}
    assert containers_above(["/"]) == set()
    assert (slash_twin("/a"), slash_twin("/a/")) == ("/a/", "/a")
    assert is_reserved("/.milepost")
    assert is_reserved("/.milepost/x")
    assert not is_reserved("/.milepost2")
    with pytest.raises(ValueError, match="no parent"):
        parent("/")


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("http://127.0.0.1:7070/", "http://127.0.0.1:7070"),
        ("https://Example.org", "https://example.org"),
        ("http://[::1]:8/", "http://[::1]:8"),
    ],
)
def test_a_base_url_is_an_origin(text: str, base: str) -> None:
    assert read_base_url(text) == base


@pytest.mark.parametrize(
    "text",
    ["", "x", "ftp://h/", "http://", "http://h/a", "http://u@h/", "http://h:0/", "http://h:x/", "http://h?q"],
)
def test_other_urls_are_no_base_url(text: str) -> None:
    with pytest.raises(ServerError, match="LDP035"):
        read_base_url(text)
