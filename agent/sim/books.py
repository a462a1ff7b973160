"""What the insurance owes for claims that took too long, by kind of cover and by the policy of its scheduler."""

from collections.abc import Sequence

from msgspec import Struct

from agent.sim.claims import COVERS, Claim


class Closing(Struct, frozen=True):
    """A claim that was closed ``duration_s`` seconds after its process had begun; ``penalty`` is what is owed for it."""

    claim: Claim
    duration_s: float
    penalty: float


class Books(Struct, frozen=True):
    """All claims of a day under one ``policy``; ``work_s`` are the seconds that the services worked for them."""

    policy: str
    closings: tuple[Closing, ...]
    work_s: float

    @property
    def penalty(self) -> float:
        """Return what is owed altogether."""
        return sum(closing.penalty for closing in self.closings)

    @property
    def late(self) -> int:
        """Return for how many claims anything is owed."""
        return sum(closing.penalty > 0 for closing in self.closings)

    def under(self, agreement: str) -> "Books":
        """Return the books of the claims under one agreement."""
        kept = tuple(one for one in self.closings if one.claim.cover.agreement == agreement)
        return Books(self.policy, kept, self.work_s)


def table(arms: Sequence[Books]) -> list[str]:
    """Return the books of the same claims under several policies side by side: claims, late ones, penalties."""
    names = [cover.label for cover in COVERS]
    width = max(map(len, names))
    rows = [(cover.label, [books.under(cover.agreement) for books in arms]) for cover in COVERS]
    rows.append(("together", list(arms)))
    head = " " * width + "         " + "".join(f" | {books.policy:^16}" for books in arms)
    lines = [
        head.rstrip(),
        f"{'cover':{width}}   claims" + " |   late   penalty" * len(arms),
        "-" * (width + 9) + "-+-----------------" * len(arms),
    ]
    for name, parts in rows:
        figures = "".join(f" | {part.late:6} {part.penalty:9.0f}" for part in parts)
        lines.append(f"{name:{width}}   {len(parts[0].closings):6}{figures}")
    return lines
