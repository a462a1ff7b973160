"""What came into a memory and went from it between two times."""

from collections.abc import Collection, Sequence

from msgspec import Struct, field

from agent.reason.incremental.dispatch import Fact


class Changes(Struct):
    """What came and went on balance."""

    gained: set[Fact] = field(default_factory=set)
    lost: set[Fact] = field(default_factory=set)

    def came(self, facts: Sequence[Fact]) -> None:
        """Note facts that came."""
        self.gained.update(facts)
        if self.lost:
            back = self.lost.intersection(facts)
            self.lost -= back
            self.gained -= back

    def went(self, facts: Collection[Fact]) -> None:
        """Note facts that went."""
        self.lost.update(facts)
        if self.gained:
            fresh = self.gained.intersection(facts)
            self.gained -= fresh
            self.lost -= fresh

    def clear(self) -> None:
        """Forget all."""
        self.gained.clear()
        self.lost.clear()
