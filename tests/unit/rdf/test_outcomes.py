"""Outcomes keep apart what is not known, as if they looked for it."""

import random

from agent.rdf.documents import Content, Failed, Gone, Outcome
from agent.rdf.outcomes import Outcomes, is_known, unread_of
from tests.support.depth import depth

DOCUMENTS = [f"http://w.example/{number}" for number in range(6)]


def draw_outcome(uri: str, chance: random.Random) -> Outcome:
    outcomes: list[Outcome] = [
        Content(uri, uri, (), "", ""),
        Content(uri, uri, (), "", "", skipped=("a statement",)),
        Gone(uri, 404),
        Failed(uri, "no answer"),
    ]
    return chance.choice(outcomes)


def test_what_is_kept_apart_is_what_one_finds_by_looking_at_all() -> None:
    chance = random.Random(6)
    for _ in range(depth(40, 2000)):
        outcomes, simple = Outcomes(), dict[str, Outcome]()
        for _ in range(30):
            uri = chance.choice(DOCUMENTS)
            if uri in simple and chance.random() < 0.3:
                outcomes.drop(uri)
                del simple[uri]
            else:
                simple[uri] = draw_outcome(uri, chance)
                outcomes.put(uri, simple[uri])
            unread = {uri for uri, outcome in simple.items() if not is_known(outcome)}
            assert (dict(outcomes), list(outcomes), len(outcomes)) == (simple, list(simple), len(simple))
            assert outcomes.keys() == simple.keys()
            assert unread_of(outcomes) == unread_of(simple) == unread
