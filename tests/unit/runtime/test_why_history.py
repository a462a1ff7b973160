"""What the trace of a run tells an explanation."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent.errors import UsageError
from agent.gsm.why.snapshot import History
from agent.runtime.trace import trace_line
from agent.runtime.why_history import read_history
from tests.support.gsm import CONTAINER, ENVIRONMENT, single, small_world

MODEL = f"""
<#r> a gsm:Stage ; gsm:hasChildStage <#s> ; ag:source <{ENVIRONMENT}> .
<#s> a gsm:Stage ; gsm:hasGuard <#g> . <#g> gsm:hasCondition <#go> .
<#go> ag:ask "ASK {{ <http://e/x> <http://e/level> 9 }}" .
"""


def read(folder: Path, *lines: str) -> History:
    trace = folder / "trace.jsonl"
    trace.write_text("\n".join(lines), encoding="utf-8")
    return read_history(str(trace))


def step(number: int, **others: object) -> str:
    line: Mapping[str, Any] = {"step": number, "instant": f"2026-01-01T00:00:0{number}.000Z", **others}
    return json.dumps(line)


def get(uri: str, reason: str = "") -> dict[str, object]:
    return {"uri": uri, "status": None if reason else 200, **({"reason": reason} if reason else {})}


def test_failures_in_a_row_and_the_last_answer_are_those_at_the_end(tmp_path: Path) -> None:
    history = read(
        tmp_path,
        step(1, gets=[get("a", "refused"), get("b", "refused")]),
        step(2, gets=[get("a"), get("b")]),
        step(3, gets=[get("a", "refused"), get("b")]),
        step(4, gets=[get("a", "refused"), get("b")]),
    )

    assert history == History(
        4,
        "2026-01-01T00:00:04.000Z",
        {"a": 2},
        {"a": "2026-01-01T00:00:02.000Z", "b": "2026-01-01T00:00:04.000Z"},
        {},
    )


def test_a_stage_opened_in_the_step_that_wrote_so_and_was_confirmed(tmp_path: Path) -> None:
    here = small_world(MODEL, "e:x e:level 9 .")
    reports = [here.step(single("i1"), instant=f"2026-01-01T00:00:0{number}.000Z") for number in (1, 2, 3)]
    lines = [json.dumps(trace_line(number, report, {})) for number, report in enumerate(reports, 1)]
    unsure = lines[1].replace("confirmed", "unknown")

    opened = read(tmp_path, *lines).opened

    assert list(opened.values()) == [(2, "2026-01-01T00:00:02.000Z")]
    assert all(uri.startswith(CONTAINER) for uri in opened)
    assert read(tmp_path, lines[0], unsure).opened == {}


def test_a_last_line_that_is_cut_off_is_left_out(tmp_path: Path) -> None:
    assert read(tmp_path, step(1), step(2)[:-9]).step == 1


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        ((), ""),
        (("[" * 100_000,), ""),
        (("nothing", step(2)), "trace.jsonl:1:1"),
        ((step(1), '{"step": "two"}'), "trace.jsonl:2:1"),
        (("[]",), "trace.jsonl:1:1"),
    ],
)
def test_what_is_no_trace_is_refused_with_its_place(
    tmp_path: Path, lines: tuple[str, ...], place: str
) -> None:
    with pytest.raises(UsageError) as refusal:
        read(tmp_path, *lines)

    assert refusal.value.code == "USE002"
    assert str(refusal.value.place or "").endswith(place)


def test_values_of_odd_shapes_inside_a_line_are_passed_over(tmp_path: Path) -> None:
    odd = step(
        1,
        gets=[1, None, {"uri": 5}],
        requests=[{"outcome": "confirmed", "rule": 3, "annotations": [[1]]}, "x"],
    )

    assert read(tmp_path, odd).opened == {}


def test_a_file_that_cannot_be_read_or_is_no_text_is_refused(tmp_path: Path) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe")

    for name in (str(tmp_path / "missing"), str(tmp_path), str(binary)):
        with pytest.raises(UsageError, match="USE002"):
            read_history(name)
