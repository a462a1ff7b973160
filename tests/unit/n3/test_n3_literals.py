import pytest

from agent.rdf.terms import (
    FALSE,
    LANG_STRING,
    TRUE,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    Literal,
    Term,
)
from tests.support.n3 import ex, object_of, syntax_error, triples

LITERALS: list[tuple[str, Term]] = [
    ('"text"', Literal("text")),
    ("'text'", Literal("text")),
    ('""', Literal("")),
    ("''", Literal("")),
    ('""""""', Literal("")),
    ('"it\'s"', Literal("it's")),
    ("'say \"x\"'", Literal('say "x"')),
    ('"""two\nlines"""', Literal("two\nlines")),
    ("'''two\r\nlines'''", Literal("two\r\nlines")),
    ('"""one " and two "" inside"""', Literal('one " and two "" inside')),
    ("'''one ' and two '' inside'''", Literal("one ' and two '' inside")),
    (r'"\t\b\n\r\f\"\'\\"', Literal("\t\b\n\r\f\"'\\")),
    (r'"\u00e9\U0001F600"', Literal("é😀")),
    (r'"""\u0041"""', Literal("A")),
    ('"# no comment"', Literal("# no comment")),
    ('"naïve 日本"', Literal("naïve 日本")),
    ('"\x00\x07"', Literal("\x00\x07")),
    ('"hello"@en', Literal("hello", LANG_STRING, "en")),
    ("'hallo'@de-AT", Literal("hallo", LANG_STRING, "de-at")),
    ('"""x"""@x-y-12', Literal("x", LANG_STRING, "x-y-12")),
    ('"1"^^xsd:byte', Literal("1", "http://www.w3.org/2001/XMLSchema#byte")),
    ('"1"^^<http://example.org/ns#t>', Literal("1", ex("t").value)),
    ('"1" ^^ ex:t', Literal("1", ex("t").value)),
    ('"x"^^xsd:string', Literal("x")),
    ("5", Literal("5", XSD_INTEGER)),
    ("-05", Literal("-05", XSD_INTEGER)),
    ("+7", Literal("+7", XSD_INTEGER)),
    ("1.50", Literal("1.50", XSD_DECIMAL)),
    ("-.5", Literal("-.5", XSD_DECIMAL)),
    ("1e3", Literal("1e3", XSD_DOUBLE)),
    ("1.E-3", Literal("1.E-3", XSD_DOUBLE)),
    (".5e+3", Literal(".5e+3", XSD_DOUBLE)),
    ("true", TRUE),
    ("false", FALSE),
]


@pytest.mark.parametrize(("text", "literal"), LITERALS)
def test_a_literal_keeps_its_characters_and_its_kind(text: str, literal: Term) -> None:
    assert object_of(text) == literal


def test_a_number_before_the_final_dot_is_an_integer() -> None:
    assert triples("ex:s ex:p 5.")[0].object == Literal("5", XSD_INTEGER)


@pytest.mark.parametrize(
    ("text", "code", "column", "message"),
    [
        (r':a :b "x\q" .', "N3005", 9, r"unexpected escape \q"),
        (r':a :b "\ud800" .', "N3005", 8, r"unexpected escape \ud800: it is no character"),
        (r':a :b "\U00110000" .', "N3005", 8, r"unexpected escape \U00110000: it is no character"),
        (r':a :b "\u12" .', "N3005", 8, r"unexpected escape \u"),
        (':a :b "open .', "N3007", 7, 'expected " at the end of this string, got the end of the line'),
        (':a :b """open" .', "N3007", 7, 'expected """ at the end of this string, got the end of the file'),
        (':a :b "x"^^"y" .', "N3001", 12, 'expected the IRI of a datatype, got "y"'),
        (':a :b "x" @en .', "N3001", 11, "expected . or ; or ,, got @en"),
        (':a :b "x\ud800" .', "N3005", 9, "unexpected lone surrogate U+D800: it is no character"),
    ],
)
def test_a_faulty_literal_is_named_at_its_place(text: str, code: str, column: int, message: str) -> None:
    error = syntax_error(text)
    assert error.place is not None
    assert (error.code, error.place.line, error.place.column, error.message) == (code, 1, column, message)
