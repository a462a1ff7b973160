"""Most paths that are not in the data file are known not to be there, without looking."""

from collections.abc import Iterable

_PLACES_FOR_ONE = 8
_FEWEST_PLACES = 1 << 20


class PathFilter:
    """A Bloom filter (Bloom 1970) of paths, with one hash function; what was added since it was filled is never ruled out.

    A path and its slash twin, of which one may exist, are the same here. A place is an octet, because those are the bits that
    Python looks at quickest. There is a megabyte of them, or 16 to 32 for each path that it was filled with. When it
    ``is_full``, after as many again, twelve of a hundred paths that are not there may not be ruled out, and then ever more.
    """

    def __init__(self) -> None:
        self.fill(0, ())

    def fill(self, count: int, paths: Iterable[str]) -> None:
        """Hold ``paths``, about ``count`` of them, and no others."""
        room = max(_FEWEST_PLACES, 1 << (_PLACES_FOR_ONE * 2 * count).bit_length())
        mask = room - 1
        places = bytearray(room)
        held = 0
        for path in paths:
            places[hash(path.removesuffix("/")) & mask] = 1
            held += 1
        self._places, self._mask = places, mask
        self._room = room // _PLACES_FOR_ONE - held

    @property
    def is_full(self) -> bool:
        """Tell whether it is time to fill it anew."""
        return self._room <= 0

    def add(self, path: str) -> None:
        """Hold ``path`` from now on."""
        # Python's hash of a text is keyed anew in each process, so nobody can aim at a place.
        self._places[hash(path.removesuffix("/")) & self._mask] = 1
        self._room -= 1

    def rules_out(self, path: str) -> bool:
        """Tell whether it is certain that neither ``path`` nor its slash twin was added."""
        return self._places[hash(path.removesuffix("/")) & self._mask] == 0
