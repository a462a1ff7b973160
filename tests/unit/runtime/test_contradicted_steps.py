"""A step whose memory contradicts a rule ends before it writes; what is in doubt contradicts nothing."""

from agent.errors import ProgramError
from tests.support.plans import plan
from tests.support.world import FakeWorld

READ = "{ [] http:mthd m:GET ; http:requestURI w:door } .\n"
WRITE = "{ [] http:mthd m:PUT ; http:requestURI w:siren ; http:body { w:siren :on 1 } } .\n"
NEVER = "{ ?x :open 1 ; :locked 1 } => false .\n"


def test_a_contradiction_ends_the_step_before_anything_is_sent() -> None:
    world = FakeWorld(
        {"http://w/door": "<http://w/door> <http://w/vocab#open> 1 ; <http://w/vocab#locked> 1 ."}
    )
    report = world.step(plan(READ + WRITE + NEVER))
    assert isinstance(report.failure, ProgramError)
    assert (report.failure.code, report.failure.exit_code, str(report.failure.place)) == (
        "ASM031",
        1,
        "rules.n3:3:1",
    )
    assert "for ?x = <http://w/door>" in report.failure.message or "?x = w:door" in report.failure.message
    assert (report.requests, world.sends) == ((), [])


def test_without_a_contradiction_the_step_writes() -> None:
    world = FakeWorld({"http://w/door": "<http://w/door> <http://w/vocab#open> 1 ."})
    report = world.step(plan(READ + WRITE + NEVER))
    assert (report.failure, [send.uri for send in world.sends]) == (None, ["http://w/siren"])


def test_what_is_absent_while_a_document_failed_contradicts_nothing() -> None:
    absent = "{ ?x :wants 1 . [] log:notIncludes { w:door :locked ?v } } => false . w:a :wants 1 .\n"
    world = FakeWorld({}, get_faults={"http://w/door": 503})
    report = world.step(plan(READ + WRITE + absent))
    assert (report.failure, [send.uri for send in world.sends]) == (None, ["http://w/siren"])
    assert isinstance(FakeWorld({}).step(plan(WRITE + absent)).failure, ProgramError)


def test_a_backward_rule_passes_doubt_on() -> None:
    rules = (
        "{ ?x :free 1 } <= { ?x :wants 1 . [] log:notIncludes { w:door :locked ?v } } . w:a :wants 1 .\n"
        "{ ?x :free 1 } => { [] http:mthd m:PUT ; http:requestURI w:siren ; http:body { ?x :on 1 } } .\n"
    )
    world = FakeWorld({}, get_faults={"http://w/door": 503})
    assert [finding.code for finding in world.step(plan(READ + rules)).findings] == ["ASM114"]
    assert world.sends == []
