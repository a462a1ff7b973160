"""Claims that are made to the insurance: what they are covered by, and when they come in."""

from collections.abc import Mapping

from msgspec import Struct

from agent.sim.service_quality import QUALITIES, Chance, Quality


class Cover(Struct, frozen=True):
    """What a claim is made under: ``model`` is the local name of its model, ``agreement`` that of its agreement."""

    agreement: str
    model: str
    label: str


COVERS = (
    Cover("basic", "comprehensive-claim", "comprehensive, basic"),
    Cover("regular", "comprehensive-claim", "comprehensive, regular"),
    Cover("premium", "comprehensive-claim", "comprehensive, premium"),
    Cover("liability", "liability-claim", "liability"),
)
"""The four kinds of claims of the paper's experiment E5, all equally likely."""


class Claim(Struct, frozen=True):
    """One claim, called ``name``, that comes in ``arrives_s`` seconds after the beginning."""

    name: str
    cover: Cover
    arrives_s: float


class Rush(Struct, frozen=True):
    """``claims`` claims, ``per_second`` of them a second, and ``experts`` who look at damages.

    ``step_s`` is the time between two steps of the agent. What ``seed`` has in store for claim and service is the same
    under every policy.
    """

    claims: int
    per_second: float
    experts: int
    seed: int = 1
    step_s: float = 0.2

    @property
    def qualities(self) -> Mapping[str, Quality]:
        """Return what is expected of the services on such a day."""
        expertise = Quality(QUALITIES["expertise"].response_time_s, self.experts)
        return {**QUALITIES, "expertise": expertise}

    def arriving(self) -> list[Claim]:
        """Return the claims in the order in which they come in, evenly spaced."""
        chance = Chance(self.seed)
        names = [f"claim-{number:02}" for number in range(1, self.claims + 1)]
        return [
            Claim(name, chance.of("cover", name).choice(COVERS), number / self.per_second)
            for number, name in enumerate(names)
        ]
