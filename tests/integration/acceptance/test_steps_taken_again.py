"""The steps that tests take are taken again in the other mode, and what would differ is found."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from agent.messages import Headers
from agent.reason.incremental.memory import Memory
from agent.runtime.machine import Machine
from agent.runtime.reasoning import Reasoning
from tests.support.documents import CHECKOUT
from tests.support.milepost_with_twins import FOLDER
from tests.support.plans import W, get, plan
from tests.support.recorded import bench
from tests.support.replays import REPLAYED, Difference, look, noted_in
from tests.support.world import FRESH_ID, INSTANT, FakeWorld

IN, OUT = W + "in", W + "out"
PUT = f"Send(id=0, method='PUT', uri='{OUT}'"
COPYING = get(IN) + (
    "{ w:in :p ?x } => { [] http:mthd m:PUT ; http:requestURI w:out ; http:body { w:out :p ?x } } .\n"
)


async def test_each_step_of_a_process_is_taken_again_and_nobody_is_asked_twice(tmp_path: Path) -> None:
    folder = Path(os.environ[FOLDER])
    async with bench(tmp_path) as b:
        await b.server.put("/in", "<> ex:p 1 .")
        asking = "{ [] http:mthd m:GET ; http:requestURI <BASE/in> }"

        done = await b.run(asking, "--steps", "3", "--interval", "0")

        assert done.code == 0, done.err
        assert len(b.server.sent("GET", "/in")) == 3
    assert noted_in(folder) == [{}, {}, {}]


def two_steps(monkeypatch: pytest.MonkeyPatch) -> list[Difference]:
    """Return what is noted of a run in which the document changes after the first step."""
    noted: list[Difference] = []
    look(noted.append, monkeypatch.setattr)
    world, of = FakeWorld({IN: f"<> <{W}vocab#p> 1 ."}), plan(COPYING, keep_bodies=True)
    reasoning = Reasoning(of)
    for value in (2, 3):
        world.drive(Machine(of, INSTANT, FRESH_ID, reasoning=reasoning))
        world.put(IN, f"<> <{W}vocab#p> {value} .")
    return noted


def test_a_run_that_does_the_same_is_found_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    assert two_steps(monkeypatch) == [{}, {}]


def test_a_memory_that_misses_a_change_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = Memory.answer

    def answer_once(memory: Memory, said: Mapping[str, tuple[()]]) -> None:
        if not memory.said:
            answer(memory, said)

    monkeypatch.setattr(Memory, "answer", answer_once)
    first, second = two_steps(monkeypatch)
    assert first == {}
    assert str(second["asks alone"]).startswith(PUT)


def test_a_memory_that_sends_nothing_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Memory, "request_bindings", lambda _: iter(()))
    assert [str(each["asks alone"]).startswith(PUT) for each in two_steps(monkeypatch)] == [True, True]


def test_a_memory_that_asks_for_nothing_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def want_nothing(_: Memory) -> Mapping[str, Headers]:
        return {}

    monkeypatch.setattr(Memory, "wanted", want_nothing)
    assert [each["asks alone"] for each in two_steps(monkeypatch)] == [f"Get(uri='{IN}', headers=())"] * 2


def test_no_test_starts_a_process_that_is_not_looked_at() -> None:
    alone = re.compile(r"""-m["', ]+agent\b(?!\.)""")
    tests = [path for path in (CHECKOUT / "tests").rglob("*.py") if path.parent.name in REPLAYED]
    assert len(tests) > 30
    assert [path.name for path in tests if alone.search(path.read_text(encoding="utf-8"))] == []
