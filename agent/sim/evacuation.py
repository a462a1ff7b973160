"""The scenario ``evacuation``: nested stages, two ways to raise the alarm, and "too hot" as a conclusion."""

from agent.rdf.terms import XSD_DECIMAL, XSD_INTEGER, Literal
from agent.sim.devices import Choice, Count, Degrees, Device, Devices, devices_of
from agent.sim.scenario import Change, Effect, Scenario

EXAMPLE = "rules/examples/evacuation/"
ON_OR_OFF = Choice(("on", "off"))
LOCK_STATES = Choice(("unlocked", "locked"))
ROOM_TEMPERATURE = Literal("21.5", XSD_DECIMAL)


def guarded_building() -> Devices:
    """Return the devices of a working day: twelve people inside, both exits locked, nothing hot, nothing on."""
    return devices_of(
        Device(
            "alarm-button", "alarm button", "sensor", Choice(("pressed", "released")), Literal("released")
        ),
        Device("kitchen-thermometer", "kitchen thermometer", "sensor", Degrees(), ROOM_TEMPERATURE),
        Device("office-thermometer", "office thermometer", "sensor", Degrees(), ROOM_TEMPERATURE),
        Device("store-room-thermometer", "store room thermometer", "sensor", Degrees(), ROOM_TEMPERATURE),
        Device("people-counter", "people counter", "sensor", Count(), Literal("12", XSD_INTEGER)),
        Device("siren", "siren", "actuator", ON_OR_OFF, Literal("off")),
        Device("exit-lights", "exit lights", "actuator", ON_OR_OFF, Literal("off")),
        Device("north-exit", "north exit", "actuator", LOCK_STATES, Literal("locked")),
        Device("south-exit", "south exit", "actuator", LOCK_STATES, Literal("locked")),
    )


EVACUATION = Scenario(
    name="evacuation",
    title="Heat or a button raises the alarm, exits and lights let everybody out, an empty building ends it.",
    model=EXAMPLE + "evacuation.ttl",
    root="evacuation",
    place=guarded_building,
    script=(
        Change(3, "kitchen-thermometer", Literal("61.5", XSD_DECIMAL), "the kitchen gets hot"),
        Change(5, "alarm-button", Literal("pressed"), "somebody presses the alarm button as well"),
        Change(9, "people-counter", Literal("5", XSD_INTEGER), "people leave"),
        Change(12, "people-counter", Literal("0", XSD_INTEGER), "the last one leaves"),
    ),
    expected=(
        Effect(1, "is set up", "evacuation"),
        Effect(3, "opens", "raise-alarm"),
        Effect(4, "opens", "activate-siren"),
        Effect(4, "is sent", "siren on"),
        Effect(5, "achieved", "siren-sounds"),
        Effect(5, "closes", "activate-siren"),
        Effect(6, "achieved", "alarm-raised"),
        Effect(6, "closes", "raise-alarm"),
        Effect(7, "opens", "evacuate"),
        Effect(8, "opens", "unlock-exits"),
        Effect(8, "is sent", "north-exit unlocked"),
        Effect(8, "is sent", "south-exit unlocked"),
        Effect(8, "opens", "light-the-way"),
        Effect(8, "is sent", "exit-lights on"),
        Effect(9, "achieved", "exits-unlocked"),
        Effect(9, "closes", "unlock-exits"),
        Effect(10, "opens", "wait-until-empty"),
        Effect(12, "achieved", "building-empty"),
        Effect(12, "closes", "wait-until-empty"),
        Effect(13, "achieved", "everybody-out"),
        Effect(13, "closes", "evacuate"),
        Effect(13, "closes", "light-the-way"),
        Effect(14, "opens", "all-clear"),
        Effect(14, "is sent", "siren off"),
        Effect(14, "is sent", "exit-lights off"),
        Effect(15, "achieved", "all-clear-given"),
        Effect(15, "closes", "all-clear"),
        Effect(16, "achieved", "over"),
        Effect(16, "closes", "evacuation"),
    ),
    steps=17,
    programs=(EXAMPLE + "too-hot.n3",),
    documents={"building": EXAMPLE + "building.ttl"},
)
