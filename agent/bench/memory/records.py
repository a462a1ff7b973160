"""What one process tells about its memory."""

from msgspec import Struct

CHANGED = 100
"""How many triples a change puts in or takes out."""
ROUNDS = 51
"""How often they are put in and taken out."""
STEPS = 11
"""How often they come and go with all that follows from them."""


class Held(Struct, frozen=True):
    """What a memory of ``triples`` about ``terms`` cost: seconds of processor time, and bytes.

    ``read_s`` is parsing, ``index_s`` numbering terms and filling the indexes. ``resident_bytes`` is by how much the
    process grew. ``insert_s`` and ``delete_s`` are medians of changes of ``CHANGED`` triples, and ``collection_s`` is
    one search of the collector through everything, ``frozen_collection_s`` one after the memory was frozen. With rules
    there are ``known`` triples after ``closure_s``, and a step in which ``CHANGED`` triples come or go, with all that
    follows from them, takes ``step_insert_s`` and ``step_delete_s``.
    """

    triples: int
    terms: int
    read_s: float
    index_s: float
    resident_bytes: int
    insert_s: float
    delete_s: float
    collection_s: float
    frozen_collection_s: float
    known: int
    closure_s: float
    step_insert_s: float
    step_delete_s: float

    @property
    def load_s(self) -> float:
        """Return the time of everything from the bytes of the file to a memory that can be asked."""
        return self.read_s + self.index_s

    @property
    def bytes_per_triple(self) -> float:
        """Return how much memory a triple takes, all that it brings with it included."""
        return self.resident_bytes / max(self.triples, 1)
