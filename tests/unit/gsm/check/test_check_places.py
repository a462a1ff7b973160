"""Places inside literals are those of the file, and every spelling the rules know is known to the checks."""

import pytest

from agent.errors import Place
from agent.gsm.check.terms import HAS_ANCESTOR, HAS_TASK, HAS_VALIDATING, SPELLINGS
from agent.gsm.check.texts import inside, offset_of
from agent.gsm.check.vocabulary import known_terms, meant_term
from agent.n3.load import read_program
from agent.n3.source import SourceText
from agent.rdf.terms import IRI
from agent.resources import read_bundled
from agent.vocab import AG, GSM, HTTP, SH, SP


@pytest.mark.parametrize(
    ("text", "offset", "place"),
    [
        ('<a> <b> "xyz" .', 1, (1, 11)),
        ("<a> <b> 'xyz' .", 2, (1, 12)),
        ('<a> <b> "\\n\\u0041z" .', 2, (1, 18)),
        ('<a> <b> """\nx\n  yz""" .', 5, (3, 3)),
        ('<a> <b> "xyz" .', 99, (1, 9)),
    ],
)
def test_a_place_inside_a_literal_counts_escapes_as_written(
    text: str, offset: int, place: tuple[int, int]
) -> None:
    found = inside(SourceText(text, "m.ttl"), Place("m.ttl", 1, 9, 14), offset)

    assert (found.line, found.column) == place


@pytest.mark.parametrize(
    ("line", "column", "offset"), [(1, 1, 0), (2, 1, 3), (2, 2, 4), (9, 1, 3), (1, 99, 4), (0, 0, 0)]
)
def test_a_line_and_column_is_an_offset_inside_the_text(line: int, column: int, offset: int) -> None:
    assert offset_of("ab\ncd", line, column) == offset


def test_every_spelling_that_the_rules_know_is_known_to_the_checks() -> None:
    rules = read_program(read_bundled("rules/gsm/aliases.n3"), source="aliases", base="")
    simple = {
        term
        for rule in rules.derivations
        if len(rule.body) == 1
        for term in rule.body[0].triple[1:]
        if isinstance(term, IRI) and term.value.startswith(GSM)
    }
    instances = {IRI(GSM + "isSuperStageInstance"), IRI(GSM + "hasInstanceRelativeResult")}

    assert simple - instances - {HAS_ANCESTOR} == set(SPELLINGS)
    assert {HAS_VALIDATING, HAS_TASK} <= {p.triple.predicate for rule in rules.derivations for p in rule.body}


@pytest.mark.parametrize(
    ("iri", "meant"),
    [
        (GSM + "hasGuard", None),
        (GSM + "ask", None),
        (HTTP + "mthd", None),
        (SP + "where", None),
        (SH + "ask", None),
        ("http://example.org/hasGaurd", None),
        (GSM + "hasGaurd", ("error", GSM + "hasGuard")),
        (GSM + "source", ("error", AG + "source")),
        (GSM + "zzz", ("error", "")),
        (HTTP + "method", ("error", HTTP + "mthd")),
        (HTTP + "zzz", ("warning", "")),
        (SH + "asks", ("error", SH + "ask")),
    ],
)
def test_a_term_is_known_or_a_guess_is_made(iri: str, meant: tuple[str, str] | None) -> None:
    assert meant_term(iri) == meant


def test_all_our_vocabularies_are_closed() -> None:
    assert {GSM, AG, HTTP, SP, SH} <= set(known_terms())
