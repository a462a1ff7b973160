"""Broken models, one fault each: the right code at the right place, and nothing else."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from agent.errors import Finding
from agent.gsm.check.checking import check_texts
from agent.gsm.check.texts import ModelText

FOLDER = Path(__file__).parent
GOOD = (FOLDER / "good.ttl").read_text(encoding="utf-8")
CASES: list[Mapping[str, str]] = tomllib.loads((FOLDER / "broken.toml").read_text(encoding="utf-8"))["case"]


def _check(text: str) -> tuple[Finding, ...]:
    return check_texts([ModelText(text, "model.ttl", "http://models.example/model.ttl")])


def test_the_good_model_has_no_findings() -> None:
    assert _check(GOOD) == ()


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_one_fault_is_one_finding_at_its_place(case: Mapping[str, str]) -> None:
    assert case["old"] in GOOD

    findings = _check(GOOD.replace(case["old"], case["new"], 1))

    told = [
        (f"{each.place.line}:{each.place.column} {each.severity} {each.code}", _under_caret(each))
        for each in findings
    ]
    assert told == [(case["expect"], case["under"])]


def _under_caret(finding: Finding) -> str:
    return finding.place.text[finding.place.column - 1 : finding.place.end_column - 1]


@pytest.mark.parametrize(
    ("spelling", "other"),
    [
        ("a gsm:Stage ;", "a gsm:StageModel ;"),
        ("gsm:hasMilestone ", "gsm:hasMilestoneModel "),
        ("gsm:hasCondition ", "gsm:hasValidatingSentry "),
        ("gsm:hasAchievingSentry ", "gsm:hasValidatingSentry "),
        (":is-sent ag:ask", ":is-sent gsm:ask"),
        (":is-sent ag:ask", ":is-sent sh:ask"),
        ("sp:predicate ag:has", "sp:predicate gsm:has"),
        ("gsm:hasHttpRequest :send-mail", "gsm:hasTask [ gsm:hasHttpRequest :send-mail ]"),
        (":send a gsm:Stage ;", ":send gsm:hasAncestorStage :report ; a gsm:Stage ;"),
        ("gsm:hasChildStage", "gsm:hasDescendantStage"),
    ],
)
def test_other_spellings_are_as_good(spelling: str, other: str) -> None:
    assert spelling in GOOD

    assert _check("@prefix sh: <http://www.w3.org/ns/shacl#> .\n" + GOOD.replace(spelling, other)) == ()


def test_a_fault_in_another_spelling_is_found_too() -> None:
    spelt = GOOD.replace("gsm:hasMilestone ", "gsm:hasMilestoneModel ").replace(
        "gsm:hasAchievingSentry :mail-was-read", "gsm:hasValidatingSentry :mail-was-raed"
    )

    (finding,) = _check(spelt)

    assert (finding.code, finding.message) == (
        "GSM012",
        "milestone :sent points to :mail-was-raed, which is defined nowhere",
    )


def test_a_misspelt_reference_counts_as_what_was_meant_in_further_checks() -> None:
    twice = GOOD.replace("gsm:hasCondition :cold .", "gsm:hasCondition :clod .").replace("?t < 18", "?t < 21")

    codes = [finding.code for finding in _check(twice)]

    assert codes == ["GSM023", "GSM012", "GSM021"]


def test_a_misspelt_term_in_a_query_counts_as_what_was_meant_in_further_checks() -> None:
    own = "FILTER (?t < 21) ?thisArtifactInstance ag:hasUnachievedMilestne <#warm> }"

    codes = [finding.code for finding in _check(GOOD.replace("FILTER (?t < 18) }", own))]

    assert codes == ["GSM010", "GSM021"]


@pytest.mark.parametrize(
    ("namespace", "slip", "place"),
    [
        ("http://purl.org/gsm/vocab#", "http://purl.org/gsm/vocab/", "9:12"),
        ("http://purl.org/gsm/vocab#", "https://purl.org/gsm/vocab#", "9:12"),
        ("https://w3id.org/milepost/agent#", "https://w3id.org/milepost/agents#", "20:7"),
        ("http://www.w3.org/2011/http#", "http://www.w3.org/2006/http#", "32:15"),
    ],
)
def test_a_namespace_with_a_slip_is_told_once_where_it_is_used_first(
    namespace: str, slip: str, place: str
) -> None:
    findings = _check(GOOD.replace(f"<{namespace}>", f"<{slip}>"))

    told = [(f"{each.place.line}:{each.place.column}", each.code, each.hint) for each in findings]
    assert told == [(place, "GSM010", f"did you mean {namespace}?")]


def test_a_vocabulary_that_is_only_named_like_a_known_one_is_nobodys_business() -> None:
    own = "@prefix my: <http://purl.org/gsm/vocab2#> .\n:heating my:budget 5 ; a my:Building .\n"

    assert _check(GOOD + own) == ()
