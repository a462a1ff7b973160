"""The memory benchmark as people read it."""

from agent.bench.memory.records import CHANGED, Held

_MILLI = 1000


def table(held: Held, peak_bytes: int) -> str:
    """Return what ``held`` says, a line for each thing that was measured; ``peak_bytes`` is of the whole process."""
    lines = (
        ("load", f"{held.load_s:.2f} s", f"reading {held.read_s:.2f}, indexing {held.index_s:.2f}"),
        ("memory", f"{held.bytes_per_triple:.0f} bytes", f"a triple; peak {peak_bytes / 1e6:.0f} MB"),
        (f"insert {CHANGED}", f"{held.insert_s * _MILLI:.2f} ms", "median"),
        (f"delete {CHANGED}", f"{held.delete_s * _MILLI:.2f} ms", "median"),
        (
            "collection",
            f"{held.collection_s * _MILLI:.1f} ms",
            f"{held.frozen_collection_s * _MILLI:.1f} once the memory is frozen",
        ),
        ("closure", f"{held.closure_s:.2f} s", f"{held.known:,} triples by the rules of rdfs"),
        (f"step +{CHANGED}", f"{held.step_insert_s * _MILLI:.2f} ms", "median, with all that follows"),
        (f"step -{CHANGED}", f"{held.step_delete_s * _MILLI:.2f} ms", "median"),
    )
    first = f"memory: {held.triples:,} triples of universities, {held.terms:,} terms"
    return "\n".join((first, *(f"  {name:<12} {value:>10}  {more}" for name, value, more in lines)))
