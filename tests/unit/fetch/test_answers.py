"""Replies become answers: media types, charsets, validators."""

import pytest

from agent.fetch.answers import answer_from
from agent.messages import Answer, NoAnswer
from agent.rdf.answers import read_answer
from agent.rdf.documents import Content
from agent.transport.client import Reply


def reply(body: bytes, content_type: str) -> Reply:
    return Reply("http://h/final", 200, {"content-type": content_type, "etag": 'W/"1"'}, body)


def test_the_media_type_is_lower_case_without_parameters() -> None:
    assert answer_from("http://h/asked", reply(b"x", 'Text/Turtle ; charset="UTF-8"')) == Answer(
        "http://h/asked", "http://h/final", 200, "text/turtle", 'W/"1"', b"x"
    )


def test_another_charset_is_passed_on_in_utf_8() -> None:
    answer = answer_from("http://h/asked", reply("é".encode("latin-1"), "text/turtle; charset=ISO-8859-1"))
    assert isinstance(answer, Answer)
    assert answer.body.decode() == "é"


def test_a_stated_charset_wins_over_the_declaration_of_xml() -> None:
    text = (
        '<?xml version="1.0" encoding="utf-16"?><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        'xmlns:e="http://e/"><r:Description r:about="#it" e:p="é"/></r:RDF>'
    )
    outcome = read_answer(
        answer_from("http://h/asked", reply(text.encode("latin-1"), "text/xml;charset=latin-1"))
    )
    assert isinstance(outcome, Content)
    assert [str(triple.object) for triple in outcome.triples] == [str(outcome.triples[0].object)]
    assert "é" in str(outcome.triples[0].object)


@pytest.mark.parametrize(
    ("charset", "body"),
    [("x-nobody-knows", b"x"), ("utf-16", b"x"), ("ascii-85\x00", b"x"), ("punycode", b"x"), ("zlib", b"x")],
)
def test_a_charset_that_does_not_fit_is_no_answer(charset: str, body: bytes) -> None:
    answer = answer_from("http://h/asked", reply(body, f"text/turtle; charset={charset}"))
    assert isinstance(answer, NoAnswer)
    assert answer.reason.startswith("the answer cannot be decoded as ")
