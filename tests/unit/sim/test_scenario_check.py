"""What happened is compared with what was expected, and told in words."""

from agent.rdf.terms import IRI, RDF_TYPE, Literal, Triple
from agent.sim.chronicle import Labels, Status, effects_of, read_status, tell
from agent.sim.devices import Choice, Happening, Share
from agent.sim.fire_alarm import FIRE_ALARM
from agent.sim.scenario import Effect, check
from agent.vocab import GSM, HTTP, RDFS

MODEL = "http://a.example/model"
INSTANCE = "http://a.example/wf/i#it"


def test_equal_lists_differ_in_nothing() -> None:
    assert check(FIRE_ALARM.expected, FIRE_ALARM.expected[::-1]) == []


def test_what_is_missing_and_what_is_surplus_is_told_in_the_order_of_steps() -> None:
    expected = [Effect(3, "opens", "s1"), Effect(5, "opens", "s2")]
    happened = [Effect(5, "opens", "s2"), Effect(5, "opens", "s2"), Effect(4, "closes", "s1")]
    assert check(expected, happened) == [
        "expected, did not come:  step  3  s1 opens",
        "came, was not expected:  step  4  s1 closes",
        "came, was not expected:  step  5  s2 opens",
    ]


def test_the_status_of_another_instance_does_not_count() -> None:
    def element(name: str, instance: str, predicate: str, value: IRI | Literal) -> list[Triple]:
        it = IRI(f"http://a.example/wf/{name}#it")
        return [
            Triple(it, IRI(GSM + "isInstanceOf"), IRI(f"{MODEL}#{name}")),
            Triple(it, IRI(GSM + "inArtifactInstance"), IRI(instance)),
            Triple(it, IRI(GSM + predicate), value),
        ]

    root = [
        Triple(IRI(INSTANCE), RDF_TYPE, IRI(GSM + "ArtifactInstance")),
        Triple(IRI(INSTANCE), IRI(GSM + "isInstanceOf"), IRI(f"{MODEL}#root")),
        Triple(IRI(INSTANCE), IRI(GSM + "hasState"), IRI(GSM + "uninitialized")),
    ]
    triples = [
        *root,
        *element("s", INSTANCE, "hasState", IRI(GSM + "active")),
        *element("m", INSTANCE, "isAchieved", Literal("true")),
        *element("t", "http://a.example/wf/other#it", "hasState", IRI(GSM + "active")),
    ]
    assert read_status(triples, INSTANCE) == Status(
        {f"{MODEL}#root": "uninitialized", f"{MODEL}#s": "active"}, {f"{MODEL}#m": True}
    )


def test_a_step_is_told_by_cause() -> None:
    def of(local: str, predicate: str, value: str | Literal) -> Triple:
        object_ = value if isinstance(value, Literal) else IRI(f"{MODEL}#{value}")
        return Triple(IRI(f"{MODEL}#{local}"), IRI(predicate), object_)

    labels = Labels(
        frozenset(
            [
                of("s", RDFS + "label", Literal("Ring")),
                of("s", GSM + "hasGuard", "g"),
                of("g", RDFS + "label", Literal("smoke detected")),
                of("s", GSM + "hasHttpRequest", "r"),
                Triple(IRI(f"{MODEL}#r"), IRI(HTTP + "requestURI"), IRI("http://a.example/devices/siren")),
                of("m", GSM + "hasInvalidatingSentry", "q"),
            ]
        )
    )
    before = Status({f"{MODEL}#s": "inactive"}, {f"{MODEL}#m": True})
    after = Status({f"{MODEL}#s": "active"}, {f"{MODEL}#m": False})
    happened = [Happening("smoke", "0.9", "script"), Happening("siren", "on", "http")]
    effects = effects_of(3, before, after, happened)
    assert effects == [
        Effect(3, "invalidated", "m"),
        Effect(3, "opens", "s"),
        Effect(3, "is sent", "siren on"),
    ]
    assert tell(effects, labels, MODEL, after) == [
        'q -> milestone "m" invalidated',
        'smoke detected -> stage "Ring" opens, PUT siren on',
    ]


def test_a_milestone_that_falls_because_its_stage_opens_again_is_reset_not_invalidated() -> None:
    labels = Labels(
        frozenset(
            Triple(IRI(f"{MODEL}#{subject}"), IRI(GSM + predicate), IRI(f"{MODEL}#{object_}"))
            for subject, predicate, object_ in (
                ("s", "hasGuard", "g"),
                ("s", "hasMilestone", "m"),
                ("m", "hasInvalidatingSentry", "q"),
            )
        )
    )
    effects = [Effect(5, "invalidated", "m"), Effect(5, "opens", "s")]
    assert tell(effects, labels, MODEL, Status()) == ['g -> milestone "m" reset, stage "s" opens']


def test_a_domain_knows_its_states() -> None:
    share, choice = Share(), Choice(("on", "off"))
    read = {
        text: share.read(text) is not None
        for text in ("0", "1", "0.5", "1.0", "1.5", "-1", "", ".", "1.", "٣", "9" * 40)
    }
    assert read == {
        "0": True, "1": True, "0.5": True, "1.0": True, "1.5": False, "-1": False, "": False, ".": False, "1.": False,
        "٣": False, "9" * 40: False,
    }  # fmt: skip
    assert (choice.read("on"), choice.read("On"), str(choice)) == (Literal("on"), None, '"on" or "off"')
