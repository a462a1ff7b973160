"""The books of the insurance: what is owed, by cover and by policy."""

from agent.sim.books import Books, Closing, table
from agent.sim.claims import COVERS, Claim, Cover

BASIC, _, PREMIUM, LIABILITY = COVERS


def closing(cover: Cover, penalty: float) -> Closing:

    return Closing(Claim("claim", cover, 0.0), 1.0, penalty)


def test_the_same_claims_under_two_policies_stand_side_by_side() -> None:
    fifo = Books("FIFO", (closing(BASIC, 10), closing(PREMIUM, 40), closing(LIABILITY, 0)), 3.0)
    penalty = Books("penalty", (closing(BASIC, 20), closing(PREMIUM, 0), closing(LIABILITY, 0)), 3.0)
    assert table([fifo, penalty]) == [
        "                                |       FIFO       |     penalty",
        "cover                    claims |   late   penalty |   late   penalty",
        "--------------------------------+------------------+-----------------",
        "comprehensive, basic          1 |      1        10 |      1        20",
        "comprehensive, regular        0 |      0         0 |      0         0",
        "comprehensive, premium        1 |      1        40 |      0         0",
        "liability                     1 |      0         0 |      0         0",
        "together                      3 |      2        50 |      1        20",
    ]
