"""The scenarios that ``milepost demo`` knows, by name. A scenario is loaded when it is wanted."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent.sim.show import Show


def _fire_alarm() -> "Show":
    from agent.sim.fire_alarm import FIRE_ALARM
    from agent.sim.performance import Scripted

    return Scripted(FIRE_ALARM)


def _evacuation() -> "Show":
    from agent.sim.evacuation import EVACUATION
    from agent.sim.performance import Scripted

    return Scripted(EVACUATION)


def _insurance() -> "Show":
    from agent.sim.insurance import RushHour

    return RushHour()


SCENARIOS: dict[str, "Callable[[], Show]"] = {
    "evacuation": _evacuation,
    "fire-alarm": _fire_alarm,
    "insurance": _insurance,
}
