"""What a write has to heed beside its precondition: rules of the server, not of the client."""

from msgspec import Struct


class Rules(Struct, frozen=True):
    """Nothing by default; a store carries the rules of a write out together with it.

    ``requires_match``: whatever is there is replaced under If-Match only (LDP 1.0, section 4.2.4.5).
    ``keeps_names``: what is deleted leaves its name behind, which is never used again (sections 5.2.3.11 and 5.2.4.2).
    ``read_only``: properties of the resource itself whose values stay as they are (section 4.2.4.3).
    """

    requires_match: bool = False
    keeps_names: bool = False
    read_only: frozenset[str] = frozenset()

    def forbid(self, uri: str, before: bytes, after: bytes) -> bool:
        """Tell whether the values of a read-only property differ between two states, N-Triples, of ``uri``."""
        return bool(self.read_only) and self._values(uri, before) != self._values(uri, after)

    def _values(self, uri: str, text: bytes) -> set[bytes]:
        starts = tuple(f"<{uri}> <{name}> ".encode() for name in self.read_only)
        return {line for line in text.split(b"\n") if line.startswith(starts)}


NO_RULES = Rules()
