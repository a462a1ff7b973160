"""The table of error codes, one file for each prefix; a code is never used twice for different faults."""

from agent.codes import faults, models, n3, operations, schedulers, server, steps, usage, workflows, world
from agent.codes.row import Code

CODES: dict[str, Code] = {
    **usage.CODES,
    **n3.CODES,
    **steps.CODES,
    **workflows.CODES,
    **models.CODES,
    **operations.CODES,
    **schedulers.CODES,
    **world.CODES,
    **server.CODES,
    **faults.CODES,
}

__all__ = ["CODES", "Code"]
