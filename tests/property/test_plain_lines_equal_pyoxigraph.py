"""N-Triples that is cut into plain lines says what pyoxigraph reads in it, and never more than pyoxigraph accepts."""

from collections.abc import Callable

import pyoxigraph as ox
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent.rdf.convert import from_ox_quads
from agent.rdf.plain_lines import cut_plain_lines
from agent.rdf.statements import Statements
from agent.reason.facts import TermTable
from tests.support.depth import depth

SCOPE = "http://d.example/"
LINES = (
    "<http://t.example/a> <http://t.example/p> <http://t.example/b> .",
    '<http://t.example/a> <http://t.example/p> "plain" .',
    '<http://t.example/a> <http://t.example/p> "plain"^^<http://www.w3.org/2001/XMLSchema#string> .',
    '<http://t.example/a> <http://t.example/p> "pl\\u0061in" .',
    '<http://t.example/b> <http://t.example/q> "tab\\t and\ttab"@en .',
    '<http://t.example/b> <http://t.example/q> "tab\\t and\\ttab"@EN .',
    '<http://t.example/b> <http://t.example/q> "1"^^<http://t.example/type> .',
    '<http://t.example/b> <http://t.example/q> "a \\"b\\" c" .',
    '<http://t.example/b> <http://t.example/q> "a \\"b\\" c"^^<http://t.example/type> .',
    '<http://t.example/b> <http://t.example/q> "a\\"^^<http://t.example/type>" .',
    '<http://t.example/b> <http://t.example/q> "a\\\\"^^<http://t.example/type> .',
    "_:x <http://t.example/p> _:y .",
    "_:y <http://t.example/p> _:x .",
    '_:b0 <http://t.example/p> "é . ö" .',
)
HOSTILE = (
    '"literal" <http://t.example/p> <http://t.example/b> .',
    "<http://t.example/a> _:x <http://t.example/b> .",
    '<http://t.example/a> "p" <http://t.example/b> .',
    "<relative> <http://t.example/p> <http://t.example/b> .",
    "<http://t.example/\\u0061> <http://t.example/p> <http://t.example/b> .",
    '<http://t.example/a> <http://t.example/p> "x" . <http://t.example/a> <http://t.example/p> "y" .',
    '<http://t.example/a> <http://t.example/p> "x"@en . # .',
    "<http://t.example/a> <http://t.example/p> # .",
    '<http://t.example/a> <http://t.example/p> "x"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString> .',
    '<http://t.example/a> <http://t.example/p> "x"^^<no iri> .',
    '<http://t.example/a> <http://t.example/p> "x"@en--ltr .',
    '<http://t.example/a> <http://t.example/p> "x\\q" .',
    '<http://t.example/a> <http://t.example/p> "x\ry" .',
    '<http://t.example/a> <http://t.example/p> "\x01\\\\" .',
    '<http://t.example/a> <http://t.example/p> "x" "y" .',
    '<http://t.example/a> "x" "y" .',
    '<http://t.example/a> <http://t.example/"p"> "x" .',
    '<http://t.example/a> <http://t.example/p> "x .',
    '<http://t.example/a> <http://t.example/p> \\"x" .',
    "<http://t.example/a> <http://t.example/p> <<( <a:a> <a:b> <a:c> )>> .",
    "<http://t.example/a>  <http://t.example/p> <http://t.example/b> .",
    "<http://t.example/a> <http://t.example/p> <http://t.example/b> . ",
    "_:x.y <http://t.example/p> _:-z .",
    "<http://t.example/a> <http://t.example/p> <http://t.example/b .",
    "<http://t.example/a <http://t.example/p> <http://t.example/b> .",
    " <http://t.example/p> <http://t.example/b> .",
    "<http://t.example/a>  <http://t.example/b> .",
    '<http://t.example/a> <http://t.example/p> <"x"> .',
    '<http://t.example/a> <http://t.example/p> <"x" .',
    '<http://t.example/a> <http://t.example/p> "x"> .',
    '<http://t.example/a> <http://t.example/p> "x"@en> .',
    '<http://t.example/a> <http://t.example/p> "x"^^<http://t.example/type .',
    '<http://t.example/a> <http://t.example/p> "x"^^<http://t.example/type" .',
    "<http://t.example/a> <http://t.example/p> <_:x> .",
    "<_:x> <http://t.example/p> <http://t.example/a> .",
    "<http://t.example/a> <http://t.example/p> <http://t.example/b> <http://t.example/c> .",
    "<http://t.example/a> <http://t.example/p> _:y _:x <http://t.example/p> <http://t.example/b> .",
    "<http://t.example/a> <http://t.example/p> <http://t.example/b> <\n> <http://t.example/a> <a:b> <a:c> .",
    "_:x <http://t.example/p> _:yzz",
    "@prefix a: <http://a> .",
    "# a comment .",
    " .",
    "",
)

any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
spelled = st.one_of(
    any_text.map(lambda text: f"<http://t.example/{text}>"),
    any_text.map(lambda text: f"<{text}>"),
    any_text.map(lambda text: f'"{text}"'),
    any_text.map(lambda text: f'"{text}"^^<http://t.example/{text}>'),
    any_text.map(lambda text: f'"a"@{text}'),
    any_text.map(lambda text: f"_:{text}"),
    any_text,
)
lines = st.one_of(
    st.sampled_from(LINES),
    st.sampled_from(LINES),
    st.sampled_from(HOSTILE),
    st.tuples(spelled, spelled, spelled).map(lambda parts: " ".join((*parts, "."))),
    st.tuples(spelled, spelled).map(lambda two: f"{two[0]} <http://t.example/p> {two[1]} ."),
)


def read_by_pyoxigraph(body: bytes) -> Statements:
    """Return what pyoxigraph reads in ``body``; SyntaxError if it does not accept it."""
    text = body.decode("utf-8-sig")
    return from_ox_quads(ox.parse(text, ox.RdfFormat.N_TRIPLES), SCOPE, lambda quad, reason: None)


def check(body: bytes) -> None:
    with pytest.MonkeyPatch.context() as patched:
        # So that texts of a few lines are cut in several blocks.
        patched.setattr("agent.rdf.plain_lines._BLOCK", 150)
        cut = cut_plain_lines(body, SCOPE, 1000)
    if cut is not None:
        assert cut == read_by_pyoxigraph(body)
        assert len(set(cut.terms)) == len(cut.terms)
        assert len(set(cut.rows)) == len(cut.rows) == len(list(cut.rows))
        table = TermTable()
        assert table.intern_all(cut) == cut.rows
        assert [table.intern(term) for term in cut.terms] == list(range(len(cut.terms)))


@given(st.lists(lines, max_size=8), st.sampled_from(("\n", "\n", "\n", "", "\r\n")))
@settings(max_examples=depth(400, 4_000), deadline=None)
@example(list(LINES), "\n")
@example(["<a:a> <a:b> <a:c> <a:d> .", "<a:e> <a:f> ."], "\n")
@example(['<a:a> <a:b> "\x01\x02" .'], "\n")
@example(['<a:a> <a:b> "> <a:c>" .', "_:x <a:b> <a:c> <a:d> ."], "\n")
def test_what_is_cut_is_what_pyoxigraph_reads(written: list[str], end: str) -> None:
    check("".join(line + (end or "\n") for line in written).encode()[: None if end else -1])


@given(
    st.lists(st.sampled_from(LINES), min_size=1, max_size=3), st.integers(0, 400), any_text, st.integers(0, 3)
)
@settings(max_examples=depth(400, 4_000), deadline=None)
def test_no_damage_makes_the_cut_say_something_else(written: list[str], at: int, put: str, gone: int) -> None:
    text = "".join(line + "\n" for line in written)
    at = min(at, len(text))
    check((text[:at] + put + text[at + gone :]).encode())


names = st.sampled_from(("<http://t.example/1>", "<http://t.example/2>", "<http://t.example/3>", "_:x"))
values = st.one_of(names, st.sampled_from(('"1"', '"1 2"', '"1"^^<http://t.example/2>')))
rows = st.tuples(names, names.filter(lambda name: name[0] == "<"), values)


@given(st.lists(rows, max_size=30), st.sampled_from((list, sorted)))
@settings(max_examples=depth(200, 2_000), deadline=None)
def test_lines_that_come_again_count_once(
    drawn: list[tuple[str, str, str]],
    in_order: Callable[[list[tuple[str, str, str]]], list[tuple[str, str, str]]],
) -> None:
    drawn = in_order(drawn)
    body = "".join(f"{' '.join(row)} .\n" for row in drawn).encode()
    check(body)
    cut = cut_plain_lines(body, SCOPE, 30)
    assert cut is not None
    assert len(cut) == len(set(drawn))
    once = "".join(f"{' '.join(row)} .\n" for row in dict.fromkeys(drawn))
    assert cut == cut_plain_lines(once.encode(), SCOPE, 30)


def test_plain_lines_are_cut_and_no_others() -> None:
    for line in LINES:
        assert cut_plain_lines(f"{line}\n".encode(), SCOPE, 1) is not None, line
    written_once = [
        line for line in LINES if "string" not in line and "u0061" not in line and "EN" not in line
    ]
    text = "".join(line + "\n" for line in written_once * 2).encode()
    cut = cut_plain_lines(text, SCOPE, 2 * len(written_once))
    assert cut is not None
    assert len(cut) == len(written_once)
    assert cut_plain_lines(text, SCOPE, 2 * len(written_once) - 1) is None
    for line in HOSTILE:
        if line != '<http://t.example/a> <http://t.example/p> "x"@en . # .':
            # Alone, and between lines that are cut together.
            assert cut_plain_lines(f"{line}\n".encode(), SCOPE, 9) is None, line
            assert cut_plain_lines(f"{LINES[0]}\n{line}\n{LINES[1]}\n".encode(), SCOPE, 9) is None, line
    for undecodable in (b"\xff", b"<a:a> <a:b> <a:\xff> .", b'<a:a> <a:b> "\xff" .'):
        assert cut_plain_lines(undecodable + b"\n", SCOPE, 9) is None
