"""What a step decides and sends, and what its report says about it."""

import pytest

from agent.errors import ClashError
from agent.messages import NotWritten, Send, Written
from agent.reason.budget import Budget
from agent.runtime.machine import Machine
from tests.support.plans import W, get, plan
from tests.support.world import FRESH_ID, INSTANT, FakeWorld, SendFault

V = W + "vocab#"
XSD_INTEGER = "http://www.w3.org/2001/XMLSchema#integer"


def put(document: str, value: int | str, more: str = "") -> str:
    """Return a bare request that PUTs a document with one value."""
    return f"{{ [] http:mthd m:PUT ; http:requestURI w:{document} ; http:body {{ this:it :value {value} }} {more} }} .\n"


def body(value: int) -> str:
    return f'<#it> <{V}value> "{value}"^^<{XSD_INTEGER}> .\n'


def test_a_payload_that_describes_a_request_is_no_request() -> None:
    program = (
        "{ [] http:mthd m:PUT ; http:requestURI w:plan ;"
        " http:body { this:op http:mthd m:DELETE ; http:requestURI w:all } } ."
    )
    world = FakeWorld({})
    world.step(plan(program))
    ((method, uri, text),) = world.wire
    assert (method, uri) == ("PUT", W + "plan")
    assert text == (
        "<#op> <http://www.w3.org/2011/http#mthd> <http://www.w3.org/2011/http-methods#DELETE> .\n"
        f"<#op> <http://www.w3.org/2011/http#requestURI> <{W}all> .\n"
    )


def test_a_described_task_is_sent_as_it_is_described() -> None:
    program = (
        'w:task http:mthd m:POST ; http:requestURI w:device ; http:body "{\\"a\\":1}" .\n'
        "w:stage :has w:task .\n"
        "{ ?s :has ?t } => { [] ag:likeRequest ?t ; :for ?s } .\n"
        "{ ?t http:mthd ?m ; http:requestURI ?u ; http:body ?b } =>"
        " { [] http:mthd ?m ; http:requestURI ?u ; http:body ?b } .\n"
    )
    world = FakeWorld({})
    world.step(plan(program))
    assert world.wire == [("POST", W + "device", '{"a":1}')] * 2
    assert [send.headers for send in world.sends] == [(("Content-Type", "application/ld+json"),)] * 2


@pytest.mark.parametrize("rules", [[put("d", 1), put("d", 2)], [put("d", 2), put("d", 1)]])
def test_of_two_updates_of_a_document_one_is_sent_and_the_other_reported(rules: list[str]) -> None:
    world = FakeWorld({})
    report = world.step(plan("".join(rules)))
    assert world.wire == [("PUT", W + "d", body(1))]
    assert [(one.outcome, one.rules) for one in report.requests] == [
        ("confirmed", (f"rules.n3:{rules.index(put('d', 1)) + 1}",)),
        ("dropped", (f"rules.n3:{rules.index(put('d', 2)) + 1}",)),
    ]
    assert [(one.uri, one.both_sent) for one in report.clashes] == [(W + "d", False)]


def test_a_delete_beats_a_put() -> None:
    world = FakeWorld({W + "d": ""})
    world.step(plan(put("d", 1) + "{ [] http:mthd m:DELETE ; http:requestURI w:d } ."))
    assert world.wire == [("DELETE", W + "d", "")]
    assert W + "d" not in world.pages


def test_a_clash_ends_the_step_before_it_sends_when_clashes_are_errors() -> None:
    world = FakeWorld({})
    report = world.step(plan(put("d", 1) + put("d", 2) + put("e", 3), on_conflict="error"))
    assert world.sends == []
    assert isinstance(report.failure, ClashError)
    assert "Rules: rules.n3:1, rules.n3:2." in report.failure.hint


def test_all_sends_both_one_after_the_other() -> None:
    world = FakeWorld({})
    world.step(plan(put("d", 2) + put("d", 1), on_conflict="all"))
    assert world.wire == [("PUT", W + "d", body(1)), ("PUT", W + "d", body(2))]


def test_decisions_are_taken_on_the_old_state() -> None:
    """Two lamps that swap: each is decided on what both were."""
    program = (
        get(W + "x")
        + get(W + "y")
        + "{ w:x\\#it :value ?v } => { [] http:mthd m:PUT ; http:requestURI w:y ; http:body { this:it :value ?v } } .\n"
        "{ w:y\\#it :value ?v } => { [] http:mthd m:PUT ; http:requestURI w:x ; http:body { this:it :value ?v } } .\n"
    )
    world = FakeWorld({W + "x": f"<#it> <{V}value> 1 .", W + "y": f"<#it> <{V}value> 2 ."})
    for x, y in ((2, 1), (1, 2), (2, 1)):
        world.step(plan(program))
        assert (world.pages[W + "x"].body.decode(), world.pages[W + "y"].body.decode()) == (body(x), body(y))


def test_keep_merges_with_the_document_as_read_and_is_guarded() -> None:
    world = FakeWorld({W + "d": f'<#it> <{V}value> 1 ; <{V}label> "L" .'})
    etag = world.pages[W + "d"].etag
    world.step(plan(get(W + "d") + put("d", 2, "; ag:keep true")))
    (send,) = world.sends
    assert ("If-Match", etag) in send.headers
    assert (send.body or b"").decode() == f'<#it> <{V}label> "L" .\n' + body(2)


def test_keep_of_a_document_that_failed_drops_the_unit() -> None:
    world = FakeWorld({}, get_faults={W + "d": 503})
    unit = "; ag:unit w:u"
    report = world.step(
        plan(get(W + "d") + put("d", 2, "; ag:keep true" + unit) + put("e", 3, unit) + put("f", 4))
    )
    assert [uri for _, uri, _ in world.wire] == [W + "f"]
    reason = "ag:keep: the document could not be read in this step (the server answered 503)"
    assert [(one.uri, one.outcome, one.reason) for one in report.requests] == [
        (W + "f", "confirmed", ""),
        (W + "d", "dropped", reason),
        (W + "e", "dropped", f"its unit is dropped: PUT {W}d: {reason}"),
    ]


def test_keep_works_for_the_final_name_of_a_redirected_document() -> None:
    world = FakeWorld({W + "d2": f'<#it> <{V}label> "L" .'}, redirects={W + "d": W + "d2"})
    world.step(plan(get(W + "d") + put("d2", 2, "; ag:keep true")))
    assert world.wire == [("PUT", W + "d2", f'<#it> <{V}label> "L" .\n' + body(2))]


def test_an_unguarded_write_is_said_once() -> None:
    world = FakeWorld({W + "d": "", W + "e": ""}, validators=False)
    report = world.step(
        plan(get(W + "d") + get(W + "e") + put("d", 1, "; ag:keep true") + put("e", 1, "; ag:keep true"))
    )
    assert len(world.sends) == 2
    assert [(one.code, str(one.place)) for one in report.findings] == [("ASM115", W + "d")]
    assert "and for 1 more document)" in report.findings[0].message


@pytest.mark.parametrize("stored", [{}, {W + "d": "# here before"}])
def test_creating_is_done_whether_or_not_the_document_is_there(stored: dict[str, str]) -> None:
    world = FakeWorld(stored)
    unit = "; ag:unit w:u ; ag:rank "
    report = world.step(plan(put("d", 1, "; ag:createOnly true" + unit + "0") + put("root", 2, unit + "1")))
    assert [one.outcome for one in report.requests] == ["confirmed", "confirmed"]
    assert world.pages[W + "d"].body == (stored.get(W + "d") or body(1)).encode()
    assert W + "root" in world.pages


@pytest.mark.parametrize(
    ("fault", "outcome", "status", "reason"),
    [
        (412, "refused", 412, ""),
        (503, "refused", 503, ""),
        ("connection reset", "unknown", None, "connection reset"),
    ],
)
def test_a_failure_stops_what_comes_after_it_in_its_unit(
    fault: SendFault, outcome: str, status: int | None, reason: str
) -> None:
    unit = "; ag:unit w:u ; ag:rank "
    world = FakeWorld({}, send_fault=lambda send: fault if send.uri == W + "a" else None)
    report = world.step(plan(put("a", 1, unit + "0") + put("b", 2, unit + "1") + put("c", 3)))
    assert [(one.uri.removeprefix(W), one.outcome, one.status, one.reason) for one in report.requests] == [
        ("a", outcome, status, reason),
        ("b", "stopped", None, "something that goes before it failed"),
        ("c", "confirmed", 201, ""),
    ]
    assert sorted(world.pages) == [W + "c"]


def test_a_dry_run_decides_and_sends_nothing() -> None:
    world = FakeWorld({})
    report = world.step(plan(put("d", 1) + put("d", 2), dry_run=True, keep_bodies=True))
    assert world.sends == []
    assert [(one.outcome, one.body) for one in report.requests] == [
        ("decided", body(1).encode()),
        ("dropped", None),
    ]
    assert report.quiet == "busy"


def test_an_unusable_request_is_a_finding_and_the_others_go_out() -> None:
    world = FakeWorld({})
    program = (
        'w:a :at "nowhere" , <file:///x> , w:ok .\n'
        "{ w:a :at ?u } => { [] http:mthd m:PUT ; http:requestURI ?u ; http:body { this:it :value 1 } } .\n"
    )
    report = world.step(plan(program))
    assert world.wire == [("PUT", W + "ok", body(1))]
    assert [(one.code, str(one.place).split(":")[:2]) for one in report.findings] == [
        ("ASM101", ["rules.n3", "2"])
    ] * 2


def test_the_rule_that_tests_absence_waits_until_everything_was_read() -> None:
    program = (
        get(W + "door")
        + "w:r a :Room .\n{ ?r a :Room . [] log:notIncludes { w:door :isOpen true } } => "
        + put("lamp", 1)[:-2]
        + " .\n{ ?r a :Room } => "
        + put("other", 2)
    )
    world = FakeWorld({}, get_faults={W + "door": 503})
    report = world.step(plan(program))
    assert [uri for _, uri, _ in world.wire] == [W + "other"]
    assert report.left_out == 1
    assert [(one.code, one.place.line) for one in report.findings] == [("ASM114", 3)]
    world.get_faults.clear()
    world.put(W + "door", "")
    assert world.step(plan(program)).left_out == 0
    assert [uri for _, uri, _ in world.wire[1:]] == [W + "lamp", W + "other"]


def test_what_a_partly_read_document_lacks_is_in_doubt_although_all_may_be_quiet() -> None:
    program = (
        get(W + "door")
        + "w:r a :Room .\n{ ?r a :Room . [] log:notIncludes { ?r :isOpen true } } => "
        + put("lamp", 1)
    )
    partly = FakeWorld({W + "door": f"<> <{V}label> 1 . <> <{V}label> !! . <> <{V}label> 2 ."})
    report = partly.step(plan(program))
    assert (report.left_out, partly.sends, report.quiet) == (1, [], "unsettled")
    assert partly.step(plan(get(W + "door"))).quiet == "quiet"


def test_doubt_is_passed_on_by_derivations() -> None:
    program = (
        get(W + "door")
        + "w:r a :Room .\n{ ?r a :Room . [] log:notIncludes { w:door :isOpen true } } => { ?r :safe true } .\n"
        + "{ ?r :safe true } => { ?r :calm true } .\n{ ?r :calm true } => "
        + put("lamp", 1)
    )
    world = FakeWorld({}, get_faults={W + "door": 503})
    assert (world.step(plan(program)).left_out, world.sends) == (1, [])


def test_absence_that_only_keeps_from_acting_may_be_tested() -> None:
    program = (
        get(W + "x")
        + "w:i a :I .\n{ ?i a :I . [] log:notIncludes { ?i ag:isIncomplete true } } => "
        + put("d", 1)
    )
    world = FakeWorld({}, get_faults={W + "x": 503})
    assert (world.step(plan(program)).left_out, len(world.sends)) == (0, 1)


@pytest.mark.parametrize(
    ("program", "faults", "quiet", "reason"),
    [
        ("w:a :value 1 .", {}, "quiet", ""),
        (get(W + "gone"), {}, "quiet", ""),
        (put("d", 1), {}, "busy", "1 request decided"),
        (put("d", 1) + put("d", 2), {}, "busy", "2 requests decided"),
        (
            get(W + "x") + get(W + "y"),
            {W + "x": 503, W + "y": 503},
            "unsettled",
            f"not known: {W}x and 1 more",
        ),
        (get(W + "x") + put("d", 1), {W + "x": 503}, "busy", "1 request decided"),
        ("w:p ag:status ag:pending .", {}, "unsettled", f"pending: {W}p"),
    ],
)
def test_quiet_is_when_nothing_can_follow(
    program: str, faults: dict[str, int], quiet: str, reason: str
) -> None:
    report = FakeWorld({}, get_faults=dict(faults)).step(plan(program))
    assert (report.quiet, report.quiet_reason) == (quiet, reason)


def test_instances_are_reported_as_read() -> None:
    state = "gsm:hasState gsm:"
    program = (
        "".join(f"w:{name} ag:isExecuted true .\n" for name in ("a", "b", "c", "d", "e", "f"))
        + f"w:a {state}active . w:s1 gsm:inArtifactInstance w:a ; {state}active .\n"
        + f"w:s2 gsm:inArtifactInstance w:a ; {state}inactive . w:a gsm:inArtifactInstance w:a .\n"
        + f"w:b {state}active . w:c {state}inactive ; ag:isIncomplete true . w:d {state}uninitialized .\n"
        + f"w:e {state}active ; ag:isIncomplete true . w:other {state}active .\n"
    )
    report = FakeWorld({}).step(plan(program))
    assert [(one.uri.removeprefix(W), one.status, one.active) for one in report.instances] == [
        ("a", "waiting", (W + "s1",)),
        ("b", "active", ()),
        ("c", "ended", ()),
        ("d", "uninitialized", ()),
        ("e", "blocked", ()),
        ("f", "unread", ()),
    ]
    assert report.blocked == (W + "e",)


def test_a_stop_before_writing_sends_nothing_and_a_stop_while_writing_finishes() -> None:
    world = FakeWorld({W + "d": ""})
    program = get(W + "d") + put("a", 1) + "{ [] http:mthd m:DELETE ; http:requestURI w:d } ."
    early = Machine(plan(program), INSTANT, FRESH_ID)
    (instruction,) = early.start()
    early.stop()
    assert early.handle(world.answer(instruction)) == []
    assert early.report is not None
    assert (early.report.interrupted, early.report.requests) == (True, ())

    late = Machine(plan(program), INSTANT, FRESH_ID)
    (instruction,) = late.start()
    (send,) = late.handle(world.answer(instruction))
    late.stop()
    (delete,) = late.handle(world.answer(send))
    assert isinstance(delete, Send)
    assert late.handle(Written(99, 200)) == []
    assert isinstance(send, Send)
    assert late.handle(Written(send.id, 500)) == []
    assert late.handle(NotWritten(delete.id, "reset")) == []
    assert late.report is not None
    assert (late.report.interrupted, [one.outcome for one in late.report.requests]) == (
        False,
        ["unknown", "confirmed"],
    )


def test_a_program_that_cannot_run_is_the_failure_of_the_step() -> None:
    runaway = "w:a :n 1 .\n{ ?x :n ?v . (?v 1) math:sum ?w } => { ?x :n ?w } .\n" + put("d", 1)
    world = FakeWorld({})
    report = world.step(plan(runaway, budget=Budget(rounds=50)))
    assert report.failure is not None
    assert (report.failure.exit_code, world.sends) == (5, [])
