"""What a body says, what of it is skipped, and when all of it fails."""

import hashlib

import pytest

from agent.errors import ProgramError
from agent.messages import Answer, NoAnswer
from agent.rdf.answers import read_answer
from agent.rdf.documents import Content, Document, Failed, Gone, parse_document
from agent.rdf.terms import (
    IRI,
    LANG_STRING,
    RDF_FIRST,
    RDF_NIL,
    RDF_REST,
    XSD_INTEGER,
    BlankNode,
    Literal,
    Triple,
)

BASE = "http://h/d"
IT = IRI("http://h/d#it")
P = IRI("http://e/p")
XML = (
    '<?xml version="1.0" encoding="{}"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
    ' xmlns:e="http://e/"><rdf:Description rdf:about="#it"><e:p>é</e:p>{}</rdf:Description></rdf:RDF>'
)
E_ACUTE = Triple(IT, P, Literal("é"))


def read(text: str | bytes, media_type: str = "text/turtle", base: str = BASE) -> Document:
    return parse_document(text.encode() if isinstance(text, str) else text, media_type, base, strict=False)


def complaint(text: str | bytes, media_type: str = "text/turtle", *, strict: bool = False) -> str:
    with pytest.raises(ProgramError) as caught:
        parse_document(text.encode() if isinstance(text, str) else text, media_type, BASE, strict=strict)
    return f"{caught.value.place} {caught.value.code} {caught.value.message}"


def test_lexical_forms_and_language_tags_survive() -> None:
    document = read('<#it> <http://e/p> 01, "x"@EN-gb, "1.50"^^<http://e/d> .')
    assert document.triples == (
        Triple(IT, P, Literal("01", XSD_INTEGER)),
        Triple(IT, P, Literal("x", LANG_STRING, "en-gb")),
        Triple(IT, P, Literal("1.50", "http://e/d")),
    )


def test_blank_nodes_are_numbered_in_order_of_appearance_and_belong_to_the_document() -> None:
    document = read("_:z <http://e/p> _:a . _:a <http://e/p> _:z .")
    first, second = BlankNode("b0", BASE), BlankNode("b1", BASE)
    assert document.triples == (Triple(first, P, second), Triple(second, P, first))


def test_lists_stay_first_and_rest() -> None:
    triples = set(read("<#it> <http://e/p> (<#it>) .").triples)
    node = BlankNode("b0", BASE)
    assert triples == {Triple(IT, P, node), Triple(node, RDF_FIRST, IT), Triple(node, RDF_REST, RDF_NIL)}


@pytest.mark.parametrize(
    ("media_type", "text"),
    [
        ("text/turtle", '<#it> <http://e/p> "é" .'),
        ("application/n-triples", '<http://h/d#it> <http://e/p> "é" .'),
        ("application/n-quads", '<http://h/d#it> <http://e/p> "é" <http://e/graph> .'),
        ("application/trig", '<http://e/graph> { <#it> <http://e/p> "é" }'),
        ("text/n3", '<#it> <http://e/p> "é" .'),
        ("application/ld+json", '{"@id": "#it", "http://e/p": "é"}'),
        ("application/rdf+xml", XML.format("utf-8", "")),
        ("application/xml", XML.format("utf-8", "")),
        ("text/xml", XML.format("utf-8", "")),
    ],
)
def test_every_syntax_says_the_same(media_type: str, text: str) -> None:
    document = read(text, media_type)
    assert (document.uri, document.triples, document.skipped) == (BASE, (E_ACUTE,), ())


@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-16", "utf-8"])
def test_xml_comes_in_the_encoding_that_it_declares(encoding: str) -> None:
    assert read(XML.format(encoding, "").encode(encoding), "text/xml").triples == (E_ACUTE,)


@pytest.mark.parametrize("media_type", ["", "text/plain", "application/octet-stream"])
def test_an_extension_tells_the_syntax_where_the_media_type_says_nothing(media_type: str) -> None:
    assert read('<#it> <http://e/p> "é" .', media_type, "http://h/d.ttl?v=1").uri == "http://h/d.ttl?v=1"


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert read(b'\xef\xbb\xbf<#it> <http://e/p> "\xc3\xa9" .').triples == (E_ACUTE,)


def test_no_syntax_is_a_clear_fault() -> None:
    assert complaint("x", "text/html") == "http://h/d N3050 text/html is no RDF syntax"
    assert (
        complaint("x", "") == "http://h/d N3050 the media type is missing and the name has no known extension"
    )


def test_a_bad_statement_is_skipped_whole_and_named_while_the_others_count() -> None:
    document = read(
        "@prefix e: <http://e/> .\n"
        '<#it> e:p "é" .\n'
        "<#it> e:q <a b> , e:r .\n"
        'PREFIX f: <http://f/>\n<#it> f:p """a . \n b""" .\n'
        "<#it> f:p nonsense .\n"
        "<#it> e:s 1.5 . # the end"
    )
    assert [(str(t.predicate), t.object) for t in document.triples] == [
        (str(P), Literal("é")),
        (str(IRI("http://f/p")), Literal("a . \n b")),
        (str(IRI("http://e/s")), Literal("1.5", "http://www.w3.org/2001/XMLSchema#decimal")),
    ]
    assert document.skipped == (
        "line 3: Invalid IRI code point ' ': <#it> e:q <a b> , e:r .",
        "line 7: nonsense is not a valid RDF object: <#it> f:p nonsense .",
    )


def test_a_missing_dot_invents_no_triple() -> None:
    document = read('<#door> <http://e/isOpen>\n<#alarm> <http://e/isOn> true .\n<#it> <http://e/p> "é" .')
    assert document.triples == (E_ACUTE,)
    assert len(document.skipped) == 1


@pytest.mark.parametrize("media_type", ["application/n-triples", "application/n-quads"])
def test_a_bad_line_is_skipped(media_type: str) -> None:
    text = '<http://h/d#it> <http://e/p> "é" .\n<http://h/d#it> <e p> "x" .\n# c\n<http://h/d#it> <http://e/p> "é" .\n'
    document = read(text, media_type)
    assert document.triples == (E_ACUTE,)
    assert document.skipped == ("line 2: Invalid IRI code point ' ': <http://h/d#it> <e p> \"x\" .",)


def test_a_bad_iri_in_rdf_xml_is_skipped() -> None:
    document = read(XML.format("utf-8", '<e:q rdf:resource="a b"/><e:p>é</e:p>'), "application/rdf+xml")
    assert document.triples == (E_ACUTE,)
    assert document.skipped == ("Invalid IRI code point ' ': <http://h/d#it> <http://e/q> <http://h/a b>",)


def test_terms_that_we_cannot_hold_are_skipped_and_named() -> None:
    turtle = read('<#it> <http://e/p> "é", <<( <#it> <#it> <#it> )>>, "x"@en--ltr .')
    assert turtle.triples == (E_ACUTE,)
    assert [text.partition(":")[0] for text in turtle.skipped] == [
        "a triple term",
        "a literal with a base direction",
    ]
    n3 = read('{ <#it> <http://e/p> 1 } => { <#it> <http://e/p> 2 } . <#it> <http://e/p> "é" .', "text/n3")
    assert n3.triples == (E_ACUTE,)
    assert n3.skipped == read("{ <#it> <http://e/p> 1 } => { <#it> <http://e/p> 2 } .", "text/n3").skipped
    assert len(n3.skipped) == 3


@pytest.mark.parametrize(
    "rest",
    [
        "<#it>",
        "<#it> <http://e/p>",
        '<#it> <http://e/p> "x"',
        '<#it> <http://e/p> "x',
        '<#it> <http://e/p> """x . ',
        "<#it> <http://e/p> <htt",
        "<#it> <http://e/p> [ <http://e/p> ",
        "<#it> <http://e/p> ( 1 2",
        "<#it> <http://e/p> 1 ; ",
        "<#it> a",
        "@prefix x: <http://x/>",
        "@prefix x: <htt",
    ],
)
def test_a_turtle_text_that_breaks_off_fails_whole(rest: str) -> None:
    expected = "http://h/d:2:1 N3051 not readable as Turtle: the text breaks off in the middle of a statement"
    assert complaint(f'<#it> <http://e/p> "é" .\n{rest}') == expected


@pytest.mark.parametrize(
    ("media_type", "text"),
    [
        ("application/n-triples", '<http://h/d#it> <http://e/p> "é" .\n<http://h/d#it> <http://e'),
        ("application/trig", '<http://e/g> { <#it> <http://e/p> "é" . '),
        ("text/n3", '{ <#it> <http://e/p> "é" . '),
        ("application/ld+json", '{"@id": "#it", "http://e/p": "é"'),
        ("application/rdf+xml", XML.format("utf-8", "")[:-9]),
        ("application/rdf+xml", ""),
    ],
)
def test_every_syntax_notices_that_the_text_breaks_off(media_type: str, text: str) -> None:
    assert "N3051 not readable as" in complaint(text, media_type)


def test_bytes_that_are_no_text_fail_whole_and_say_where() -> None:
    expected = "http://h/d:2:20 N3051 not readable as Turtle: the text is not UTF-8"
    assert complaint(b"<#it> <http://e/p> 1 .\n<#it> <http://e/p> \xff .") == expected


def test_strict_means_that_every_bad_statement_is_a_fault_with_a_place() -> None:
    expected = "http://h/d:2:7 N3051 not readable as Turtle: Invalid IRI code point ' '"
    assert complaint('<#it> <http://e/p> "é" .\n<#it> <a b> 1 .', strict=True) == expected
    assert "a triple term" in complaint("<#it> <http://e/p> <<( <#it> <#it> <#it> )>> .", strict=True)


def test_document_types_are_refused_before_any_entity_counts() -> None:
    bomb = '<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><r>&b;</r>'
    expected = "http://h/d:2:13 N3051 not readable as RDF/XML: a document type (<!DOCTYPE) is not accepted"
    assert complaint(bomb, "application/rdf+xml") == expected


@pytest.mark.parametrize(
    "context", ['"http://c.example/context"', '"file:///etc/hostname"', '[{"@import": "http://c/"}]']
)
def test_remote_contexts_are_not_loaded(context: str) -> None:
    text = f'{{"@context": {context}, "@id": "#it", "p": "x"}}'
    assert "it refers to a remote JSON-LD context, and contexts are not loaded" in complaint(
        text, "application/ld+json"
    )


@pytest.mark.parametrize(
    ("media_type", "opening", "middle", "closing"),
    [
        ("application/ld+json", '{"@id":"#it","http://e/p":', "1", "}"),
        ("text/turtle", "<#it> <http://e/p> <<( <#it> <http://e/p> ", "<#it>", ")>>"),
        ("application/rdf+xml", "<a>", "", "</a>"),
    ],
)
def test_nesting_that_would_overflow_a_parser_is_refused(
    media_type: str, opening: str, middle: str, closing: str
) -> None:
    assert "nested deeper than 256 levels" in complaint(
        opening * 100_000 + middle + closing * 100_000, media_type
    )


def test_deep_nesting_that_harms_nobody_is_read() -> None:
    depth = 20_000
    assert (
        len(read("<#it> <http://e/p> " + "[ <http://e/p> " * depth + "1" + " ]" * depth + " .").triples)
        == depth + 1
    )
    assert len(read("<#it> <http://e/p> " + "( " * depth + ")" * depth + " .").triples) == 2 * depth - 1


def test_too_many_triples_are_refused() -> None:
    with pytest.raises(ProgramError, match="more than 2 triples"):
        parse_document(b"<a:a> <a:b> 1, 2, 3 .", "text/turtle", BASE, strict=False, max_triples=2)


def test_a_text_of_bad_statements_is_given_up_soon() -> None:
    assert "more than 32 bad statements, the first: line 1:" in complaint("<#it> <a b> 1 .\n" * 5_000)


def test_a_broken_base_is_a_fault_of_the_document() -> None:
    with pytest.raises(ProgramError, match="the base IRI is broken"):
        parse_document(b"", "text/turtle", "http://h/ d", strict=False)


def answer(status: int, body: str = '<#it> <http://e/p> "é" .', media_type: str = "text/turtle") -> Answer:
    return Answer("http://h/asked", BASE, status, media_type, '"1"', body.encode())


@pytest.mark.parametrize("status", [200, 203, 304])
def test_an_answer_that_parses_is_content_of_the_document_that_answered(status: int) -> None:
    sha256 = hashlib.sha256('<#it> <http://e/p> "é" .'.encode()).hexdigest()
    content = read_answer(answer(status))
    assert content == Content("http://h/asked", BASE, (E_ACUTE,), '"1"', sha256, ())
    assert not content.tainted


def test_a_skipped_statement_taints_the_content() -> None:
    content = read_answer(answer(200, "<#it> <a b> 1 .\n"))
    assert isinstance(content, Content)
    assert content.tainted


def test_absence_is_known() -> None:
    assert [read_answer(answer(status)) for status in (404, 410)] == [
        Gone("http://h/asked", 404),
        Gone("http://h/asked", 410),
    ]


@pytest.mark.parametrize(
    ("event", "reason", "status"),
    [
        (answer(500), "the server answered 500", 500),
        (answer(401), "the server answered 401", 401),
        (answer(302), "the server answered 302", 302),
        (answer(206), "the server answered 206", 206),
        (answer(200, "x", "text/html"), "text/html is no RDF syntax", 200),
        (
            answer(200, "<#it> <#p>"),
            "not readable as Turtle: the text breaks off in the middle of a statement (line 1)",
            200,
        ),
        (NoAnswer("http://h/asked", "connection refused"), "connection refused", 0),
    ],
)
def test_all_else_has_failed_for_a_reason(event: Answer | NoAnswer, reason: str, status: int) -> None:
    assert read_answer(event) == Failed("http://h/asked", reason, status)
