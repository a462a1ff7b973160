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
