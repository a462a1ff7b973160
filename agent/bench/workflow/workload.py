"""What W(n) consists of: the documents that are there before the agent comes, and what it has to do."""

from collections.abc import Iterator
from random import Random

from msgspec import Struct

from agent.resources import read_bundled

FOLDER = "rules/examples/w8-n"
RULES = f"{FOLDER}/rules.n3"
STATUS = "/status/"
TASKS = "/tasks/"
WRITES = (18, 2, 2, 2, 2, 4, 4, 2, 2, 2, 4, 2, 2, 2, 3, 10)
"""Requests of one run in each of its steps, by hand (see the README of the example); then it is quiet."""

_PARTS = 24
_KINDS = ("Sheet", "Metal", "Bolt", "Frame")
_PLACES = ("shelf", "hall", "works")


class Workload(Struct, frozen=True):
    """W(``runs``); the ``seed`` chooses what else is in the environment."""

    runs: int
    seed: int = 1

    @property
    def names(self) -> tuple[str, ...]:
        """Return the paths of the instances' documents."""
        return tuple(f"{STATUS}run-{number:05}" for number in range(1, self.runs + 1))

    def documents(self) -> Iterator[tuple[str, str]]:
        """Yield path and Turtle of every document that has to be there at the start."""
        yield "/model", read_bundled(f"{FOLDER}/model.ttl")
        yield "/env", read_bundled(f"{FOLDER}/env.ttl") + "\n".join(_parts(self.seed))
        instance = read_bundled(f"{FOLDER}/instance.ttl")
        for name in self.names:
            yield name, instance


def _parts(seed: int) -> Iterator[str]:
    """Yield parts in store, which no sentry asks for, but which rules draw conclusions from."""
    chance = Random(seed)  # noqa: S311  seeded chance is not cryptography
    for number in range(_PARTS):
        kind, place = chance.choice(_KINDS), chance.choice(_PLACES)
        yield f"<#part{number}> a o:{kind} ; o:storedIn <#{place}> ."
    yield "o:Bolt rdfs:subClassOf o:Metal . o:Frame rdfs:subClassOf o:Part .\n"
