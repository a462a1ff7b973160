"""A run that tells its memory only of documents that say something else knows in each step what one from nothing knows."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pytest

from agent.rdf.documents import Content, Outcome
from agent.rdf.terms import IRI, Triple
from agent.reason.facts import Facts
from agent.runtime.machine import Machine
from agent.runtime.plan import StepPlan
from agent.runtime.reasoning import Reasoning
from agent.runtime.report import StepReport
from agent.runtime.workflows import SentryValue
from agent.vocab import XSD
from tests.support.depth import depth
from tests.support.plans import W, get, plan
from tests.support.world import FakeWorld, Order

V = W + "vocab#"
NEEDS = IRI(V + "needs")
NAMES = [f"{W}d{number}" for number in range(5)]
NEEDED = NAMES[4]
ORDERS: list[Order] = ["first", "last", "shuffled"]
HEAD = f"@prefix : <{V}> . @prefix xsd: <{XSD}> .\n"
DRAFTS = [f":a :see <{NAMES[1]}> .", f":a :see <{NAMES[2]}> ; :needs <{NEEDED}> .", ""]
FORMS = ["1", "1.0", "1e0", '"01"^^xsd:integer', "2"]
RULES = (
    get(NAMES[0])
    + "{ ?x :see ?document } => { [] http:mthd m:GET ; http:requestURI ?document } .\n"
    + "{ ?x :p ?y } => { ?y :q ?x } .\n"
    + "{ ?x :q ?y . ?y :q ?z } => { ?x :q ?z } .\n"
    + "{ ?x :size ?n . (?n 1) math:sum ?m } => { ?x :next ?m } .\n"
    + "{ ?x :next ?m . ?m math:greaterThan 2 . ?S log:notIncludes { ?x :size ?m } } => { ?x :q :c } .\n"
    + "{ ?x :next ?m } => { [] http:mthd m:PUT ; http:requestURI w:next ; http:body { ?x :next ?m } } .\n"
    + "{ ?x :q ?x } => { [] http:mthd m:PUT ; http:requestURI w:out ; http:body { ?x :q ?x } } .\n"
)


@dataclass(slots=True)
class Needy:
    """Needs the documents that the memory says it needs, and keeps what it was shown in the end."""

    protected: frozenset[str] = frozenset()
    outcomes: Mapping[str, Outcome] | None = None

    def admit(self, content: Content) -> tuple[tuple[Triple, ...], int]:
        return content.triples, 0

    def sources(self, facts: Facts) -> Iterable[str]:
        return [t.object.value for t in facts.match(None, NEEDS, None) if isinstance(t.object, IRI)]

    def conclude(
        self, facts: Facts, outcomes: Mapping[str, Outcome], instant: str
    ) -> tuple[list[Triple], list[SentryValue]]:
        self.outcomes = dict(outcomes)
        return [], []


def draw_document(name: str, chance: random.Random) -> str:
    """Return what a document may say; what is needed leads nowhere, so that none is needed only because it says so."""
    kinds = ["p", "q"] if name == NEEDED else ["see", "see", "needs", "p", "q"]
    lines = [":a :p :b ."] * chance.randrange(2)
    lines += [f":a :size {form} ." for form in chance.sample(FORMS, chance.choice([0, 1, 1, 2]))]
    for _ in range(chance.randrange(4)):
        kind = chance.choice(kinds)
        value = {"see": f"<{chance.choice(NAMES)}>", "needs": f"<{NEEDED}>"}.get(
            kind, chance.choice([":a", ":b", ":c"])
        )
        lines.append(f"{chance.choice([':a', ':b', ':c'])} :{kind} {value} .")
    return HEAD + "\n".join(lines)


def change(world: FakeWorld, chance: random.Random) -> None:
    """Let others change a document or two, let one go, or let one fail from now on or no longer."""
    for _ in range(chance.choice([0, 1, 1, 2])):
        name = chance.choice(NAMES)
        match chance.randrange(6):
            case 0:
                world.get_faults.pop(name, None)
            case 1:
                world.get_faults[name] = 404 if chance.random() < 0.5 else "no answer"
            case 2 if name != NEEDED:
                world.redirects = {name: W + "elsewhere"} if chance.random() < 0.5 else {}
            case 3 if name != NEEDED:
                world.put(name, HEAD + chance.choice(DRAFTS))
            case _:
                world.put(name, draw_document(name, chance))


def took(machine: Machine, report: StepReport, needy: Needy) -> object:
    """Return all that a step came to."""
    return (
        set(machine.memory),
        report.gets,
        [(one.method, one.uri, one.body) for one in report.requests],
        (report.quiet, report.quiet_reason, report.left_out),
        needy.outcomes,
    )


def one_step(world: FakeWorld, of: StepPlan, reasoning: Reasoning | None, order: Order, seed: int) -> object:
    machine = Machine(of, f"2026-01-01T00:00:{seed % 60:02}.000Z", f"id{seed}", None, reasoning)
    report = world.drive(machine, order=order, seed=seed)
    assert report.failure is None, report.failure
    assert isinstance(of.workflows, Needy)
    return took(machine, report, of.workflows)


def test_runs_that_tell_only_what_has_changed_know_what_a_run_from_nothing_knows() -> None:
    for seed in range(depth(60, 3000)):
        chance = random.Random(seed)
        world = FakeWorld({name: draw_document(name, chance) for name in (*NAMES, W + "elsewhere")})
        kept_plan, new_plan = (plan(RULES, workflows=Needy(), dry_run=True) for _ in range(2))
        reasoning = Reasoning(kept_plan)
        for number in range(6):
            order = chance.choice(ORDERS)
            kept = one_step(world, kept_plan, reasoning, order, number)
            assert kept == one_step(world, new_plan, None, "first", number), (seed, number)
            change(world, chance)


@pytest.mark.parametrize("order", ORDERS)
def test_a_document_that_redirects_to_one_that_was_asked_for_early_is_known_by_both_names(
    order: Order,
) -> None:
    early, late = NAMES[2], NAMES[3]
    world = FakeWorld({NAMES[0]: f"{HEAD}:a :see <{early}> .", early: HEAD}, redirects={late: early})
    kept_plan, new_plan = (plan(RULES, workflows=Needy(), dry_run=True) for _ in range(2))
    reasoning = Reasoning(kept_plan)
    one_step(world, kept_plan, reasoning, order, 0)
    world.put(NAMES[0], f"{HEAD}:a :see <{late}> .")
    world.log.clear()

    kept = one_step(world, kept_plan, reasoning, order, 1)

    assert set(world.gets) == {NAMES[0], early, late}
    assert kept == one_step(world, new_plan, None, order, 1)
    assert isinstance(kept_plan.workflows, Needy)
    assert kept_plan.workflows.outcomes is not None
    assert kept_plan.workflows.outcomes.keys() == {NAMES[0], early, late}


def test_what_sentries_need_only_because_it_says_so_stays_until_it_says_so_no_more() -> None:
    """The one thing in which a memory that is kept differs from one from nothing (ADR 0124)."""
    needs = f"{HEAD}:a :needs <{NEEDED}> ."
    world = FakeWorld({NAMES[0]: needs, NEEDED: needs})
    kept_plan, new_plan = (plan(RULES, workflows=Needy(), dry_run=True) for _ in range(2))
    reasoning = Reasoning(kept_plan)

    def read(number: int) -> list[list[str]]:
        """Return what a step reads that is told of changes, and what one from nothing reads."""
        steps = []
        for of, lasting in ((kept_plan, reasoning), (new_plan, None)):
            instant = f"2026-01-01T00:00:0{number}.000Z"
            report = world.drive(Machine(of, instant, f"id{number}", None, lasting))
            steps.append([get.uri for get in report.gets])
        return steps

    both = [NAMES[0], NEEDED]
    assert read(0) == [both, both]
    world.put(NAMES[0], HEAD)
    assert read(1) == read(2) == [both, [NAMES[0]]]
    world.put(NEEDED, HEAD)
    assert read(3) == [[NAMES[0]], [NAMES[0]]]


def test_what_rules_ask_for_only_because_it_says_so_is_gone_at_once() -> None:
    see = f"{HEAD}:a :see <{NAMES[1]}> ."
    world = FakeWorld({NAMES[0]: see, NAMES[1]: see})
    of = plan(RULES, dry_run=True)
    reasoning = Reasoning(of)
    read = []
    for number in range(2):
        machine = Machine(of, f"2026-01-01T00:00:0{number}.000Z", f"id{number}", None, reasoning)
        read.append([get.uri for get in world.drive(machine).gets])
        world.put(NAMES[0], HEAD)
    assert read == [NAMES[:2], NAMES[:1]]
