"""Conclusions that are kept from step to step are those that a step draws from nothing."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from agent.gsm.evaluation import SentryValue
from agent.gsm.standing import StandingConclusions
from agent.gsm.workflows import GsmWorkflows
from agent.rdf.documents import Outcome
from agent.rdf.terms import Triple
from agent.reason.facts import Facts
from agent.reason.join import Numbers
from tests.support.depth import depth
from tests.support.gsm import CONTAINER, MODEL, PREFIXES, every, small_world
from tests.support.sentry_models import draw_environment, draw_model


@dataclass(frozen=True, slots=True)
class Moment:
    """What a step concluded, and from what."""

    memory: frozenset[Triple]
    outcomes: Mapping[str, Outcome]
    instant: str
    triples: list[Triple]
    values: list[SentryValue]


@dataclass
class Recording:
    """Workflows whose conclusions are written down."""

    moments: list[Moment] = field(default_factory=list)

    def workflows(self) -> GsmWorkflows:
        moments = self.moments

        class Recorded(GsmWorkflows):
            def conclude(
                self, facts: Facts, outcomes: Mapping[str, Outcome], instant: str
            ) -> tuple[list[Triple], list[SentryValue]]:
                triples, values = super().conclude(facts, outcomes, instant)
                moments.append(Moment(frozenset(facts), dict(outcomes), instant, triples, values))
                return triples, values

        return Recorded([CONTAINER])


def record(chance: random.Random) -> list[Moment]:
    """Return the moments of a run in which instances come and go, models change, and documents fail."""
    world = small_world(draw_model(chance), "", ("i1", "i2"))
    recording = Recording()
    plan = replace(every(), workflows=recording.workflows())
    later = small_world("", "", ("i3",)).pages[f"{CONTAINER}i3"]
    for step in range(8):
        if chance.random() < 0.6:
            world.put("http://w/env", draw_environment(chance))
        world.get_faults.clear()
        if chance.random() < 0.3:
            world.get_faults["http://w/env"] = chance.choice((503, 404, "connection refused", b"<#it"))
        if chance.random() < 0.15:
            world.get_faults[f"{CONTAINER}{chance.choice(('i1', 'i2'))}"] = 503
        if step == 3:
            world.put(f"{CONTAINER}i3", later)
        if step == 5 and chance.random() < 0.5:
            world.put(MODEL, PREFIXES + draw_model(chance))
        if step == 6 and chance.random() < 0.5:
            del world.pages[f"{CONTAINER}i1"]
        world.step(plan, instant=f"2026-01-05T12:00:0{step if chance.random() < 0.7 else 0}.000Z")
    return recording.moments


def numbers(memory: Facts, triples: frozenset[Triple]) -> list[Numbers]:
    intern = memory.table.intern
    return [(intern(s), intern(p), intern(o)) for s, p, o in triples]


def test_conclusions_of_a_living_memory_are_those_of_a_new_one() -> None:
    values = set()
    for seed in range(depth(2, 300)):
        memory = Facts()
        standing = StandingConclusions(memory, [CONTAINER])
        now: frozenset[Triple] = frozenset()
        for moment in record(random.Random(seed)):
            gained, lost = numbers(memory, moment.memory - now), numbers(memory, now - moment.memory)
            for fact in lost:
                memory.remove(*fact)
            for fact in gained:
                memory.insert(*fact)
            now = moment.memory
            triples, found = standing.conclude(moment.outcomes, moment.instant, gained, lost)
            assert found == moment.values, seed
            assert triples == moment.triples, seed
            values |= {one.value for one in found}
            assert standing.conclude(moment.outcomes, moment.instant, (), ()) == (triples, found)
    assert values >= {"true", "not true", "unknown"}
