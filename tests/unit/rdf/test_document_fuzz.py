"""Whatever comes, a document is read, skipped in part or refused with a ProgramError; nothing is made up."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.errors import ProgramError, describe
from agent.rdf.documents import Document, parse_document
from tests.support.depth import depth

MEDIA_TYPES = [
    "text/turtle",
    "application/n-triples",
    "application/n-quads",
    "application/trig",
    "text/n3",
    "application/ld+json",
    "application/rdf+xml",
]
SNIPPETS = [
    "@prefix e: <http://e/> .", "PREFIX e: <http://e/>\n", "@base <x> .", "<#a> ", "e:p ", '"x"', "'''", '"""', "\\", "\\u12",
    "[", "]", "(", ")", "{", "}", "<<", ">>", "<<(", ")>>", ".", ";", ",", "a ", "true", "1.5", "1e", "_:b ", "@en", "^^", "<", ">",
    "<a b>", "# c\n", "\n", "\x00", "é", "\ud800", "=>", "?x", '{"@id":', '"@context":', "null", ":", "<?xml ?>", "<!DOCTYPE",
    "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>", "</r:RDF>", "<r:Description r:about='a b'>", "<!--", "&amp;", "&x;",
]  # fmt: skip
WHOLE = (
    "@prefix e: <http://e/> .\n"
    '<#a> e:p "x . y"@en , """long\n. "quoted" """ ; e:q [ e:r ( e:a "b" _:c ) ] . # done . \n'
    "PREFIX f: <http://f/>\n"
    "_:c f:p <http://h/x#y.z> , true , 'it''s' .\n"
    "f:a.b f:p f:c\\,d .\n"
).replace("'it''s'", "'its'")


def attempt(body: bytes, media_type: str, *, strict: bool = False) -> Document | None:
    try:
        return parse_document(body, media_type, "http://h/d", strict=strict)
    except ProgramError as error:
        too_long = len(describe(error).splitlines()) > 12
    if too_long:
        pytest.fail("the error has more than 12 lines")
    return None


@pytest.mark.parametrize("media_type", MEDIA_TYPES)
@settings(max_examples=depth(120, 4_000))
@given(pieces=st.lists(st.sampled_from(SNIPPETS), max_size=12))
def test_scraps_of_syntax_never_do_harm(media_type: str, pieces: list[str]) -> None:
    body = "".join(pieces).encode("utf-8", "surrogatepass")
    lenient, strict = attempt(body, media_type), attempt(body, media_type, strict=True)
    if strict is not None:
        assert lenient == strict


@pytest.mark.parametrize("media_type", MEDIA_TYPES)
@settings(max_examples=depth(60, 2_000))
@given(body=st.binary(max_size=60))
def test_noise_never_does_harm(media_type: str, body: bytes) -> None:
    attempt(body, media_type)


def test_a_text_cut_anywhere_says_nothing_that_the_whole_does_not_say() -> None:
    said = set(parse_document(WHOLE.encode(), "text/turtle", "http://h/d", strict=True).triples)
    assert len(said) == 14
    for end in range(len(WHOLE)):
        part = attempt(WHOLE[:end].encode(), "text/turtle")
        if part is not None:
            assert set(part.triples) <= said
            assert not part.skipped


@settings(max_examples=depth(150, 5_000))
@given(st.integers(0, 39), st.sampled_from(['"', "<", "[", "e:p", "<a b>", "^^", "@", "\\", "nonsense"]))
def test_a_bad_statement_costs_no_other_statement(position: int, scrap: str) -> None:
    statements = [f'<#s{number}> <http://e/p> "{number} . <x>" .' for number in range(40)]
    statements[position] = f"<#bad> <http://e/p> {scrap} ."
    document = attempt("\n".join([*statements, ""]).encode(), "text/turtle")
    assert document is not None
    assert (len(document.triples), len(document.skipped)) == (39, 1)
