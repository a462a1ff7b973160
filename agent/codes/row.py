"""One row of the table of error codes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """What went wrong, what it means, what to do about it: a few words, then whole sentences."""

    title: str
    meaning: str
    remedy: str
