"""Why a stage, guard, milestone or instance is as it is: every kind of cause, from one dry step of the machine."""

import pytest

from agent.errors import UsageError
from agent.gsm.why.explanation import Explanation
from agent.gsm.why.text import to_text
from agent.n3.load import read_program
from agent.n3.program import Program
from tests.support.gsm import CONTAINER, ENVIRONMENT, MODEL, single, small_world
from tests.support.why import LABEL, STAGES, explained, world
from tests.support.world import FakeWorld


def sentence(here: FakeWorld, element: str) -> str:
    return explained(here, element).elements[0].sentence


def mark(here: FakeWorld, name: str, statement: str) -> None:
    """Add a statement about ``<#it>`` to the document of the instance, or one of its elements."""
    uri = next(
        uri for uri in sorted(here.pages) if uri.startswith(CONTAINER) and name in (uri, _model_of(here, uri))
    )
    page = here.pages[uri]
    here.put(uri, page.body.decode() + f"\n<{uri}#it> {statement} .")


def _model_of(here: FakeWorld, uri: str) -> str:
    found = [t.object for t in here.triples(uri) if "isInstanceOf" in getattr(t.predicate, "value", "")]
    return getattr(found[0], "value", "").rpartition("#")[2] if found else ""


def test_a_stage_says_which_of_its_guards_are_true_and_what_would_open_it() -> None:
    closed = sentence(world("e:x e:level 1 ."), "s")
    about_to_open = explained(world("e:x e:level 9 ."), "s").elements[0]

    assert closed == "Stage s is inactive because no guard is true."
    assert about_to_open.sentence == "Stage s is inactive until the next step opens it: guard g is true."
    assert [check.value for check in about_to_open.checks] == ["true"]
    assert len(about_to_open.sends) == 1
    assert about_to_open.notes == ("It has never opened.",)


def test_an_active_stage_says_what_keeps_it_open() -> None:
    here = world("e:x e:level 9 .", steps=2)

    view = explained(here, "s").elements[0]

    assert (view.state, view.sentence) == (
        "active",
        "Stage s is active because none of its milestones is achieved.",
    )
    assert [(check.name, check.role, check.value) for check in view.checks] == [("m", "achieves", "not true")]
    assert view.notes == ("It has opened once.",)
    here.put(ENVIRONMENT, "<http://e/x> <http://e/is> 'done' .")
    assert sentence(here, "s") == "Stage s is active until the next step closes it: milestone m is reached."


def test_a_stage_below_a_closed_one_and_one_without_a_guard_say_so() -> None:
    here = world("e:x e:level 1 .")

    assert sentence(here, "inner") == (
        "Stage inner is inactive because stage s above it is inactive, though guard h is true."
    )
    assert sentence(here, "bare") == "Stage bare is inactive because it has no guard."
    assert sentence(here, "r") == "Stage r is active and has no milestone that could close it."


def test_a_milestone_says_what_would_achieve_or_invalidate_it() -> None:
    here = world("e:x e:level 9 .")
    before = sentence(here, "m")
    here.step(single("i1"))
    here.put(ENVIRONMENT, "<http://e/x> <http://e/is> 'done' .")
    here.log.clear()
    reached = sentence(here, "m")
    here.step(single("i1"))
    here.log.clear()

    assert (
        before
        == "Milestone m is unachieved because stage s is inactive: milestones are achieved in active stages."
    )
    assert (
        reached == "Milestone m is unachieved until the next step achieves it: its achieving sentry is true."
    )
    assert sentence(here, "m") == "Milestone m is achieved because no invalidating sentry of it is true."
    here.put(ENVIRONMENT, "<http://e/x> <http://e/is> 'undone' .")
    assert (
        sentence(here, "m")
        == "Milestone m is achieved until the next step invalidates it: its invalidating sentry is true."
    )


def test_a_latched_guard_that_is_true_does_not_open_its_stage() -> None:
    here = world("e:x e:level 9 ; e:is 'done' .", STAGES + "<#g> a ag:Latched .", steps=3)

    view = explained(here, "g").elements[0]

    assert view.sentence == (
        "Guard g is true; stage s is inactive because guard g is true but latched: a milestone of the stage is achieved."
    )
    assert view.checks[0].is_latched
    assert "latched" in to_text(explained(here, "g"))


def test_a_source_that_fails_makes_guards_unknown_and_names_itself() -> None:
    here = world("e:x e:level 1 .")
    here.get_faults[ENVIRONMENT] = 503

    view = explained(here, "s").elements[0]

    assert view.sentence == "Stage s is inactive because no guard is known to be true."
    assert (view.checks[0].value, view.checks[0].sentries[0].reason) == (
        "unknown",
        "<http://w/env>: the server answered 503",
    )


def test_a_broken_query_is_broken_with_its_place() -> None:
    here = world(model=STAGES.replace("FILTER(?l > 5)", "FILTER(?l >)"))

    check = explained(here, "g").elements[0].checks[0]

    assert check.value == "broken"
    assert check.sentries[0].reason.startswith("1:")
    assert "! g — BROKEN: 1:" in to_text(explained(here, "g"))


def test_negation_over_a_failed_source_holds_as_far_as_is_known_and_is_unknown() -> None:
    model = STAGES.replace("FILTER(?l > 5)", "FILTER NOT EXISTS { ?d a <http://e/Door> }")
    here = world("e:x e:level 1 .", model + "<#go> ag:source <http://w/other> .")
    here.get_faults["http://w/other"] = "connection refused"

    sentry = explained(here, "g").elements[0].checks[0].sentries[0]

    assert (sentry.value, sentry.reason) == ("unknown", "<http://w/other>: connection refused")
    assert [(part.kind, part.matches) for part in sentry.asked[0].parts] == [("triple", 1), ("absent", 1)]


def test_an_instance_whose_element_cannot_be_read_is_blocked_and_says_by_which_document() -> None:
    here = world()
    element = next(uri for uri in here.pages if _model_of(here, uri) == "s")
    here.get_faults[element] = 503

    told = explained(here, "g")

    assert told.status == "blocked"
    assert told.reasons == (
        f"The status of s is not known: <…/s/{element.rpartition('/')[2]}>: the server answered 503.",
    )
    assert told.elements[0].sentence == (
        "Guard g is not true; stage s is not known because the instance is blocked."
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("<#inner> gsm:hasChildStage <#s> .", "s is inside itself: stages must form a tree."),
        ("<#bare> gsm:hasChildStage <#inner> .", "inner is inside two stages: stages must form a tree."),
    ],
)
def test_a_stage_graph_that_is_no_tree_blocks_the_instance(change: str, reason: str) -> None:
    here = world()
    here.put(MODEL, here.pages[MODEL].body.decode() + change)

    told = explained(here)

    assert told.status == "blocked"
    assert reason in told.reasons


def test_marks_on_the_root_are_explained() -> None:
    cases = {
        "ag:isPaused true": ("paused", "It is paused; milepost resume lets it go on."),
        "ag:isParked 'runs in circles'": ("parked", "It is parked: runs in circles"),
    }
    told: dict[str, tuple[str, str, str]] = {}
    for statement in cases:
        here = world("e:x e:level 9 .")
        mark(
            here,
            CONTAINER + "i1",
            statement.replace("ag:", "<https://w3id.org/milepost/agent#").replace(" ", "> ", 1),
        )
        one = explained(here, "s")
        told[statement] = (one.status, one.reasons[0], one.elements[0].sentence)

    assert {statement: one[:2] for statement, one in told.items()} == cases
    assert {one[2] for one in told.values()} == {
        "Stage s is inactive because the instance is paused.",
        "Stage s is inactive because the instance is parked.",
    }


def test_an_instance_that_is_not_set_up_or_has_ended_says_so() -> None:
    fresh = explained(small_world(STAGES))
    model = STAGES + "<#r> gsm:hasMilestone <#over> . <#over> gsm:hasAchievingSentry <#yes> ."
    ended = explained(world(model=model, steps=2))

    assert (fresh.status, ended.status) == ("uninitialized", "ended")
    assert [(one.name, one.state) for one in fresh.elements] == [
        ("r", "not set up"),
        ("bare", "not set up"),
        ("s", "not set up"),
        ("m", "not set up"),
        ("inner", "not set up"),
    ]
    assert ended.reasons == ("It has ended.",)


def test_the_status_of_the_own_instance_is_told_in_its_words() -> None:
    go = "<#go> ag:ask 'ASK { ?thisArtifactInstance gsm:hasAchievedMilestone <#m> ; gsm:hasActiveStage <#s> }' ."
    model = "\n".join(line for line in STAGES.splitlines() if not line.startswith("<#go>")) + go

    parts = explained(world(model=model), "g").elements[0].checks[0].sentries[0].asked[0].parts

    assert [(part.text, part.matches) for part in parts] == [
        ("?thisArtifactInstance gsm:hasAchievedMilestone <#m>", 0),
        ("?thisArtifactInstance ag:hasActiveStage <#s>", None),
    ]
    assert [(one.name, one.value, one.remark) for one in parts[0].nearest] == [
        ("m", "unachieved", "is not achieved")
    ]


def test_a_list_of_patterns_that_rules_evaluate_is_shown_like_a_query() -> None:
    patterns = """<#go> sp:where (
        [ sp:subject <http://e/x> ; sp:predicate <http://e/is> ; sp:object "ready" ]
        [ sp:subject <http://e/x> ; sp:predicate <http://e/level> ; sp:object 7 ] ) ."""
    model = "\n".join(line for line in STAGES.splitlines() if not line.startswith("<#go>")) + patterns

    closed = explained(world("e:x e:is 'ready' ; e:level 3 .", model), "g").elements[0].checks[0]
    true = explained(world("e:x e:is 'ready' ; e:level 7 .", model), "g").elements[0].checks[0]

    assert (closed.value, true.value) == ("not true", "true")
    assert [(part.matches, part.stops) for part in closed.sentries[0].asked[0].parts] == [
        (1, False),
        (0, True),
    ]
    assert [one.remark for one in closed.sentries[0].asked[0].parts[1].nearest] == ["is not 7"]
    assert [part.matches for part in true.sentries[0].asked[0].parts] == [1, 1]


def test_a_sentry_that_a_rule_made_true_names_the_rule() -> None:
    rules = """@prefix gsm: <http://purl.org/gsm/vocab#> . @prefix sr: <http://www.w3.org/2005/sparql-results#> .
        { ?i <https://w3id.org/milepost/agent#isRunning> true } =>
        { <http://w/model#go> gsm:hasArtifactInstanceRelativeResult _:r . _:r gsm:hasArtifactInstance ?i ; sr:boolean true } ."""
    program = read_program(rules, source="own.n3", base="http://e/own")

    view = told_with(world("e:x e:level 1 ."), program)

    assert (view.elements[0].checks[0].value, view.elements[0].checks[0].sentries[0].rule) == (
        "true",
        "own.n3:2",
    )


def told_with(here: FakeWorld, program: Program) -> Explanation:
    return explained(here, "g", program=program)


def test_elements_are_found_by_iri_name_label_and_instance_and_misspelt_ones_get_a_hint() -> None:
    here = world(model=STAGES + "<#s> <http://www.w3.org/2000/01/rdf-schema#label> 'Serve the guests' .")
    element = next(uri for uri in here.pages if _model_of(here, uri) == "s")

    names = {
        explained(here, name).elements[0].name
        for name in (f"{MODEL}#s", "s", "Serve the guests", "S", f"{element}#it")
    }
    with pytest.raises(UsageError) as refusal:
        explained(here, "Serve the gests")

    here = world(
        model=STAGES + "<#s> rdfs:label 'Hall' . <#bare> rdfs:label 'hall' .".replace("rdfs:label", LABEL)
    )
    assert [explained(here, name).elements[0].name for name in ("Hall", "hall")] == ["s", "bare"]
    assert names == {"s"}
    assert (refusal.value.code, refusal.value.exit_code) == ("GSM080", 2)
    assert refusal.value.hint.startswith("did you mean Serve the guests?")


def test_a_request_that_loses_a_clash_is_held_back_and_says_so() -> None:
    here = world("e:x e:level 9 .", steps=2)
    here.put(ENVIRONMENT, "<http://e/x> <http://e/is> 'done' .")

    view = explained(here, "inner").elements[0]

    assert view.sentence.startswith(
        "Stage inner is inactive although guard h is true: what would open it is held back ("
    )
    assert [send.partition(" (")[2][:9] for send in view.sends] == ["", "held back"]


def test_what_a_sentry_asks_about_a_status_that_is_not_known_is_not_known_either() -> None:
    go = "<#go> ag:ask 'ASK { ?thisArtifactInstance gsm:hasAchievedMilestone <#m> }' ."
    model = "\n".join(line for line in STAGES.splitlines() if not line.startswith("<#go>")) + go
    here = world(model=model)
    here.get_faults[next(uri for uri in here.pages if _model_of(here, uri) == "m")] = 503

    sentry = explained(here, "g").elements[0].checks[0].sentries[0]

    assert (sentry.value, sentry.reason) == (
        "unknown",
        "it asks for the status of the instance, which is not known",
    )


def test_what_people_asked_for_is_told_with_the_element_or_instance_they_asked_it_of() -> None:
    here = world("e:x e:level 9 .", steps=2)
    mark(here, "s", "<https://w3id.org/milepost/agent#isRetried> true")
    mark(here, "m", "<https://w3id.org/milepost/agent#isDone> true")
    told = {name: explained(here, name).elements[0].notes for name in ("s", "m")}
    mark(here, CONTAINER + "i1", "<https://w3id.org/milepost/agent#isCancelled> true")
    cancelled = explained(here)
    here.step(single("i1"))
    here.log.clear()
    over = explained(here)

    assert told == {
        "s": ("It has opened once.", "Somebody asked for another try of it."),
        "m": ("Somebody reported it as done.",),
    }
    assert (cancelled.status, cancelled.reasons) == ("cancelled", ("It is being cancelled.",))
    assert (over.status, over.reasons) == ("cancelled", ("It was cancelled.",))
