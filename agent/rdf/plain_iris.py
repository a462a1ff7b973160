"""Many IRIs are checked at once: plain ones by a few looks at many of them together (ADR 0118).

To check an IRI is the work of pyoxigraph, which makes an object for each. Big data are mostly IRIs of the web without
ports, escapes or other languages, which RFC 3986 section 3 allows whatever their letters are.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from string import ascii_letters, digits

import pyoxigraph as ox

BETWEEN_IRIS = ">\0<"
"""What stands between IRIs that are joined; no IRI holds it."""

_ANYWHERE = f"{ascii_letters}{digits}-._~/?".encode()
"""What may stand in the authority, path, query and fragment, as often as it likes."""

_TOGETHER = 1_000
"""How many are looked at together: more of them would leave the cache of the processor."""


def check_iris(values: Sequence[str]) -> None:
    """Raise ValueError if one of ``values`` is no absolute IRI."""
    deque(_checked(values), maxlen=0)


def spelled_iris(values: Sequence[str]) -> list[str]:
    """Return ``values`` in N-Triples, in much less time than one after the other; ValueError if one is no absolute IRI."""
    spelled: list[str] = []
    for joined in _checked(values):
        spelled += joined.split("\0")
    return spelled


def _checked(values: Sequence[str]) -> Iterator[str]:
    """Yield ``values`` between ``<`` and ``>``, many of them joined; ValueError if one is no absolute IRI."""
    for start in range(0, len(values), _TOGETHER):
        some = values[start : start + _TOGETHER]
        joined = f"<{BETWEEN_IRIS.join(some)}>"
        if not are_plain(joined.encode(), len(some)):
            deque(map(ox.NamedNode, some), maxlen=0)
        yield joined


def are_plain(joined: bytes, number: int) -> bool:
    """Tell whether ``joined`` is so many IRIs of which each has ``http`` or ``https`` and nothing that needs a closer look."""
    shape = joined.translate(None, _ANYWHERE)
    # The one colon is that of the scheme, so an authority has no port; a fragment comes once, and after it.
    if shape.replace(b":#>", b":>") != b"\0".join([b"<:>"] * number):
        return False
    return joined.count(b"<http://") + joined.count(b"<https://") == number
