"""Instances that run in a circle: when it is certain, when it is suspected, and what is none."""

import random

from agent.runtime.runaway import OPENINGS, REMEMBERED, REST_STEPS, ROUNDS, WARN_AT, Acting, Runaway, Runaways

STAGE, GUARD = "http://w/m#s", "http://w/m#g"


def opening(
    status: str = "closed", environment: str = "e", *, name: str = "i", timed: bool = False
) -> Acting:
    return Acting(name, status, environment, {STAGE: (GUARD,)}, timed)


def closing(status: str = "open", environment: str = "e", *, name: str = "i", timed: bool = False) -> Acting:
    return Acting(name, status, environment, {}, timed)


def turns(runaways: Runaways, steps: list[list[Acting]]) -> list[tuple[int, Runaway]]:
    """Return what was found, each with the number of the step."""
    return [(number, one) for number, acting in enumerate(steps, 1) for one in runaways.observe(acting)]


def test_five_identical_rounds_are_certain_and_a_warning_comes_first() -> None:
    circle = [[Acting("i", "first", "e", {STAGE: (GUARD,)})], *([[closing()], [opening()]] * 6)]

    found = turns(Runaways(), circle)

    assert [(number, one.kind, one.count) for number, one in found[:2]] == [
        (11, "repeating", WARN_AT + 1),
        (12, "certain", ROUNDS + 1),
    ]
    assert found[1][1].reason == (
        f"stage {STAGE} was opened 6 times in a row by guard {GUARD}, and nothing else changed"
    )


def test_four_rounds_are_not_enough() -> None:
    assert turns(Runaways(), [[opening()], [closing()]] * ROUNDS) == []


def test_a_circle_whose_environment_moves_is_never_certain_and_suspected_after_a_hundred_openings() -> None:
    steps = [step for n in range(OPENINGS + 1) for step in ([opening("c", f"e{n}")], [closing("o", f"e{n}")])]
    found = turns(Runaways(), steps)
    assert [(one.kind, one.count) for _, one in found[:2]] == [("repeating", 6), ("suspected", 100)]
    assert found[1][0] == 2 * OPENINGS - 1
    assert "nothing else changed" not in found[1][1].reason


def test_an_environment_that_comes_back_to_what_it_was_is_no_circle() -> None:
    """A thermostat sees the same temperatures again and again, and rightly does the same again and again."""
    day = [[opening("off", "cold")], [], [closing("on", "warm")], []]
    assert [one.kind for _, one in turns(Runaways(), day * 20)] == ["repeating"]


def test_a_row_ends_when_the_instance_rests() -> None:
    runaways = Runaways()
    rest: list[list[Acting]] = [[] for _ in range(REST_STEPS)]
    assert turns(runaways, [[opening()], [closing()], *rest] * 200) == []
    assert len(runaways) == 0


def test_a_step_without_a_change_breaks_the_rounds() -> None:
    assert "certain" not in {one.kind for _, one in turns(Runaways(), [[opening()], [closing()], []] * 30)}


def test_a_sentry_that_reads_the_time_makes_nothing_certain() -> None:
    found = turns(Runaways(), [[opening(timed=True)], [closing(timed=True)]] * 99)
    assert {one.kind for _, one in found} == {"repeating"}


def test_each_instance_is_judged_by_itself() -> None:
    steps = [[opening(), opening(f"s{n}", name="busy")] for n in range(40)]
    found = turns(Runaways(), steps)
    assert {one.instance for _, one in found if one.kind == "certain"} == {"i"}
    assert [(one.instance, one.count) for _, one in found if one.kind == "repeating"] == [
        ("i", 6),
        ("busy", 6),
    ]


def test_an_instance_that_is_forgotten_begins_anew() -> None:
    runaways = Runaways()
    turns(runaways, [[opening()]] * ROUNDS)
    runaways.forget("i")
    assert turns(runaways, [[opening()]] * ROUNDS) == []


def test_a_circle_without_an_opening_is_told_as_what_it_is() -> None:
    [(_, first), *_] = turns(Runaways(), [[closing()]] * 9)
    assert (first.kind, first.stage) == ("certain", "")
    assert first.reason == "the status repeats, 6 times so far, and nothing else changes"


def test_memory_is_bounded_however_many_statuses_there_are() -> None:
    runaways = Runaways()
    chance = random.Random(3)
    for number in range(5_000):
        runaways.observe([closing(f"{number} {chance.random()}")])
    history = runaways._histories["i"]
    assert (len(runaways), len(history.visits)) == (1, REMEMBERED)
