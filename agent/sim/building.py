"""The building of the fire alarm: a smoke sensor, a siren and two doors."""

from agent.rdf.terms import XSD_DECIMAL, Literal
from agent.sim.devices import Choice, Device, Devices, Share, devices_of

CLEAR_AIR = Literal("0.02", XSD_DECIMAL)
DENSE_SMOKE = Literal("0.85", XSD_DECIMAL)
DOOR_STATES = Choice(("open", "closed"))


def building() -> Devices:
    """Return the devices of a quiet day: clear air, the siren off, both doors open."""
    return devices_of(
        Device("smoke", "smoke sensor", "sensor", Share(), CLEAR_AIR),
        Device("siren", "siren", "actuator", Choice(("on", "off")), Literal("off")),
        Device("east-door", "east door", "actuator", DOOR_STATES, Literal("open")),
        Device("west-door", "west door", "actuator", DOOR_STATES, Literal("open")),
    )
