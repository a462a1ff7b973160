"""One row of the table of error codes."""

from msgspec import Struct


class Code(Struct, frozen=True):
    """What went wrong, what it means, what to do about it: a few words, then whole sentences."""

    title: str
    meaning: str
    remedy: str
