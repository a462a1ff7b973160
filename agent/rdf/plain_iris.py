"""Many IRIs are checked at once: plain ones by a few looks at all of them together (ADR 0118).

To check an IRI is the work of pyoxigraph, which makes an object for each. Big data are mostly IRIs of the web without
ports, escapes or other languages, which RFC 3986 section 3 allows whatever their letters are.
"""

from collections import deque
from collections.abc import Sequence
from string import ascii_letters, digits

import pyoxigraph as ox

BETWEEN_IRIS = ">\0<"
"""What stands between IRIs that are joined; no IRI holds it."""

_ANYWHERE = f"{ascii_letters}{digits}-._~/?".encode()
"""What may stand in the authority, path, query and fragment, as often as it likes."""


def check_iris(values: Sequence[str], joined: bytes) -> None:
    """Raise ValueError if one of ``values`` is no absolute IRI; ``joined`` is all of them, between ``<`` and ``>``."""
    if not are_plain(joined, len(values)):
        deque(map(ox.NamedNode, values), maxlen=0)


def are_plain(joined: bytes, number: int) -> bool:
    """Tell whether ``joined`` is so many IRIs of which each has ``http`` or ``https`` and nothing that needs a closer look."""
    shape = joined.translate(None, _ANYWHERE)
    # The one colon is that of the scheme, so an authority has no port; a fragment comes once, and after it.
    if shape.replace(b":#>", b":>") != b"\0".join([b"<:>"] * number):
        return False
    return joined.count(b"<http://") + joined.count(b"<https://") == number
