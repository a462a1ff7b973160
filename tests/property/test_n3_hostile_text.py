"""Whatever the text is, reading it gives a program or a ProgramError."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.errors import MAX_LINES, ProgramError
from agent.n3.load import read_model, read_program
from tests.support.depth import depth
from tests.support.n3 import BASE, PROGRAM, SOURCE

PIECES = st.sampled_from(
    [
        *"{}[]().,;!^=<>?@:_\\\"'# \n\t\r\0",
        *(
            "=>",
            "<=",
            "<-",
            "^^",
            "_:b",
            "?x",
            "a",
            "is",
            "of",
            "has",
            "id",
            "true",
            "1",
            "1.5",
            "1e5",
            '"""',
            "'''",
        ),
        *(
            "@prefix",
            "@base",
            "@forAll",
            "@forSome",
            "PREFIX",
            "ex:",
            "ex:a",
            ":a",
            "<u>",
            "'s'",
            "\\u12",
            "\\uD800",
        ),
        *(
            "http:mthd",
            "http:requestURI",
            "http:body",
            "http:headers",
            "http_m:GET",
            "http_m:PUT",
            "ag:likeRequest",
        ),
        *(
            "math:sum",
            "math:lessThan",
            "log:notIncludes",
            "log:implies",
            "math:nothing",
            "\ud800",
            "\ufeff",
            "日",
        ),
    ]
)
SOUP = st.builds(str.join, st.sampled_from([" ", "", "\n"]), st.lists(PIECES, max_size=40))
ANY_TEXT = st.text(st.characters(), max_size=60)


def _outcome(text: str) -> str:
    """Read ``text`` as a program and as a model; anything but a ProgramError gets out."""
    outcomes = []
    for read in (read_program, read_model):
        try:
            read(text, source=SOURCE, base=BASE)
        except ProgramError as error:
            for each in (error, *error.others):
                assert each.place is not None
                assert len(str(each).splitlines()) <= MAX_LINES
            outcomes.append(error.code)
        else:
            outcomes.append("read")
    return " ".join(outcomes)


@given(ANY_TEXT)
@settings(max_examples=depth(200, 20_000))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert _outcome(text)


@given(SOUP)
@settings(max_examples=depth(300, 30_000))
def test_any_soup_of_tokens_is_read_or_refused(soup: str) -> None:
    assert _outcome(PROGRAM.partition("\n")[0] + "\n" + soup)


@given(st.integers(0, len(PROGRAM)), st.integers(0, 30), PIECES)
@settings(max_examples=depth(300, 30_000))
def test_a_program_with_a_piece_replaced_is_read_or_refused(start: int, length: int, piece: str) -> None:
    assert _outcome(PROGRAM[:start] + piece + PROGRAM[start + length :])


@given(st.integers(0, len(PROGRAM)))
@settings(max_examples=depth(100, 3000))
def test_a_program_cut_off_anywhere_is_read_or_refused(length: int) -> None:
    assert _outcome(PROGRAM[:length])


LONG = depth(20_000, 1_000_000)
DEEP = 10_000


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        (":a :b " + "[ :b " * DEEP + ":c" + " ]" * DEEP + " .", "read read"),
        (":a :b " + "(" * DEEP + ")" * DEEP + " .", "read read"),
        (":a :b " + "{ :a :b " * DEEP + ":c" + " }" * DEEP + " .", "read N3013"),
        ("{ ?x :p " + "{ :a :b " * DEEP + ":c" + " }" * DEEP + " } => { ?x a :T } .", "read N3013"),
        (":a" + "!:b" * DEEP + " :c :d .", "read read"),
        ("{" * LONG, "N3004 N3004"),
        ("[" * LONG, "N3004 N3004"),
        ("(" * LONG, "N3004 N3004"),
        ("}" * LONG, "N3001 N3001"),
        ("}." * LONG, "N3001 N3001"),
        (":a :b .\n" + ".}" * LONG, "N3001 N3001"),
        ("\0" * LONG, "N3001 N3001"),
        ('"' * LONG, "N3001 N3001"),
        ('"' + "x" * LONG, "N3007 N3007"),
        ('"""' + "x\n" * LONG, "N3007 N3007"),
        ('"' + "\\" * LONG, "N3007 N3007"),
        ("<" + "x" * LONG, "N3006 N3006"),
        ("x" * LONG, "N3001 N3001"),
        ("x." * LONG, "N3001 N3001"),
        ("x.y:" * LONG, "N3001 N3001"),
        ("<=" * LONG, "N3001 N3001"),
        ("1." * LONG, "N3001 N3001"),
        (":a :b '" + "x" * LONG + "' .", "read read"),
        (":a :b <" + "x" * LONG + "> .", "read read"),
        (":a :b " + "x" * LONG + ":c .", "N3002 N3002"),
        (":a :b :c .#" + "x" * LONG, "read read"),
        (":a :b :c" + ";" * LONG + ".", "read read"),
        (":a :b :c :d .\n" * LONG, "N3001 N3001"),
        ("".join(f"p{n}:a p{n}:b p{n}:c .\n" for n in range(2000)), "N3002 N3002"),
    ],
    ids=lambda value: value[:12] if isinstance(value, str) else None,
)
def test_a_text_of_monstrous_depth_or_length_is_read_or_refused(text: str, outcome: str) -> None:
    assert _outcome(text) == outcome
