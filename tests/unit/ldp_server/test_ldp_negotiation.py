"""Accept headers choose a syntax; Content-Type headers name one."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_server.faults import Problem
from ldp_server.negotiation import (
    MediaType,
    body_syntax,
    choose_syntax,
    read_media_type,
    refuse_content_encoding,
)
from ldp_server.syntaxes import JSON_LD, N_TRIPLES, RDF_XML, SYNTAXES, TURTLE, Syntax


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, TURTLE),
        ("", TURTLE),
        ("*/*", TURTLE),
        ("text/*", TURTLE),
        ("application/*", JSON_LD),
        ("TEXT/TURTLE", TURTLE),
        ("text/turtle;charset=utf-8", TURTLE),
        ("text/turtle;q=0.9,application/json;q=0.8", TURTLE),
        ("application/ld+json, application/json;q=0.5", JSON_LD),
        ("application/ld+json;q=0.2, application/n-triples;q=0.3", N_TRIPLES),
        ("application/rdf+xml, text/turtle;q=0.999", RDF_XML),
        ("text/turtle;q=0, */*;q=0.1", JSON_LD),
        ("*/*;q=0.5, application/n-triples", N_TRIPLES),
        ('application/ld+json;profile="a,b;q=0"', JSON_LD),
        ("text/html,application/xhtml+xml,*/*;q=0.8", TURTLE),
        ("text/turtle ; q = 0.5 , application/ld+json", JSON_LD),
        ("rubbish, application/ld+json", JSON_LD),
        ("rubbish", TURTLE),
        (",;,", TURTLE),
    ],
)
def test_the_best_liked_syntax_is_chosen(accept: str | None, chosen: Syntax) -> None:
    assert choose_syntax(accept) == chosen


@pytest.mark.parametrize(
    "accept", ["image/png", "text/html", "*/*;q=0", "text/turtle;q=0", "text/turtle;q=x", "text/turtle;q=1.5"]
)
def test_nothing_acceptable_is_said_with_what_there_is(accept: str) -> None:
    with pytest.raises(Problem, match="application/rdf\\+xml") as refused:
        choose_syntax(accept)
    assert refused.value.status == 406


@given(st.text(max_size=60))
def test_no_accept_header_breaks_the_choice(accept: str) -> None:
    with suppress(Problem):
        assert choose_syntax(accept) in SYNTAXES


def test_media_types_are_read_leniently() -> None:
    assert read_media_type(' Text/Turtle ;charset="UTF-8";;x') == MediaType(
        "text/turtle", (("charset", "UTF-8"),)
    )
    assert read_media_type("text") is None


@pytest.mark.parametrize(
    ("content_type", "syntax"),
    [
        ("text/turtle", TURTLE),
        ("text/turtle;charset=UTF-8", TURTLE),
        ("application/ld+json; profile=x", JSON_LD),
        ("application/n-triples", N_TRIPLES),
        ("application/rdf+xml", RDF_XML),
        ("application/xml", RDF_XML),
        ("text/xml; charset=utf-8", RDF_XML),
    ],
)
def test_the_content_type_names_the_syntax_of_a_body(content_type: str, syntax: Syntax) -> None:
    assert body_syntax(content_type, is_empty=False) == syntax


@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        (None, 400),
        (" ", 400),
        ("turtle", 415),
        ("image/png", 415),
        ("text/turtle; charset=latin-1", 415),
        ("text/n3", 415),
    ],
)
def test_a_body_of_no_or_another_type_is_refused(content_type: str | None, status: int) -> None:
    with pytest.raises(Problem) as refused:
        body_syntax(content_type, is_empty=False)
    assert refused.value.status == status


def test_no_body_needs_no_type() -> None:
    assert body_syntax(None, is_empty=True) == TURTLE


def test_a_compressed_body_is_refused() -> None:
    refuse_content_encoding(None)
    refuse_content_encoding("identity")
    with pytest.raises(Problem) as refused:
        refuse_content_encoding("gzip")
    assert refused.value.status == 415
