"""How much a test tries: a sample in ``make test``, the full count in ``make deep``."""

import os

DEEP = os.environ.get("MILEPOST_DEEP") == "1"


def depth(sample: int, deep: int) -> int:
    """Return ``deep`` under ``make deep``, else ``sample``."""
    return deep if DEEP else sample
