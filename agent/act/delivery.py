"""How the writes of an instance's step are delivered."""

from enum import Enum

from agent.errors import UsageError


class Delivery(Enum):
    """A mode of delivery; the value is its name on the command line."""

    PARALLEL = "parallel"
    """Every write goes out once, ordered by units: one agent, no guarantee beyond the step (the paper)."""


PLANNED = ("claim-first", "tracked")


def choose_delivery(name: str) -> Delivery:
    """Return the mode called ``name``; UsageError USE012 for others."""
    try:
        return Delivery(name)
    except ValueError:
        known = "is not in this version" if name in PLANNED else "is no mode of delivery"
        raise UsageError("USE012", f"--delivery {name} {known}", hint="use --delivery parallel") from None
