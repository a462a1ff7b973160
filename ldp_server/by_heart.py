"""What a server knows by heart: answers to reads that come again, and what the heads of reads and of writes come to."""

from typing import NamedTuple

from ldp_server.known_heads import KnownHeads
from ldp_server.known_reads import KnownReads
from ldp_server.repeats import Repeats


class ByHeart(NamedTuple):
    """What is known of reads and of writes."""

    repeats: Repeats
    reads: KnownReads
    heads: KnownHeads
