"""A document that is known by several names, by redirects, comes to the same whether memory is kept or begun from nothing."""

import random

import pytest

from agent.runtime.machine import Machine
from agent.runtime.reasoning import Reasoning
from tests.support.depth import depth
from tests.support.modes import MODES, Mode
from tests.support.plans import W, get, plan
from tests.support.step_lines import line_of
from tests.support.world import FRESH_ID, FakeWorld, Order

HEAD = f"@prefix : <{W}vocab#> .\n"
NAMES = [f"{W}d{number}" for number in range(6)]
ORDERS: list[Order] = ["first", "last", "shuffled"]
RULES = (
    get(NAMES[0])
    + "{ ?x :see ?document } => { [] http:mthd m:GET ; http:requestURI ?document } .\n"
    + "{ ?x :p ?y } => { ?y :q ?x } .\n"
    + "{ ?x :q ?y . ?y :q ?z } => { ?x :q ?z } .\n"
    + "{ ?x :q ?x } => { [] http:mthd m:PUT ; http:requestURI w:out ; http:body { ?x :q ?x } } .\n"
)


def draw_document(chance: random.Random) -> str:
    """Return what a document may say: blank nodes and relative references hang on its name."""
    lines = []
    for _ in range(chance.randrange(5)):
        kind = chance.choice(["see", "see", "see", "p", "q"])
        value = f"<{chance.choice(NAMES)}>"
        if kind != "see":
            value = chance.choice([":a", ":b", "[ :p :c ]", "<#l>", "<>"])
        lines.append(f"{chance.choice([':a', ':b', '<#s>', '[]'])} :{kind} {value} .")
    return HEAD + "\n".join(lines)


def change(world: FakeWorld, chance: random.Random) -> None:
    """Let up to two things become different: who redirects where, what a document says, whether it fails."""
    for _ in range(chance.randrange(3)):
        name = chance.choice(NAMES)
        redirects = dict(world.redirects)
        match chance.randrange(4):
            case 0:
                redirects[name] = chance.choice(NAMES)
            case 1:
                redirects.pop(name, None)
            case 2:
                world.put(name, draw_document(chance))
            case _ if chance.random() < 0.5:
                world.get_faults[name] = chance.choice([404, 503])
            case _:
                world.get_faults.pop(name, None)
        # What answers does not redirect.
        world.redirects = {name: final for name, final in redirects.items() if final not in redirects}


def take_steps(seed: int, mode: Mode) -> list[object]:
    """Return what the steps of a run in a world of ``seed`` come to."""
    chance = random.Random(seed)
    world = FakeWorld({name: draw_document(chance) for name in NAMES})
    of = plan(RULES, keep_bodies=True)
    reasoning = Reasoning(of, recompute=mode == "recomputed")
    taken: list[object] = []
    for number in range(6):
        change(world, chance)
        machine = Machine(of, f"2026-01-01T00:00:0{number}.000Z", FRESH_ID, None, reasoning)
        report = world.drive(machine, order=chance.choice(ORDERS), seed=number)
        taken.append((dict(world.redirects), line_of(number, report), set(machine.memory)))
    return taken


def test_runs_in_worlds_of_redirects_are_the_same_in_both_modes() -> None:
    for seed in range(depth(15, 2000)):
        kept, recomputed = (take_steps(seed, mode) for mode in MODES)
        assert kept == recomputed, seed


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("mode", MODES)
def test_a_document_is_reported_by_both_its_names_whichever_was_asked_for_first(
    mode: Mode, order: Order
) -> None:
    one, other = NAMES[1:3]
    world = FakeWorld({NAMES[0]: f"{HEAD}:a :see <{one}> .", other: f"{HEAD}:a :see <{other}> ."})
    world.redirects = {one: other}
    of = plan(RULES)
    reasoning = Reasoning(of, recompute=mode == "recomputed")
    for number in range(3):
        machine = Machine(of, f"2026-01-01T00:00:0{number}.000Z", FRESH_ID, None, reasoning)
        report = world.drive(machine, order=order)
        assert [(get.uri, get.final_uri) for get in report.gets] == [
            (NAMES[0], NAMES[0]),
            (one, other),
            (other, other),
        ]
