"""What a scheduler can tell of running workflows from their models and their status."""

from collections import UserDict
from collections.abc import Iterator, MutableMapping

import pytest

from agent.n3.load import read_model
from agent.rdf.terms import Triple
from agent.reason.facts import Facts
from agent.resources import read_bundled
from agent.schedulers.descriptions import facts_of
from agent.schedulers.penalty import NO_PENALTY, ConstantPenalty
from agent.schedulers.prediction import forecast
from agent.schedulers.process import Process, State
from agent.schedulers.workflow import Place, is_served_by, read_processes

BASE = "http://s.example/"
PREFIXES = """
@prefix gsm: <http://purl.org/gsm/vocab#> . @prefix ag: <https://w3id.org/milepost/agent#> .
@prefix sp: <http://spinrdf.org/sp#> . @prefix sched: <https://w3id.org/milepost/scheduling#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix http: <http://www.w3.org/2011/http#> .
@prefix prov: <http://www.w3.org/ns/prov#> .
"""
MODEL = """
<model#R> gsm:hasChildStage <model#a> , <model#b> , <model#c> , <model#d> .
<model#a> gsm:hasMilestone <model#ma> ; sched:expectedDuration "PT1S"^^xsd:duration .
<model#b> gsm:hasMilestone <model#mb> ; gsm:hasGuard <model#gb> ; gsm:hasHttpRequest <model#rb> .
<model#c> gsm:hasMilestone <model#mc> ; gsm:hasGuard <model#gc> ; sched:expectedDuration "PT4S"^^xsd:duration .
<model#d> gsm:hasMilestone <model#md> ; gsm:hasGuard <model#gd> ; gsm:hasChildStage <model#d1> .
<model#d1> gsm:hasMilestone <model#md1> ; sched:expectedDuration "PT8S"^^xsd:duration .
<model#rb> http:requestURI <services/b/part> .
<model#gb> gsm:hasCondition <model#cb> .
<model#cb> ag:ask "PREFIX gsm: <http://purl.org/gsm/vocab#> ASK { ?i ag:hasUnachievedMilestone <#md> ; gsm:hasAchievedMilestone <#ma> , <#unknown> }" .
<model#gc> gsm:hasCondition [ sp:where (
    [ sp:subject gsm:thisArtifactInstance ; sp:predicate gsm:hasAchievedMilestone ; sp:object <model#ma> ]
    [ gsm:inArtifactInstance gsm:thisArtifactInstance ; gsm:hasAchievedMilestone <model#mb> ] ) ] .
<model#gd> gsm:hasCondition <model#cd> .
<model#cd> ag:ask "PREFIX m: <#> PREFIX v: <http://purl.org/gsm/vocab#> ASK { # v:hasAchievedMilestone m:md\\n ?i v:hasAchievedMilestone m:mc }" .
"""
INSTANCE = """
<wf/i#it> a gsm:ArtifactInstance ; gsm:isInstanceOf <model#R> ; gsm:hasState gsm:active ;
    prov:startedAtTime "1970-01-01T00:01:40Z"^^xsd:dateTime ; sched:governedBy <sla> .
<sla> sched:penaltyFunction [ a sched:ConstantPenalty ; sched:threshold 8.0 ; sched:amount 20 ] .
"""


def _facts(text: str) -> Facts:
    return facts_of(
        Triple(*p.triple) for p in read_model(PREFIXES + text, source="m.ttl", base=BASE + "model")
    )


def _read(
    text: str, now_s: float = 100.0, seen_s: MutableMapping[Place, float] | None = None
) -> list[Process]:
    processes, complaints = read_processes(
        _facts(text),
        now_s,
        services={BASE + "services/b": 2.0, BASE + "services": 9.0},
        queued={},
        seen_s={} if seen_s is None else seen_s,
    )
    assert complaints == ()
    return list(processes)


def _after(process: Process) -> dict[str, set[str]]:
    return {
        a.name.rpartition("#")[2]: {name.rpartition("#")[2] for name in a.after} for a in process.activities
    }


def test_a_stage_comes_after_those_whose_milestones_its_guard_asks_for() -> None:
    [process] = _read(MODEL + INSTANCE)
    assert process.instance == BASE + "wf/i#it"
    assert (process.started_s, process.penalty) == (100.0, ConstantPenalty(8.0, 20.0))
    assert _after(process) == {
        "a": set(),
        "b": {"a"},
        "c": {"a", "b"},
        "d": {"c", "d1"},
        "d1": {"c"},
    }
    works = {a.name.rpartition("#")[2]: (a.service, a.duration_s) for a in process.activities}
    assert works == {
        "a": (None, 1.0),
        "b": (BASE + "services/b", 2.0),
        "c": (None, 4.0),
        "d": (None, 0.0),
        "d1": (None, 8.0),
    }
    assert forecast(process, 100.0).finish_s == 115.0


STATUS = """
<wf/i.a#it> gsm:isInstanceOf <model#a> ; gsm:inArtifactInstance <wf/i#it> ; gsm:hasState gsm:inactive .
<wf/i.ma#it> gsm:isInstanceOf <model#ma> ; gsm:forStageModel <model#a> ; gsm:inArtifactInstance <wf/i#it> ;
    gsm:isAchieved true .
<wf/i.b#it> gsm:isInstanceOf <model#b> ; gsm:inArtifactInstance <wf/i#it> ; gsm:hasState gsm:active .
"""


def test_states_come_from_the_status_and_times_from_when_they_were_first_seen() -> None:
    seen: dict[Place, float] = {}
    _read(MODEL + INSTANCE + STATUS, 100.0, seen)
    [process] = _read(MODEL + INSTANCE + STATUS, 101.5, seen)
    states = {a.name.rpartition("#")[2]: (a.state, a.since_s) for a in process.activities}
    assert states["a"] == ("done", None)
    assert states["b"] == ("running", 100.0)
    assert states["c"] == ("new", None)
    assert forecast(process, 101.5).finish_s == 114.0
    _read(MODEL, 102.0, seen)
    assert seen == {}


def test_what_waits_in_the_queue_is_pending_there() -> None:
    processes, _ = read_processes(
        _facts(MODEL + INSTANCE + STATUS),
        101.0,
        services={BASE + "services/b": 2.0},
        queued={
            (BASE + "wf/i#it", BASE + "model#b"): ("pending", 100.5),
            (BASE + "wf/j#it", BASE + "model#c"): ("running", 1.0),
        },
        seen_s={},
    )
    states = {a.name.rpartition("#")[2]: (a.state, a.since_s) for a in processes[0].activities}
    assert (states["b"], states["c"]) == (("pending", 100.5), ("new", None))


def test_the_queue_is_gone_through_once_however_many_instances_there_are() -> None:
    class Gone(UserDict[Place, tuple[State, float]]):
        through = 0

        def __iter__(self) -> Iterator[Place]:
            self.through += 1
            return super().__iter__()

    queued = Gone({(f"{BASE}wf/{name}#it", BASE + "model#b"): ("pending", 1.0) for name in "ijk"})
    instances = "".join(INSTANCE.replace("wf/i", f"wf/{name}") for name in "ijk")
    processes, _ = read_processes(_facts(MODEL + instances), 2.0, services={}, queued=queued, seen_s={})
    states = [a.state for process in processes for a in process.activities if a.name == BASE + "model#b"]
    assert (states, queued.through) == (["pending"] * 3, 1)


def test_instances_that_are_not_set_up_or_have_ended_are_no_processes() -> None:
    for state in ("uninitialized", "inactive"):
        assert _read(MODEL + INSTANCE.replace("gsm:active", f"gsm:{state}")) == []


def test_a_faulty_agreement_costs_its_instance_the_priority_and_is_told() -> None:
    text = MODEL + INSTANCE.replace("sched:amount 20", 'sched:amount "much"')
    [process], [complaint] = read_processes(_facts(text), 100.0, services={}, queued={}, seen_s={})
    assert process.penalty is NO_PENALTY
    assert complaint.code == "SCH001"
    assert '"much" as sched:amount' in complaint.message


@pytest.mark.parametrize("started", ["yesterday", "1970-01-01T00:01:40", "1970-13-01T00:00:00Z"])
def test_a_start_that_is_no_instant_counts_as_unknown(started: str) -> None:
    [process] = _read(MODEL + INSTANCE.replace("1970-01-01T00:01:40Z", started), 123.0)
    assert process.started_s == 123.0


def test_stages_in_a_circle_and_a_stage_below_itself_come_to_an_end() -> None:
    text = MODEL + INSTANCE + "<model#d1> gsm:hasChildStage <model#d> . <model#a> gsm:hasGuard <model#gd> ."
    [process] = _read(text)
    assert forecast(process, 100.0).finish_s < 200.0


@pytest.mark.parametrize(("name", "alone_s"), [("comprehensive-claim", 0.96), ("liability-claim", 0.81)])
def test_the_bundled_claims_take_as_long_as_the_paper_says_where_nothing_waits(
    name: str, alone_s: float
) -> None:
    """K-H4 on the models themselves: their guards give the order, their stages the durations."""
    model = read_model(
        read_bundled(f"rules/examples/insurance/{name}.ttl"), source=name, base=f"{BASE}{name}"
    )
    instance = _facts(INSTANCE.replace("<model#R>", f"<{BASE}{name}#{name}>"))
    facts = facts_of([*(Triple(*p.triple) for p in model), *instance])
    [process], complaints = read_processes(facts, 100.0, services={}, queued={}, seen_s={})
    assert complaints == ()
    assert forecast(process, 100.0).finish_s - 100.0 == pytest.approx(alone_s)


def test_a_request_is_served_by_the_service_at_or_above_its_uri() -> None:
    service = "http://s.example/e"
    served = ("", "/1", "/1/2", "?a=b")
    others = ("x", "/../f", "/%2E%2e/f", "/./x", "/..", "/a\\..\\b", "/a%2f..%2F..%2ff", "/a%5C..%5cb")
    assert [is_served_by(service + rest, service) for rest in served] == [True] * 4
    assert [is_served_by(service + rest, service) for rest in others] == [False] * 8
