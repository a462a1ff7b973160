"""What a client prefers, as the Prefer header says (RFC 7240; LDP 1.0, section 7.2)."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from ldp_server.negotiation import TOKEN
from ldp_server.vocabulary import LDP

CONTAINMENT = LDP + "PreferContainment"
MINIMAL = frozenset({LDP + "PreferMinimalContainer", LDP + "PreferEmptyContainer"})

_PART = re.compile(rf'[\s;]*({TOKEN})\s*(?:=\s*(?:"([^"]*)"|([^";,\s]*)))?\s*(;[\s;]*)?(,|\Z)?')
_NEXT = re.compile(r'(?:"[^"]*"|[^",])*,')
_LONGEST_PREFER = 4000


class Preferences(Struct, frozen=True):
    """What a client prefers: an answer at once, or one within ``wait_s`` seconds; what a representation shows.

    ``include`` and ``omit`` are the IRIs of ``return=representation``, empty without that preference.
    """

    respond_async: bool = False
    wait_s: float | None = None
    include: frozenset[str] = frozenset()
    omit: frozenset[str] = frozenset()

    @property
    def lists_members(self) -> bool:
        """Tell whether a container is to say what it contains; it does unless the client wants otherwise."""
        if CONTAINMENT in self.omit:
            return False
        return CONTAINMENT in self.include or MINIMAL.isdisjoint(self.include)

    @property
    def concerns_members(self) -> bool:
        """Tell whether the client said something about what a container contains."""
        return CONTAINMENT in self.include | self.omit or not MINIMAL.isdisjoint(self.include)


NO_PREFERENCES = Preferences()


def read_preferences(headers: Sequence[str]) -> Preferences:
    """Return the preferences in Prefer headers; what cannot be read is passed over, as RFC 7240 says."""
    if not headers:
        return NO_PREFERENCES
    respond_async, wait_s = False, None
    include: frozenset[str] = frozenset()
    omit: frozenset[str] = frozenset()
    has_return = False
    for name, value, parameters in _preferences(", ".join(headers)[:_LONGEST_PREFER]):
        if name == "respond-async":
            respond_async = True
        elif name == "wait" and wait_s is None and re.fullmatch(r"[0-9]{1,9}", value):
            wait_s = float(value)
        elif name == "return" and not has_return:
            has_return = True  # of a preference that is given twice the first counts (RFC 7240, section 2)
            if value.lower() == "representation":
                include = frozenset(parameters.get("include", "").split())
                omit = frozenset(parameters.get("omit", "").split())
    return Preferences(respond_async, wait_s, include, omit)


def _preferences(text: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield the name, the value and the parameters of each preference; one that is broken ends at its comma."""
    name, value = "", ""
    parameters: dict[str, str] = {}
    position = 0
    while position < len(text):
        part = _PART.match(text, position)
        if part is None or (part[4] is None and part[5] is None):
            broken = _NEXT.match(text, position)
            position = broken.end() if broken else len(text)
            name = ""
            continue
        position = part.end()
        found = part[2] if part[2] is not None else part[3] or ""
        if not name:
            name, value, parameters = part[1].lower(), found, {}
        else:
            parameters.setdefault(part[1].lower(), found)
        if part[5] is not None:
            yield name, value, parameters
            name = ""
