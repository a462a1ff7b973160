"""The scenario ``fire-alarm``: smoke, siren, doors, and a door that is opened again (paper, figure 2)."""

from agent.rdf.terms import Literal
from agent.sim.building import DENSE_SMOKE, building
from agent.sim.scenario import Change, Effect, Scenario

FIRE_ALARM = Scenario(
    name="fire-alarm",
    title="Smoke starts the siren, the siren is followed by closing the doors; a re-opened door repeats both.",
    model="rules/examples/fire-alarm/fire-alarm.ttl",
    root="fire-alarm",
    place=building,
    script=(
        Change(3, "smoke", DENSE_SMOKE, "smoke rises"),
        Change(12, "west-door", Literal("open"), "somebody opens the west door"),
    ),
    expected=(
        Effect(1, "is set up", "fire-alarm"),
        Effect(3, "opens", "start-alarm"),
        Effect(3, "is sent", "siren on"),
        Effect(4, "achieved", "m1"),
        Effect(4, "closes", "start-alarm"),
        Effect(5, "opens", "close-doors"),
        Effect(5, "is sent", "east-door closed"),
        Effect(5, "is sent", "west-door closed"),
        Effect(6, "achieved", "m2b"),
        Effect(6, "closes", "close-doors"),
        Effect(6, "invalidated", "m1"),
        Effect(12, "invalidated", "m2b"),
        Effect(13, "opens", "start-alarm"),
        Effect(13, "is sent", "siren on"),
        Effect(14, "achieved", "m1"),
        Effect(14, "closes", "start-alarm"),
        Effect(15, "opens", "close-doors"),
        Effect(15, "is sent", "east-door closed"),
        Effect(15, "is sent", "west-door closed"),
        Effect(16, "achieved", "m2b"),
        Effect(16, "closes", "close-doors"),
        Effect(16, "invalidated", "m1"),
    ),
    steps=20,
)
