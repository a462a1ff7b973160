"""What chance has in store for claims: the same for everybody who asks, and spread as the paper's figures say."""

from statistics import mean, stdev

import pytest

from agent.sim.claims import COVERS, Rush
from agent.sim.service_quality import QUALITIES, Chance

CLAIMS = [f"claim-{number}" for number in range(4000)]


def test_luck_depends_on_seed_service_and_claim_and_not_on_the_order_of_questions() -> None:
    asked = [Chance(1).response_time_s("decision", claim) for claim in CLAIMS[:50]]
    chance = Chance(1)
    again = [chance.response_time_s("decision", claim) for claim in reversed(CLAIMS[:50])]
    assert asked == again[::-1]
    assert len(set(asked)) == 50
    assert asked[0] != Chance(2).response_time_s("decision", CLAIMS[0])
    assert asked[0] / 0.2 != pytest.approx(chance.response_time_s("information", CLAIMS[0]) / 0.1)


@pytest.mark.parametrize("service", ["registration", "estimation", "information", "decision", "expertise"])
def test_response_times_scatter_by_thirty_percent_around_the_expected_one(service: str) -> None:
    shares = [
        Chance(3).response_time_s(service, claim) / QUALITIES[service].response_time_s for claim in CLAIMS
    ]
    assert [mean(shares), stdev(shares)] == pytest.approx([1, 0.3], abs=0.02)
    assert min(shares) > 0


def test_a_tenth_of_the_analyses_is_half_a_second_late_and_seven_of_ten_claims_are_paid() -> None:
    chance = Chance(4)
    late = sum(chance.response_time_s("analysis", claim) > 0.5 for claim in CLAIMS)
    paid = sum(chance.is_paid(claim) for claim in CLAIMS)
    assert [late / len(CLAIMS), paid / len(CLAIMS)] == pytest.approx([0.1, 0.7], abs=0.03)


def test_a_notification_takes_no_time() -> None:
    assert Chance(1).response_time_s("notification", "claim-1") == 0


def test_claims_of_all_covers_come_in_evenly_spaced() -> None:
    arriving = Rush(400, 20, experts=5).arriving()
    assert [claim.arrives_s for claim in arriving[:3]] == [0, 0.05, 0.1]
    shares = [sum(claim.cover == cover for claim in arriving) / 400 for cover in COVERS]
    assert shares == pytest.approx([0.25] * 4, abs=0.06)
    assert arriving == Rush(400, 20, experts=3).arriving()
