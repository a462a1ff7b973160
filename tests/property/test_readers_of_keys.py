"""Which units read what others conclude: found by keys, it is what comparing each with each finds."""

import random

from agent.reason.facts import Facts
from agent.reason.incremental.levels import Domains, Key, Keys, Readers, Stratification
from tests.support.depth import depth


def draw_keys(chance: random.Random) -> Keys:
    drawn = [chance.randrange(-9, 6) for _ in range(chance.randrange(3))]
    keys: list[Key] = [(number,) if chance.random() < 0.5 else number for number in drawn]
    return Keys(frozenset(keys), classes=chance.random() < 0.15, everything=chance.random() < 0.15)


def test_the_readers_of_keys_are_those_that_have_something_in_common_with_them() -> None:
    chance = random.Random(20_261_128)
    compare = Stratification([], lambda unit: (), Domains(Facts(), 0), frozenset())
    seen = set()
    for _ in range(depth(2_000, 50_000)):
        reads = {
            number: (draw_keys(chance), frozenset(chance.sample(range(-9, 0), chance.randrange(2))))
            for number in range(6)
        }
        heads = draw_keys(chance)
        expected = {
            number
            for number, (keys, negated) in reads.items()
            if compare.meets(heads, keys) or not heads.some.isdisjoint(negated)
        }
        assert Readers(reads).of(heads) == expected, (heads, reads)
        seen.add(len(expected))
    assert seen == set(range(7))
