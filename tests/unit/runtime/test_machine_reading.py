"""The read phase of a step: each document once, retrieval and derivation in turns, limits before the write phase."""

import itertools

import pytest

from agent.errors import BudgetError
from agent.messages import Answer, Get, Send
from agent.runtime.machine import Machine
from agent.runtime.plan import Limits
from tests.support.plans import W, get, plan
from tests.support.world import FRESH_ID, INSTANT, FakeWorld, Order, Page

FOLLOW = "{ ?x :next ?y } => { [] http:mthd m:GET ; http:requestURI ?y } .\n"
PUT_OK = (
    "{ ?x :value ?v } => { [] http:mthd m:PUT ; http:requestURI w:ok ; http:body { this:it :value ?v } } .\n"
)
ORDERS: list[Order] = ["first", "last", "shuffled"]


def test_a_container_and_its_members_are_read_once_each() -> None:
    world = FakeWorld({W + "c/p1": "", W + "c/p2": ""}, containers=(W + "c/",))
    report = world.step(
        plan(get(W + "c/") + "{ w:c\\/ ldp:contains ?y } => { [] http:mthd m:GET ; http:requestURI ?y } .")
    )
    assert world.gets == [W + "c/", W + "c/p1", W + "c/p2"]
    assert [(one.uri, one.outcome, one.status) for one in report.gets] == [
        (W + "c/", "content", 200),
        (W + "c/p1", "content", 200),
        (W + "c/p2", "content", 200),
    ]
    assert (report.requests, report.quiet, report.failure) == ((), "quiet", None)


def test_fragments_name_the_same_document() -> None:
    world = FakeWorld({W + "d": ""})
    world.step(plan(get(W + "d#a") + get(W + "d#b") + get(W + "d")))
    assert world.gets == [W + "d"]


@pytest.mark.parametrize("order", ORDERS)
def test_a_redirected_document_is_not_read_again_under_its_final_name(order: Order) -> None:
    world = FakeWorld(
        {W + "d2": "<#x> :p <> . <#x> <http://w/vocab#next> <http://w/d2> .".replace(":p", f"<{W}p>")},
        redirects={W + "d": W + "d2"},
    )
    report = world.step(
        plan(get(W + "d") + FOLLOW + PUT_OK.replace(":value ?v } =>", f"<{W}p> ?v }} =>")), order=order
    )
    assert world.gets == [W + "d"]
    assert [(one.uri, one.final_uri) for one in report.gets] == [(W + "d", W + "d2"), (W + "d2", W + "d2")]
    assert world.wire == [("PUT", W + "ok", f"<#it> <{W}vocab#value> <{W}d2> .\n")]


def test_a_derivation_leads_to_a_retrieval_in_the_same_step() -> None:
    world = FakeWorld({W + "b": "", W + "a": f"<{W}b> <{W}vocab#isFedBy> <{W}a> . <#s> <{W}vocab#value> 1 ."})
    program = (
        "w:b :isFedBy w:a .\n{ ?b :isFedBy ?a } => { ?a :feeds ?b } .\n"
        "{ ?a :feeds ?b } => { [] http:mthd m:GET ; http:requestURI ?a } .\n" + PUT_OK
    )
    world.step(plan(program))
    assert world.gets == [W + "a"]
    assert len(world.wire) == 1


def test_documents_that_lead_to_each_other_are_read_once() -> None:
    documents = {W + name: f"<{W}{name}> <{W}vocab#next> <{W}{other}> ." for name, other in ("ab", "ba")}
    world = FakeWorld(documents)
    world.step(plan(get(W + "a") + FOLLOW))
    assert world.gets == [W + "a", W + "b"]


@pytest.mark.parametrize("order", ORDERS)
def test_no_write_leaves_before_the_last_answer_whatever_the_order_of_answers(order: Order) -> None:
    documents = {W + f"d{n}": f"<> <{W}vocab#next> <{W}d{n + 1}> ; <{W}vocab#value> {n} ." for n in range(6)}
    program = get(W + "d0") + get(W + "d3") + FOLLOW + PUT_OK.replace("w:ok", "?x")
    results = []
    for seed in range(5):
        world = FakeWorld(documents)
        report = world.step(plan(program), order=order, seed=seed)
        kinds = [type(instruction) for instruction in world.log]
        assert kinds == [Get] * 7 + [Send] * 6
        results.append((sorted(world.wire), report.requests, report.facts))
    assert all(result == results[0] for result in results)


def test_bad_documents_say_nothing_and_good_ones_count() -> None:
    value = f"<#s> <{W}vocab#value> %s ."
    world = FakeWorld(
        {
            W + "good": value % 1,
            W + "page": Page(b"<html>", "text/html"),
            W + "cut": (value % 2)[:-9],
            W + "xml": Page(
                b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:v="http://w/vocab#">'
                b'<rdf:Description rdf:about="#Worker"><v:value>3</v:value></rdf:Description></rdf:RDF>',
                "application/xml",
            ),
        },
        get_faults={W + "broken": 500, W + "slow": "no answer within 2 s"},
    )
    names = ["good", "page", "cut", "xml", "gone", "broken", "slow"]
    report = world.step(plan("".join(get(W + name) for name in names) + PUT_OK.replace("w:ok", "?x")))
    assert [(one.uri.removeprefix(W), one.outcome, one.status) for one in report.gets] == [
        ("broken", "failed", 500),
        ("cut", "failed", 200),
        ("gone", "gone", 404),
        ("good", "content", 200),
        ("page", "failed", 200),
        ("slow", "failed", None),
        ("xml", "content", 200),
    ]
    assert sorted(uri for _, uri, _ in world.wire) == [W + "good", W + "xml"]
    assert all(one.reason for one in report.gets if one.outcome == "failed")


def test_a_document_with_a_bad_statement_counts_without_it_and_is_named() -> None:
    world = FakeWorld(
        {W + "d": f"<#s> <{W}vocab#value> 1 . <#s> <{W}vocab#value> !! . <#s> <{W}vocab#value> 2 ."}
    )
    report = world.step(
        plan(
            get(W + "d")
            + "{ ?x :value ?v } => { [] http:mthd m:POST ; http:requestURI w:ok ; http:body { ?x :value ?v } } ."
        )
    )
    assert [one.outcome for one in report.gets] == ["content"]
    assert len(report.gets[0].skipped) == 1
    assert len(world.wire) == 2


def test_too_many_documents_end_the_step_before_it_writes() -> None:
    documents = {W + f"d{n}": f"<> <{W}vocab#next> <{W}d{n + 1}> ; <{W}vocab#value> {n} ." for n in range(10)}
    world = FakeWorld(documents)
    report = world.step(plan(get(W + "d0") + FOLLOW + PUT_OK, limits=Limits(documents=4)))
    assert isinstance(report.failure, BudgetError)
    assert (report.failure.code, world.sends) == ("ASM112", [])
    assert "more than 4 documents (--max-documents)" in report.failure.message
    assert (report.quiet, report.requests) == ("unsettled", ())


def test_the_limit_of_documents_may_be_reached() -> None:
    world = FakeWorld({W + "a": "", W + "b": ""})
    assert world.step(plan(get(W + "a") + get(W + "b"), limits=Limits(documents=2))).failure is None


def test_a_document_that_a_redirect_leads_to_is_not_one_more() -> None:
    world = FakeWorld({W + "b": ""}, redirects={W + "a": W + "b"})
    report = world.step(plan(get(W + "a") + PUT_OK, limits=Limits(documents=1)))
    assert (report.failure, [one.outcome for one in report.gets]) == (None, ["content"])


def test_too_many_bytes_end_the_step_before_it_writes() -> None:
    world = FakeWorld({W + "d": "# " + "x" * 1000, W + "e": "#" * 100})
    report = world.step(
        plan("w:a :value 1 .\n" + get(W + "d") + get(W + "e") + PUT_OK, limits=Limits(bytes=1001))
    )
    assert isinstance(report.failure, BudgetError)
    assert (report.failure.code, world.sends) == ("ASM113", [])


def test_an_existential_gives_the_same_nodes_in_every_step() -> None:
    program = (
        "w:q1 a :Sentry . w:q2 a :Sentry . w:q3 a :Sentry . w:i1 a :Instance . w:i2 a :Instance .\n"
        "{ ?q a :Sentry . ?i a :Instance } => { ?q :result _:r . _:r :of ?i } .\n"
        "{ ?r :of ?i } => { [] http:mthd m:POST ; http:requestURI w:ok ; http:body { ?i :seen true } ; :node ?r } .\n"
    )
    world = FakeWorld({})
    first, second = world.step(plan(program)), world.step(plan(program))
    assert (len(first.requests), first.facts) == (6, 5 + 12 + 2)
    assert first.requests == second.requests


def test_instant_and_fresh_id_are_facts_of_the_step() -> None:
    program = (
        "{ ag:thisStep ag:instant ?t ; ag:freshId ?u } =>"
        " { [] http:mthd m:PUT ; http:requestURI w:ok ; http:body { this:it :at ?t ; :id ?u } } ."
    )
    world = FakeWorld({})
    world.step(plan(program))
    assert world.wire == [
        (
            "PUT",
            W + "ok",
            (
                f'<#it> <{W}vocab#at> "{INSTANT}"^^<http://www.w3.org/2001/XMLSchema#dateTime> .\n'
                f'<#it> <{W}vocab#id> "{FRESH_ID}" .\n'
            ),
        )
    ]


def test_answers_that_nobody_waits_for_change_nothing() -> None:
    machine = Machine(plan(get(W + "d") + PUT_OK), INSTANT, FRESH_ID)
    assert machine.start() == [Get(W + "d")]
    stray = Answer(W + "other", W + "other", 200, "text/turtle", "", f"<#s> <{W}vocab#value> 1 .".encode())
    assert machine.handle(stray) == []
    assert machine.report is None
    answer = Answer(W + "d", W + "d", 404, "", "", b"")
    assert machine.handle(answer) == []
    assert machine.report is not None
    report = machine.report
    assert machine.handle(answer) == []
    assert machine.report is report


def test_a_slow_document_keeps_only_what_depends_on_it_waiting() -> None:
    documents = {
        W + "a": f"<> <{W}vocab#next> <{W}b> .",
        W + "b": f"<> <{W}vocab#next> <{W}c> .",
        W + "c": "",
    }
    world = FakeWorld(documents)
    machine = Machine(plan(get(W + "a") + get(W + "slow") + FOLLOW), INSTANT, FRESH_ID)
    instructions = machine.start()
    seen = []
    for name in "abc":
        (instruction,) = [one for one in instructions if one == Get(W + name)]
        seen.append(name)
        instructions = machine.handle(world.answer(instruction))
    assert (seen, machine.report) == (["a", "b", "c"], None)


def test_requests_do_not_depend_on_the_order_of_rules() -> None:
    rules = [get(W + "d"), PUT_OK, "w:a :value 2 .\n", "{ ?x :other ?v } => { ?x :value ?v } .\n"]
    wires = set()
    for order in itertools.permutations(rules):
        world = FakeWorld({W + "d": f"<#s> <{W}vocab#other> 1 ."})
        world.step(plan("".join(order)))
        wires.add(tuple(world.wire))
    assert len(wires) == 1
