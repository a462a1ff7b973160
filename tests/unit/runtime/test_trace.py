"""The trace: one line of JSON a step, with fixed keys, and what is left of it when runs are compared."""

import io
import json

from agent.runtime.machine import Machine
from agent.runtime.reasoning import Reasoning
from agent.runtime.trace import TraceWriter, normalise, trace_line
from tests.support.plans import W, get, plan
from tests.support.world import FRESH_ID, INSTANT, FakeWorld

V = W + "vocab#"
RULES = (
    get(W + "d")
    + "{ ?x :value ?v } => { [] http:mthd m:PUT ; http:requestURI w:e ; http:body { this:it :value ?v } ;"
    + " ag:instance w:i ; :for ?x } .\n"
    + "{ [] http:mthd m:PUT ; http:requestURI w:e ; http:body { this:it :value 2 } } .\n"
)
MS = {"reading": 1.5, "deciding": 0.25, "writing": 2.0}


def traced(*, bodies: bool = False) -> dict[str, object]:
    world = FakeWorld({W + "d": f"<#s> <{V}value> 1 ."})
    report = world.step(plan(RULES, keep_bodies=bodies))
    return trace_line(3, report, MS, bodies=bodies)


def test_a_line_tells_the_step() -> None:
    etag = FakeWorld({W + "d": f"<#s> <{V}value> 1 ."}).pages[W + "d"].etag
    line = traced()
    assert list(line) == ["step", "instant", "freshId", "gets", "facts", "requests", "clashes", "ms"]
    hashes = [one.pop("sha256") for key in ("gets", "requests") for one in line[key]]  # type: ignore[attr-defined]  # JSON
    assert [len(one) for one in hashes] == [64, 64, 0]
    assert line == {
        "step": 3,
        "instant": INSTANT,
        "freshId": FRESH_ID,
        "gets": [{"uri": W + "d", "status": 200, "etag": etag}],
        "facts": 3,
        "requests": [
            {
                "instance": W + "i",
                "method": "PUT",
                "uri": W + "e",
                "rule": ["rules.n3:2"],
                "annotations": [
                    [V + "for", f"<{W}d#s>"],
                    ["https://w3id.org/milepost/agent#instance", f"<{W}i>"],
                ],
                "outcome": "confirmed",
                "status": 201,
            },
            {
                "instance": None,
                "method": "PUT",
                "uri": W + "e",
                "rule": ["rules.n3:3"],
                "annotations": [],
                "outcome": "dropped",
                "status": None,
                "reason": f"it clashes with PUT {W}e of rules.n3:2",
            },
        ],
        "clashes": [
            {
                "uri": W + "e",
                "winner": {"method": "PUT", "rule": ["rules.n3:2"]},
                "loser": {"method": "PUT", "rule": ["rules.n3:3"]},
                "bothSent": False,
            }
        ],
        "ms": MS,
    }


def test_bodies_are_kept_on_request() -> None:
    line = json.loads(json.dumps(traced(bodies=True)))
    assert line["gets"][0]["body"] == f"<#s> <{V}value> 1 ."
    assert (line["gets"][0]["mediaType"], line["gets"][0]["finalUri"]) == ("text/turtle", W + "d")
    assert line["requests"][0]["body"].startswith(f'<#it> <{V}value> "1"')
    assert line["requests"][0]["headers"] == [["Content-Type", "text/turtle"]]


def test_a_failed_document_has_no_status_and_says_why() -> None:
    report = FakeWorld({}, get_faults={W + "d": "no answer within 2 s"}).step(plan(get(W + "d")))
    assert trace_line(1, report, {})["gets"] == [
        {"uri": W + "d", "status": None, "etag": "", "sha256": "", "reason": "no answer within 2 s"}
    ]


def test_a_step_that_failed_is_a_line_too() -> None:
    report = FakeWorld({}).step(plan(RULES + RULES.replace("value 2", "value 3"), on_conflict="error"))
    failure = trace_line(1, report, {})["failure"]
    assert failure["code"] == "ASM111"


def test_each_line_is_flushed() -> None:
    class Watched(io.StringIO):
        flushed = 0

        def flush(self) -> None:
            self.flushed = self.getvalue().count("\n")

    stream = Watched()
    writer = TraceWriter(stream)
    report = FakeWorld({}).step(plan("w:ü :value 1 ."))
    writer.write(1, report, {})
    assert stream.flushed == 1
    writer.write(2, report, {})
    assert stream.flushed == 2
    assert [json.loads(line)["step"] for line in stream.getvalue().splitlines()] == [1, 2]


def line_of(
    port: int, element: str, etag: str, instant: str, uuid: str, *, swapped: bool = False
) -> dict[str, object]:
    base = f"http://127.0.0.1:{port}/"
    requests = [
        {
            "uri": f"{base}i.{element}",
            "rule": ["b"],
            "sha256": "aa" + etag,
            "annotations": [["for", f"<{base}i.{element}>"]],
        },
        {"uri": f"{base}x", "rule": ["a"], "sha256": "bb" + etag, "annotations": []},
    ]
    return {
        "step": 1,
        "instant": instant,
        "freshId": uuid,
        "gets": [
            {"uri": f"{base}i", "etag": etag, "sha256": "cc" + etag},
            {"uri": f"{base}j", "etag": "", "sha256": "cc" + etag},
        ],
        "requests": requests[::-1] if swapped else requests,
        "ms": {"reading": port},
    }


def test_two_runs_that_did_the_same_are_the_same_when_normalised() -> None:
    one = line_of(
        4711, "0123456789abcdef", '"1"', "2024-05-06T07:08:09.000Z", "00000000-0000-4000-8000-00000000000a"
    )
    other = line_of(
        815,
        "fedcba9876543210",
        '"9"',
        "2025-05-06T07:08:09.123Z",
        "10000000-0000-4000-8000-00000000000b",
        swapped=True,
    )
    first = normalise([one], {"http://127.0.0.1:4711/": "http://server/"})
    assert first == normalise([other], {"http://127.0.0.1:815/": "http://server/"})
    assert first == [
        {
            "step": 1,
            "instant": "instant-1",
            "freshId": "uuid-1",
            "gets": [
                {"uri": "http://server/i", "etag": "etag-1", "sha256": "sha256-1"},
                {"uri": "http://server/j", "etag": "", "sha256": "sha256-1"},
            ],
            "requests": [
                {
                    "uri": "http://server/i.element-1",
                    "rule": ["b"],
                    "sha256": "sha256-2",
                    "annotations": [["for", "<http://server/i.element-1>"]],
                },
                {"uri": "http://server/x", "rule": ["a"], "sha256": "sha256-3", "annotations": []},
            ],
        }
    ]


def test_runs_that_did_something_else_stay_different() -> None:
    one = line_of(
        1, "0123456789abcdef", '"1"', "2024-05-06T07:08:09.000Z", "00000000-0000-4000-8000-00000000000a"
    )
    changed = json.loads(json.dumps(one))
    changed["requests"][1]["sha256"] = changed["requests"][0]["sha256"]
    assert normalise([one]) != normalise([changed])


def test_a_line_tells_why_each_request_was_sent_if_the_plan_keeps_that() -> None:
    # The lamp is asked for by what two documents say, one of which leads to the other.
    rules = (
        get(W + "d")
        + "{ ?x :seeAlso ?y } => { [] http:mthd m:GET ; http:requestURI ?y } .\n"
        + "{ ?x :value ?v . ?y :limit ?l . ?v math:greaterThan ?l . "
        + "() log:notIncludes { ?x :isOff true } } => { ?x :isAbove ?y } .\n"
        + "{ ?x :isAbove ?y } => { [] http:mthd m:PUT ; http:requestURI w:e ; http:body { this:it :above ?y } } .\n"
    )
    world = FakeWorld(
        {W + "d": f"<#s> <{V}value> 3 ; <{V}seeAlso> <{W}l> .", W + "l": f"<#l> <{V}limit> 2 ."}
    )
    for recompute in (False, True):
        step_plan = plan(rules, keep_grounds=True)
        reasoning = Reasoning(step_plan, recompute=recompute)
        report = world.drive(Machine(step_plan, INSTANT, FRESH_ID, reasoning=reasoning))
        line = trace_line(1, report, MS)
        (request,) = line["requests"]
        assert request["grounds"] == [
            {
                "rule": "rules.n3:4",
                "binding": {"x": f"<{W}d#s>", "y": f"<{W}l#l>"},
                "documents": [
                    {"uri": W + "d", "etag": world.pages[W + "d"].etag},
                    {"uri": W + "l", "etag": world.pages[W + "l"].etag},
                ],
            }
        ]
        assert "grounds" not in normalise([line])[0]["requests"][0]
    assert "grounds" not in trace_line(1, world.step(plan(rules)), MS)["requests"][0]
