"""Searching data for which two questions hold at once."""

import pytest

from agent.gsm.check.witness import WitnessSearch
from agent.gsm.question import read_question

BASE = "http://models.example/m"
LAMP = "</lamp#it> <u:level>"


def _search(*texts: str, one_value: bool = True) -> tuple[str | None, bool]:
    questions = [read_question(text, BASE) for text in texts]
    assert [question.fault for question in questions] == [""] * len(questions)
    found = WitnessSearch().search(*questions, one_value=one_value)
    return found.example, found.is_certain


@pytest.mark.parametrize(
    ("one", "other", "example"),
    [
        (f"ASK {{ {LAMP} 1 }}", "ASK { </door#it> <u:is> 'shut' }", "lamp=1, door=shut"),
        (f"ASK {{ {LAMP} ?l FILTER(?l > 5) }}", f"ASK {{ {LAMP} ?l FILTER(?l < 7) }}", "lamp=6"),
        (f"ASK {{ {LAMP} ?l FILTER(?l >= 5) }}", f"ASK {{ {LAMP} ?l FILTER(?l <= 5) }}", "lamp=5"),
        (f"ASK {{ {LAMP} ?l FILTER(?l > -2) }}", f"ASK {{ {LAMP} ?l FILTER(?l < -0.5) }}", "lamp=-1.25"),
        (
            "ASK { ?d a <u:Door> ; <u:open> true }",
            "ASK { ?d a <u:Door> ; <u:open> false }",
            "d=true, d=false",
        ),
        ("ASK { ?x <u:p> 1 } ", "ASK { {?x <u:p> 2} UNION {<u:y> <u:q> 3} }", "x=1, x=2"),
        ("ASK { </a#it> <u:p> 1 ; <u:q> 2 }", "ASK {}", "a.p=1, a.q=2"),
        ("ASK { <u:a> a <u:B> }", "ASK { <u:a> a <u:C> }", "a=B, a=C"),
        (
            "ASK { ?thisArtifactInstance gsm:hasAchievedMilestone <#m> }",
            "ASK { ?thisArtifactInstance ag:hasActiveStage <#s> }",
            "m=achieved, s=active",
        ),
    ],
)
def test_data_for_both_are_shown_as_short_pairs(one: str, other: str, example: str) -> None:
    assert _search(one, other)[0] == example


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"ASK {{ {LAMP} 1 }}", f"ASK {{ {LAMP} 2 }}"),
        (f"ASK {{ {LAMP} ?l FILTER(?l > 5) }}", f"ASK {{ {LAMP} ?k FILTER(?k <= 5) }}"),
        (f"ASK {{ {LAMP} 'on' }}", f"ASK {{ {LAMP} ?l FILTER(?l != 'on') }}"),
        (
            "ASK { ?thisArtifactInstance gsm:hasAchievedMilestone <#m> }",
            "ASK { ?thisArtifactInstance gsm:hasUnachievedMilestone <#m> }",
        ),
        (
            "ASK { <u:a> <u:b> ?v FILTER(NOW() < '2030-01-01T00:00:00Z'^^xsd:dateTime) }",
            "ASK { <u:a> <u:b> ?v FILTER(NOW() > '2031-01-01T00:00:00Z'^^xsd:dateTime) }",
        ),
    ],
)
def test_questions_that_exclude_each_other_are_known_to(one: str, other: str) -> None:
    assert _search(one, other) == (None, True)


@pytest.mark.parametrize(
    "text",
    [
        "ASK { { SELECT (COUNT(?x) AS ?n) WHERE { ?x <u:p> 1 } } FILTER(?n > 5) }",
        "ASK { <u:a> <u:b> ?v , ?w FILTER(?v + 3 < ?w) }",
        "ASK { GRAPH <u:g> { <u:a> <u:b> 1 } }",
    ],
)
def test_what_the_search_does_not_understand_stays_open(text: str) -> None:
    assert _search(text, "ASK { <u:c> <u:d> 1 }") == (None, False)


def test_negation_is_asked_and_not_assumed() -> None:
    without = "ASK { FILTER NOT EXISTS { ?door <u:open> true } }"

    assert _search(without, "ASK { ?door <u:open> true }")[0] is None
    assert _search(without, "ASK { <u:door> <u:open> false }")[0] == "door=false"


def test_one_question_may_contradict_itself() -> None:
    both = "ASK { <u:a> <u:b> ?v FILTER(?v > 5 && ?v < 4) }"

    assert _search(both, one_value=False) == (None, True)
    assert _search("ASK { <u:a> <u:b> 1 , 2 }", one_value=False)[0] == "a=1, a=2"
    assert _search("ASK { FILTER(false) }", one_value=False) == (None, True)


def test_the_budget_ends_the_search_without_a_claim() -> None:
    search = WitnessSearch()
    never = read_question("ASK { <u:a> <u:b> ?v , ?w FILTER(?v > 5 && ?v < 4 && ?w > 3) }", BASE)

    certain = [search.search(never, one_value=False).is_certain for _ in range(200)]

    assert (certain[0], certain[-1]) == (True, False)
