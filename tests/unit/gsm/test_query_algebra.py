"""The algebra of a query is worked out once, whoever reads it."""

from agent.gsm.algebra import algebra_of
from agent.gsm.check.asked import read_asked
from agent.gsm.check.checking import MAX_STATEMENTS
from agent.gsm.monotony import Findings, examine

_ASK = "ASK { <http://example.org/door#it> ex:angle ?angle FILTER (?angle > 5) }"
_PREFIXES = {"ex": "http://example.org/door#", "unused": "http://example.org/unused#"}


def test_prefixes_that_a_query_does_not_use_make_it_no_other_query() -> None:
    first = algebra_of(_ASK, "", _PREFIXES)

    assert first is not None
    assert algebra_of(_ASK, "", _PREFIXES | {"more": "http://example.org/more#"}) is first


def test_a_prefix_that_means_something_else_makes_it_another_query() -> None:
    assert algebra_of(_ASK, "", _PREFIXES) is not algebra_of(_ASK, "", {"ex": "http://example.org/window#"})


def test_a_text_that_is_no_query_has_no_algebra_and_counts_as_negation() -> None:
    assert algebra_of("ASK {", "", {}) is None
    assert examine("ASK {", "", {}).negates


def test_what_questions_ask_is_kept_for_all_questions_that_a_model_may_have() -> None:
    kept = read_asked.cache_info().maxsize

    assert kept is not None
    assert kept >= MAX_STATEMENTS


def test_a_negation_inside_an_existence_is_found_with_what_it_asks_about() -> None:
    inner = "FILTER NOT EXISTS { <http://example.org/lock> ex:is ?x }"
    text = f"ASK {{ ?door ex:p|ex:q ?b FILTER EXISTS {{ ?door ex:r 1 {inner} }} FILTER(?b > 1) }}"

    assert examine(text, "", _PREFIXES) == Findings(True, frozenset({"http://example.org/lock"}))
