"""What instances do and do not do: set-up, whole status, trees, latches, spellings, strangers."""

import pytest

from agent.messages import Send
from tests.support.gsm import (
    CONTAINER,
    ENVIRONMENT,
    MODEL,
    PREFIXES,
    element_document,
    every,
    single,
    small_world,
    status,
    told,
)
from tests.support.world import FakeWorld

NESTED = """<#r> a gsm:Stage ; gsm:hasChildStage <#s> ; gsm:hasMilestone <#mr> . <#s> a gsm:Stage ; gsm:hasChildStage <#t> ;
    gsm:hasGuard [ gsm:hasCondition <#never> ] ; gsm:hasMilestone <#m> . <#t> a gsm:Stage . <#never> sr:boolean false ."""
ME = f"{CONTAINER}i1#it"


def element(*names: str) -> str:
    return element_document(CONTAINER, ME, *(f"{MODEL}#{name}" for name in names))


def blocked(world: FakeWorld) -> dict[str, set[str]]:
    """Return what the rules say is wrong with an instance that must not act, after seeing that it does not."""
    before = len(world.sends)
    report = world.step(single("i1"))
    assert report.failure is None
    assert report.blocked == (ME,)
    assert len(world.sends) == before
    facts = told(single("i1"), world)
    wanted = ("lacksStatusOf", "lacksDescriptionOf", "hasTwice", "hasSharedStage", "hasCircularStage")
    return {name: {x.rpartition("/")[2] for x in facts[name]} for name in wanted if name in facts}


def set_up(model: str = NESTED) -> FakeWorld:
    world = small_world(model)
    world.step(single("i1"))
    assert status(world)["r"] == "active"
    return world


# ---- set-up ----------------------------------------------------------------------------------------------------


def test_set_up_creates_every_element_under_its_name_and_then_activates_the_root() -> None:
    world = small_world(NESTED)
    world.step(single("i1"))
    *creates, root = [send.uri for send in world.sends]
    assert root == f"{CONTAINER}i1"
    assert set(creates) == {element("s"), element("t"), element("s", "m"), element("r", "mr")}
    assert status(world) == {"r": "active", "s": "inactive", "t": "inactive", "m": "false", "mr": "false"}


def test_set_up_keeps_what_else_the_instance_document_says() -> None:
    text = str(set_up().triples(f"{CONTAINER}i1"))
    assert "mine" in text
    assert "agent#run" in text


def test_set_up_that_was_interrupted_goes_on_where_it_stopped() -> None:
    world = small_world(NESTED)

    def fault(send: Send) -> int | None:
        return 503 if send.uri == element("t") else None

    world.send_fault = fault
    world.step(single("i1"))
    assert status(world) == {"r": "uninitialized", "s": "inactive", "m": "false", "mr": "false"}
    world.send_fault = lambda _: None
    world.step(single("i1"))
    assert status(world)["r"] == "active"
    assert status(world)["t"] == "inactive"


def test_nothing_is_set_up_while_a_stage_of_the_model_cannot_be_read() -> None:
    world = small_world("<#r> a gsm:Stage ; gsm:hasChildStage <elsewhere#s> .")
    world.get_faults["http://w/elsewhere"] = 503
    assert blocked(world) == {"lacksDescriptionOf": {"elsewhere#s"}}


def test_a_model_may_be_spread_over_documents() -> None:
    world = small_world("<#r> a gsm:Stage ; gsm:hasChildStage <elsewhere#s> .")
    world.put("http://w/elsewhere", PREFIXES + "<#s> a gsm:Stage ; gsm:hasMilestone <#m> .")
    world.step(single("i1"))
    assert status(world) == {"r": "active", "s": "inactive", "m": "false"}


# ---- the whole status, each part once ----------------------------------------------------------------------------


@pytest.mark.parametrize(("names", "lacking"), [(("s",), "s"), (("s", "m"), "m"), (("r", "mr"), "mr")])
def test_an_unreadable_element_blocks_its_instance_and_is_named(names: tuple[str, ...], lacking: str) -> None:
    world = set_up()
    world.get_faults[element(*names)] = 503
    assert blocked(world) == {"lacksStatusOf": {f"model#{lacking}"}}


def test_an_element_that_vanished_blocks_its_instance_and_is_not_created_again() -> None:
    world = set_up()
    del world.pages[element("t")]
    assert blocked(world) == {"lacksStatusOf": {"model#t"}}


def test_an_unreadable_root_blocks_its_instance() -> None:
    world = set_up()
    world.get_faults[f"{CONTAINER}i1"] = "connection refused"
    assert blocked(world)["lacksStatusOf"] == {"i1#it"}


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ("gsm:hasState gsm:active", "element"),
        ("ag:activation 7", "element"),
        (f"gsm:inArtifactInstance <{CONTAINER}other#it>", "element"),
    ],
)
def test_two_values_of_one_status_block_the_instance(more: str, found: str) -> None:
    world = set_up()
    page = world.pages[element("s")].body.decode()
    world.put(element("s"), f"{page}\n{PREFIXES}<#it> {more} .")
    assert {name.partition(".")[0] for name in blocked(world)["hasTwice"]} == {"i1"}, found


def test_two_elements_for_one_stage_block_the_instance() -> None:
    world = set_up()
    world.put(f"{CONTAINER}double", world.pages[element("s")].body)
    world.step(every())
    report = world.step(every())
    assert report.blocked == (ME,)
    assert report.requests == ()


def test_a_state_that_nobody_understands_blocks_the_instance() -> None:
    world = set_up()
    page = world.pages[element("s")].body.decode()
    world.put(element("s"), page.replace("vocab#inactive", "vocab#triggered"))
    assert blocked(world) == {"lacksStatusOf": {"model#s"}}


def test_a_status_document_read_only_in_part_blocks_the_instance() -> None:
    world = set_up()
    page = world.pages[element("s")].body.decode()
    world.put(element("s"), f"{page}\n<#it> <http://e/p> oops .\n<#it> <http://e/q> 1 .")
    assert blocked(world) == {"lacksStatusOf": {"model#s"}}


def test_a_blocked_instance_does_not_keep_others_from_acting() -> None:
    model = NESTED.replace("sr:boolean false", "sr:boolean true")
    world = small_world(model, instances=("i1", "i2"))
    world.step(every())
    world.get_faults[element("t")] = 503
    report = world.step(every())
    assert report.blocked == (ME,)
    assert {request.instances for request in report.requests} == {(f"{CONTAINER}i2#it",)}
    world.get_faults.clear()
    assert (status(world, "i1")["s"], status(world, "i2")["s"]) == ("inactive", "active")


# ---- the stage graph ---------------------------------------------------------------------------------------------


def test_a_stage_below_two_others_is_refused() -> None:
    model = """<#r> a gsm:Stage ; gsm:hasChildStage <#a> , <#b> . <#a> a gsm:Stage ; gsm:hasChildStage <#c> .
        <#b> a gsm:Stage ; gsm:hasChildStage <#c> . <#c> a gsm:Stage ."""
    assert blocked(small_world(model)) == {"hasSharedStage": {"model#c"}}


def test_a_stage_below_itself_is_refused() -> None:
    model = "<#r> a gsm:Stage ; gsm:hasChildStage <#a> . <#a> a gsm:Stage ; gsm:hasChildStage <#a> ."
    assert blocked(small_world(model))["hasCircularStage"] == {"model#a"}


def test_nesting_may_be_told_by_descendants_alone_or_from_below() -> None:
    model = """<#r> a gsm:Stage ; gsm:hasDescendantStage <#a> , <#b> . <#a> a gsm:Stage ; gsm:hasDescendantStage <#b> ;
        gsm:hasGuard [ gsm:hasCondition <#q> ] . <#b> a gsm:Stage ; gsm:hasGuard [ gsm:hasCondition <#q> ] .
        <#c> a gsm:Stage ; gsm:hasAncestorStage <#r> ; gsm:hasGuard [ gsm:hasCondition <#q> ] . <#q> sp:where () ."""
    world = set_up(model)
    world.step(single("i1"))
    assert status(world) == {"r": "active", "a": "active", "b": "inactive", "c": "active"}
    world.step(single("i1"))
    assert status(world)["b"] == "active"


# ---- tasks, latches, spellings -----------------------------------------------------------------------------------


def test_every_task_of_a_stage_is_sent_also_one_without_a_body() -> None:
    model = """<#r> a gsm:Stage ; gsm:hasChildStage <#s> , <#t> .
        <#s> a gsm:Stage ; gsm:hasGuard [ gsm:hasCondition <#q> ] ; gsm:hasHttpRequest <#post> ,
            [ http:mthd httpm:DELETE ; http:requestURI </old> ] .
        <#t> a gsm:Stage ; gsm:hasGuard [ gsm:hasCondition <#q> ] ; gsm:hasHttpRequest <#post> .
        <#post> http:mthd httpm:POST ; http:requestURI </queue> ; http:body "go" . <#q> sp:where () ."""
    world = set_up(model)
    before = len(world.sends)
    world.step(single("i1"))
    tasks = sorted((send.method, send.uri) for send in world.sends[before:] if CONTAINER not in send.uri)
    assert tasks == [("DELETE", "http://w/old"), ("POST", "http://w/queue"), ("POST", "http://w/queue")]


@pytest.mark.parametrize(
    ("latch", "activations"), [("", 3), ("<#s> a ag:Latched .", 1), ("<#g> a ag:Latched .", 1)]
)
def test_a_latch_keeps_a_stage_closed_while_its_milestone_is_achieved(latch: str, activations: int) -> None:
    model = f"""<#r> a gsm:Stage ; gsm:hasChildStage <#s> . <#s> a gsm:Stage ; gsm:hasGuard <#g> ; gsm:hasMilestone <#m> .
        <#g> a gsm:Guard ; gsm:hasCondition <#q> . <#m> a gsm:Milestone ; gsm:hasAchievingSentry <#q> .
        <#q> sp:where () . {latch}"""
    world = set_up(model)
    states = []
    for _ in range(6):
        world.step(single("i1"))
        states.append(status(world)["s"])
    assert states.count("active") == activations


def test_the_spellings_of_published_models_mean_the_same() -> None:
    model = """<#r> a gsm:StageModel ; gsm:hasChildStage <#s> ; gsm:hasMilestoneModel <#mr> .
        <#s> a gsm:StageModel ; gsm:hasTask [ gsm:hasHttpRequest [ http:mthd httpm:DELETE ; http:requestURI </t> ] ] ;
            gsm:hasGuard [ gsm:hasValidatingSentry [ gsm:ask "ASK { ?thisArtifactInstance gsm:hasUnachievedMilestone <#m> }" ] ] ;
            gsm:hasMilestoneModel <#m> .
        <#m> gsm:hasValidatingSentry [ sp:where () ] .
        <#mr> gsm:hasValidatingSentry [ sp:where ( [ gsm:inArtifactInstance gsm:thisArtifactInstance ;
            gsm:hasAchievedMilestone <#m> ] ) ] ."""
    world = set_up(model)
    assert single("i1").workflows is not None
    for _ in range(3):
        world.step(single("i1"))
    assert status(world) == {"r": "inactive", "s": "inactive", "m": "true", "mr": "true"}
    assert [send.uri for send in world.sends].count("http://w/t") == 1


# ---- strangers ----------------------------------------------------------------------------------------------------


def test_a_hostile_source_moves_nothing() -> None:
    world = set_up()
    victim = element("s")
    world.put("http://w/victim", "<#v> <http://e/p> 1 .")
    world.put(
        ENVIRONMENT,
        f"""{PREFIXES} <{victim}#it> ag:mayActivate true ; gsm:allAncestorsActive true ; a gsm:ArtifactInstance .
        <http://w/victim#v> gsm:inArtifactInstance <{ME}> ; gsm:isInstanceOf <{MODEL}#s> ; gsm:hasState gsm:active .
        <{MODEL}#never> sr:boolean true ; sp:where () . <{ME}> ag:isRunning false ; gsm:hasAchievedMilestone <{MODEL}#m> .
        e:p <http://www.w3.org/2000/01/rdf-schema#subPropertyOf> gsm:hasState .
        <http://w/victim#v> e:p gsm:inactive . <{MODEL}#s> gsm:hasHttpRequest <#evil> .""",
    )
    world.put(MODEL, PREFIXES + NESTED + " <#r> ag:source <env> .")
    before = dict(world.pages)
    sent = len(world.sends)
    report = world.step(single("i1"))
    assert "http://w/env" in world.gets
    assert report.not_admitted >= 11
    assert (len(world.sends), world.pages) == (sent, before)


def test_a_hostile_member_can_block_an_instance_but_not_steer_it() -> None:
    world = set_up()
    world.put(
        f"{CONTAINER}evil",
        f"{PREFIXES}<#it> gsm:inArtifactInstance <{ME}> ; gsm:isInstanceOf <{MODEL}#s> ; gsm:hasState gsm:active .",
    )
    report = world.step(every())
    assert report.blocked == (ME,)
    assert report.requests == ()


def test_instances_beside_the_one_that_is_run_stay_as_they_are() -> None:
    world = small_world(NESTED, instances=("i1", "i2"))
    world.put(
        f"{CONTAINER}evil", f"{PREFIXES}<#it> gsm:inArtifactInstance <{ME}> ; gsm:isInstanceOf <{MODEL}#s> ."
    )
    before = {uri: page for uri, page in world.pages.items() if "/i1" not in uri}
    for _ in range(4):
        world.step(single("i1"))
    assert {uri: page for uri, page in world.pages.items() if "/i1" not in uri} == before
    assert status(world)["r"] == "active"
    assert f"{CONTAINER}i2" not in world.gets
