"""Most paths that are not in the data file are known not to be there, without looking."""

_PLACES_FOR_ONE = 16
"""So that of a hundred paths that were not added, three to six seem to be there."""
_FEWEST_PLACES = 1 << 20


class PathFilter:
    """A Bloom filter (Bloom 1970) of paths, with one hash function; what was added once is never ruled out again.

    A path and its slash twin, of which one may exist, are the same here. A place is an octet, because those are the bits that
    Python looks at quickest. There is a megabyte of them, or 16 to 32 for each of the paths that are ``expected``; with many
    more, fewer are ruled out.
    """

    def __init__(self, expected: int) -> None:
        places = max(_FEWEST_PLACES, 1 << (_PLACES_FOR_ONE * expected).bit_length())
        self._places = bytearray(places)
        self._mask = places - 1

    def add(self, path: str) -> None:
        """Hold ``path`` from now on."""
        # Python's hash of a text is keyed anew in each process, so nobody can aim at it.
        self._places[hash(path.removesuffix("/")) & self._mask] = 1

    def rules_out(self, path: str) -> bool:
        """Tell whether it is certain that neither ``path`` nor its slash twin was added."""
        return self._places[hash(path.removesuffix("/")) & self._mask] == 0
