"""Somebody who meddles with fake worlds between their steps: faults come and go, documents lose what they say."""

from random import Random

from agent.rdf.serialise import to_ntriples
from tests.support.world import TURTLE, FakeWorld, GetFault

FAULTS: list[GetFault] = [404, 503, "timeout", b"<not Turtle"]


class Meddler:
    """Does the same to every world that has the same documents, if its seed is the same."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)

    def meddle(self, world: FakeWorld) -> None:
        """Change ``world`` before its next step."""
        chance = self._chance
        uris = sorted(uri for uri, page in world.pages.items() if page.media_type == TURTLE)
        world.get_faults.clear()
        world.get_faults.update({uri: chance.choice(FAULTS) for uri in uris if chance.random() < 0.03})
        if chance.random() < 0.3:
            uri = chance.choice(uris)
            if uri not in world.get_faults:
                kept = sorted(world.triples(uri), key=repr)
                world.put(uri, to_ntriples([triple for triple in kept if chance.random() < 0.9]))
