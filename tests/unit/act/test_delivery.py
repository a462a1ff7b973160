"""Modes of delivery."""

import pytest

from agent.act.delivery import Delivery, choose_delivery
from agent.errors import UsageError


def test_parallel_is_the_mode_of_the_paper() -> None:
    assert choose_delivery("parallel") is Delivery.PARALLEL


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("tracked", "--delivery tracked is not in this version"),
        ("claim-first", "--delivery claim-first is not in this version"),
        ("post", "--delivery post is no mode of delivery"),
    ],
)
def test_other_modes_are_refused_clearly(name: str, complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        choose_delivery(name)
    assert (caught.value.code, caught.value.message) == ("USE012", complaint)
