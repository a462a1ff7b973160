"""How fast the services of the insurance are, and what chance has in store for each claim.

The figures are those of the paper on request prioritization (Table I, section V): expected response times, how many
requests are served at the same time, and how far a response may be off. Chance is drawn per claim and service, not in
the order of events, so that two runs of the same claims under different schedulers meet the same luck.
"""

from collections.abc import Mapping
from random import Random

from msgspec import Struct

INACCURACY = 0.3
"""Standard deviation of a response time, as a share of the expected one."""
SHORTEST_SHARE = 0.05
"""A response takes at least this share of the expected time; the paper's formula would allow negative ones."""
LATE_SHARE = 0.1
LATE_BY_S = 0.5
"""A tenth of the analyses takes half a second longer (experiments E5 and E6)."""
PAID_SHARE = 0.7
"""How many claims the decision finds worth an expertise; the customers of the others are notified."""


class Quality(Struct, frozen=True):
    """What is expected of a service: seconds to a response, and requests served at the same time (None: any number)."""

    response_time_s: float
    capacity: int | None


QUALITIES: Mapping[str, Quality] = {
    "registration": Quality(0.01, 100),
    "estimation": Quality(0.10, 100),
    "analysis": Quality(0.15, 5),
    "information": Quality(0.10, 10),
    "decision": Quality(0.20, 5),
    "expertise": Quality(0.50, 5),
    "notification": Quality(0.0, None),
}


class Chance(Struct, frozen=True):
    """What ``seed`` has in store. The same question has the same answer, however often and in whatever order."""

    seed: int

    def response_time_s(self, service: str, claim: str) -> float:
        """Return the seconds that ``service`` takes for ``claim``, named by its number or any other text."""
        expected_s = QUALITIES[service].response_time_s
        draw = self.of(service, claim)
        taken_s = max(expected_s * (1 + INACCURACY * draw.gauss(0, 1)), expected_s * SHORTEST_SHARE)
        is_late = service == "analysis" and draw.random() < LATE_SHARE
        return taken_s + (LATE_BY_S if is_late else 0.0)

    def is_paid(self, claim: str) -> bool:
        """Tell whether ``claim`` is found worth paying."""
        return self.of("outcome", claim).random() < PAID_SHARE

    def of(self, matter: str, claim: str) -> Random:
        """Return the generator for one matter of one claim, always from its beginning."""
        return Random(f"{self.seed}/{matter}/{claim}")  # noqa: S311  a simulation wants repeatable chance
