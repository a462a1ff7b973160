"""The experiments of the paper in small: the penalty policy against FIFO, on the same claims (K, section V)."""

import pytest

from agent.schedulers.penalty import ConstantPenalty, StagedPenalty
from agent.schedulers.policy import FifoPolicy, SlaPenaltyPolicy
from tests.support.claims import comprehensive_claim, liability_claim
from tests.support.depth import depth
from tests.support.overload import Kind, claims, owed

E3: tuple[Kind, ...] = (
    (comprehensive_claim, StagedPenalty(3, 10)),
    (liability_claim, ConstantPenalty(8, 20)),
)
E5: tuple[Kind, ...] = (
    *((comprehensive_claim, StagedPenalty(3, amount)) for amount in (10, 15, 20)),
    (liability_claim, ConstantPenalty(8, 20)),
)


@pytest.mark.parametrize(("kinds", "rate", "during_s"), [(E3, 28.0, 5.0), (E5, 25.0, 6.0)], ids=["E3", "E5"])
def test_the_penalty_policy_saves_half_of_what_fifo_owes(
    kinds: tuple[Kind, ...], rate: float, during_s: float
) -> None:
    fifo = saved = 0.0
    for seed in range(depth(2, 5)):
        arrivals = claims(seed, rate, during_s, kinds)
        first_come, by_penalty = owed(arrivals, FifoPolicy()), owed(arrivals, SlaPenaltyPolicy())
        assert by_penalty < first_come
        fifo += first_come
        saved += first_come - by_penalty
    assert fifo > 100
    assert saved >= 0.5 * fifo


def test_a_policy_owes_the_same_for_the_same_claims() -> None:
    first, second = (claims(7, 28.0, 5.0, E3) for _ in range(2))
    assert (
        owed(first, SlaPenaltyPolicy()) == owed(second, SlaPenaltyPolicy()) == owed(first, SlaPenaltyPolicy())
    )


def test_nothing_is_owed_where_nothing_is_overloaded() -> None:
    arrivals = claims(1, 10.0, 5.0, E5)
    assert (owed(arrivals, FifoPolicy()), owed(arrivals, SlaPenaltyPolicy())) == (0.0, 0.0)
