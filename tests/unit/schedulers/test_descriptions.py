"""Schedulers, policies, agreements, entries and decisions in RDF, and what is said of faulty ones."""

from collections.abc import Iterable

import pytest
from pyshacl import validate
from rdflib import Graph

from agent.errors import ProgramError
from agent.n3.load import read_model
from agent.rdf.serialise import to_turtle
from agent.rdf.terms import IRI, Triple
from agent.reason.facts import Facts
from agent.resources import read_bundled
from agent.schedulers import terms
from agent.schedulers.decision import Alternative, Decision
from agent.schedulers.descriptions import (
    Scheduler,
    facts_of,
    policy_triples,
    read_agreement,
    read_policy,
    read_scheduler,
)
from agent.schedulers.entries import (
    Entry,
    Order,
    decision_triples,
    entry_triples,
    read_entry,
    read_order,
    read_status,
)
from agent.schedulers.penalty import NO_PENALTY, ConstantPenalty, StagedPenalty, SummedPenalty
from agent.schedulers.policy import FifoPolicy, SlaPenaltyPolicy
from agent.schedulers.priority import Ranked
from agent.vocab import SCHED

BASE = "http://s.example/schedulers/e/"
IT = IRI(BASE + "#it")
PREFIXES = """
@prefix sched: <https://w3id.org/milepost/scheduling#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix http: <http://www.w3.org/2011/http#> . @prefix httpm: <http://www.w3.org/2011/http-methods#> .
@prefix odrl: <http://www.w3.org/ns/odrl/2/> .
"""
SCHEDULER = """
<#it> a sched:SchedulerProxy ; sched:forService <http://s.example/services/e> ; sched:capacity 5 ;
    sched:responseTime "PT0.5S"^^xsd:duration ; sched:observes </wf/> ;
    sched:policy [ a sched:SlaPenaltyPolicy ; sched:delayFactor 3 ; sched:reserveForPredicted false ] .
"""


def facts(text: str) -> Facts:
    return facts_of(Triple(*p.triple) for p in read_model(PREFIXES + text, source="s.ttl", base=BASE))


def conforms(text: str) -> bool:
    shapes = Graph().parse(
        data=read_bundled("ontology/shapes/scheduling.ttl"), format="turtle", publicID="http://x/"
    )
    data = Graph().parse(data=PREFIXES + text, format="turtle", publicID=BASE)
    return bool(validate(data, shacl_graph=shapes)[0])


def test_a_scheduler_is_read_with_its_defaults() -> None:
    assert read_scheduler(facts(SCHEDULER), IT) == Scheduler(
        "http://s.example/services/e",
        5,
        0.5,
        0.25,
        SlaPenaltyPolicy(delay_factor=3.0, reserve_for_predicted=False),
        ("http://s.example/wf/",),
    )
    bare = (
        SCHEDULER.partition("sched:observes")[0]
        + "sched:adaptationPeriod 2.5 ; sched:honoursIdempotencyKey true ."
    )
    assert read_scheduler(facts(bare), IT) == Scheduler(
        "http://s.example/services/e", 5, 0.5, 2.5, FifoPolicy(), (), honours_key=True
    )
    assert conforms(SCHEDULER)
    assert conforms(bare)


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("a sched:SchedulerProxy ;", "a sched:Scheduler ;", "SCH003", "no sched:SchedulerProxy"),
        ("sched:capacity 5 ;", "", "SCH001", "no sched:capacity"),
        ("sched:capacity 5", "sched:capacity 0", "SCH001", "0 as sched:capacity"),
        ("sched:capacity 5", "sched:capacity 1.5", "SCH001", "1.5 as sched:capacity"),
        ("sched:capacity 5", 'sched:capacity "five"', "SCH001", '"five" as sched:capacity'),
        ("sched:capacity 5", "sched:capacity 5 , 6", "SCH002", "2 values of sched:capacity"),
        ("<http://s.example/services/e>", '"http://s.example/services/e"', "SCH001", "as sched:forService"),
        ("<http://s.example/services/e>", "<urn:e>", "SCH001", "<urn:e> as sched:forService"),
        ('"PT0.5S"', '"0.5s"', "SCH001", "as sched:responseTime"),
        ('"PT0.5S"', '"P1M"', "SCH001", "as sched:responseTime"),
        ('"PT0.5S"^^xsd:duration', "0", "SCH001", "as sched:responseTime"),
        ("sched:SlaPenaltyPolicy", "sched:SlaPenalityPolicy", "SCH004", "sched:SlaPenalityPolicy"),
        ("sched:delayFactor 3", "sched:delayFactor -1", "SCH001", "as sched:delayFactor"),
        (
            "sched:reserveForPredicted false",
            'sched:reserveForPredicted "no"',
            "SCH001",
            "reserveForPredicted",
        ),
        ("</wf/>", "</wf>", "SCH001", "as sched:observes"),
    ],
)
def test_a_faulty_scheduler_is_refused_by_subject_and_property(
    old: str, new: str, code: str, words: str
) -> None:
    text = SCHEDULER.replace(old, new)
    with pytest.raises(ProgramError) as caught:
        read_scheduler(facts(text), IT)
    assert caught.value.code == code
    assert words in caught.value.message
    assert caught.value.hint
    # the shapes look at schedulers and policies that say what they are
    if code not in {"SCH003", "SCH004"}:
        assert not conforms(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<http://s.example/services/e>", "<http://>"),
        ("<http://s.example/services/e>", "<http:///e>"),
        ("<http://s.example/services/e>", "<http://s.example@t.example/>"),
        ('"PT0.5S"^^xsd:duration', "1e-320"),
        ('"PT0.5S"^^xsd:duration', "1e300"),
        ("sched:delayFactor 3", "sched:delayFactor 1e300"),
        ("sched:capacity 5", "sched:capacity 1e300"),
    ],
)
def test_a_scheduler_for_everything_or_without_measure_is_refused(old: str, new: str) -> None:
    assert old in SCHEDULER
    with pytest.raises(ProgramError, match="SCH001"):
        read_scheduler(facts(SCHEDULER.replace(old, new)), IT)


def test_scores_are_worked_out_a_hundred_times_a_second_at_most() -> None:
    quick = SCHEDULER.replace("PT0.5S", "PT0.002S")
    assert read_scheduler(facts(quick), IT).adaptation_period_s == 0.01
    hectic = SCHEDULER.replace("sched:capacity 5", "sched:capacity 5 ; sched:adaptationPeriod 0.000001")
    with pytest.raises(ProgramError, match="1e-06 s as sched:adaptationPeriod"):
        read_scheduler(facts(hectic), IT)


def test_a_misspelt_policy_is_told_its_name() -> None:
    with pytest.raises(ProgramError) as caught:
        read_scheduler(facts(SCHEDULER.replace("SlaPenaltyPolicy", "SlaPenalityPolicy")), IT)
    assert "did you mean sched:SlaPenaltyPolicy?" in caught.value.hint


@pytest.mark.parametrize("policy", [FifoPolicy(), SlaPenaltyPolicy(), SlaPenaltyPolicy(2.5, 0.25, False)])
def test_a_policy_is_read_as_it_was_written(policy: FifoPolicy | SlaPenaltyPolicy) -> None:
    assert read_policy(facts_of(policy_triples(IT, policy)), IT) == policy


STAGED = (
    '[ a sched:StagedPenalty ; sched:threshold 3.0 ; sched:amount 10 ; sched:stage "PT2S"^^xsd:duration ]'
)
CONSTANT = '[ a sched:ConstantPenalty ; sched:threshold "PT8S"^^xsd:duration ; sched:amount 20.0 ]'


@pytest.mark.parametrize(
    ("text", "penalty"),
    [
        (f"<#it> sched:penaltyFunction {STAGED} .", StagedPenalty(3.0, 10.0, 2.0)),
        (f"<#it> sched:penaltyFunction {CONSTANT} .", ConstantPenalty(8.0, 20.0)),
        (
            f"<#it> odrl:obligation [ odrl:consequence [ sched:penaltyFunction {CONSTANT} ] ] .",
            ConstantPenalty(8.0, 20.0),
        ),
        ("<#it> a odrl:Agreement .", NO_PENALTY),
        ("<#it> odrl:obligation <#it> .", NO_PENALTY),
    ],
)
def test_an_agreement_tells_its_penalty_itself_or_at_the_end_of_its_duties(
    text: str, penalty: object
) -> None:
    assert read_agreement(facts(text), IT) == penalty


def test_several_penalty_functions_are_summed() -> None:
    penalty = read_agreement(facts(f"<#it> sched:penaltyFunction {STAGED} , {CONSTANT} ."), IT)
    assert isinstance(penalty, SummedPenalty)
    assert [penalty.of(t) for t in (4.0, 5.0, 8.0)] == [0.0, 10.0, 40.0]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("sched:amount 10", "sched:amount -10", "SCH001"),
        ("sched:amount 10 ;", "", "SCH001"),
        ("sched:StagedPenalty", "sched:SteppedPenalty", "SCH005"),
        ("a sched:StagedPenalty", "a sched:StagedPenalty , sched:ConstantPenalty", "SCH005"),
        ("sched:threshold 3.0", "sched:threshold 3.0 , 4.0", "SCH002"),
        ('"PT2S"', '"PT0S"', "SCH001"),
    ],
)
def test_a_faulty_penalty_is_refused(old: str, new: str, code: str) -> None:
    text = f"<#it> sched:penaltyFunction {STAGED.replace(old, new)} ."
    with pytest.raises(ProgramError) as caught:
        read_agreement(facts(text), IT)
    assert caught.value.code == code
    # a class that is not known is nobody's, and two classes at once fit both shapes; an empty stage is positive to SHACL
    if code != "SCH005" and "PT0S" not in text:
        assert not conforms(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sched:amount 10", "sched:amount 1e308"),
        ("sched:threshold 3.0", "sched:threshold 1e308"),
        ('"PT2S"^^xsd:duration', "1e-310"),
    ],
)
def test_a_penalty_that_would_grow_beyond_all_numbers_is_refused(old: str, new: str) -> None:
    assert old in STAGED
    with pytest.raises(ProgramError, match="SCH001"):
        read_agreement(facts(f"<#it> sched:penaltyFunction {STAGED.replace(old, new)} ."), IT)


ORDER = Order(
    "POST",
    "http://s.example/services/e",
    (("Content-Type", "text/turtle"), ("Slug", 'a "b"')),
    "<> <#p> 1 .\n",
    "http://s.example/wf/a.1#it",
    "http://s.example/wf/a#it",
    "http://s.example/model#E",
)


def _again(subject: IRI, triples: Iterable[Triple]) -> Facts:
    """Return ``triples`` after a way over the wire."""
    text = to_turtle(triples)
    return facts_of(Triple(*p.triple) for p in read_model(text, source="e.ttl", base=subject.value))


@pytest.mark.parametrize(
    "entry",
    [
        Entry(ORDER, "Pending", 1, "2026-01-02T03:04:05.678Z"),
        Entry(
            ORDER,
            "Done",
            12,
            "2026-01-02T03:04:05.678Z",
            "2026-01-02T03:04:06.000Z",
            "2026-01-02T03:04:07.000Z",
            200,
        ),
        Entry(Order("DELETE", "http://s.example/services/e/1"), "Uncertain", 3, "2026-01-02T03:04:05.678Z"),
    ],
)
def test_an_entry_is_read_as_it_was_written(entry: Entry) -> None:
    subject = IRI(BASE + "queue/k")
    assert read_entry(_again(subject, entry_triples(subject, entry)), subject) == entry


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<#it> http:requestURI <http://s.example/services/e> .", "SCH006"),
        ("<#it> http:mthd httpm:GET ; http:requestURI <http://s.example/services/e> .", "SCH006"),
        ("<#it> http:mthd httpm:POST .", "SCH001"),
        ("<#it> http:mthd httpm:POST , httpm:PUT ; http:requestURI <http://s.example/e> .", "SCH002"),
        ("<#it> http:mthd httpm:POST ; http:requestURI <http://s.example/e> ; http:body <#b> .", "SCH006"),
        (
            '<#it> http:mthd httpm:POST ; http:requestURI <http://s.example/e> ; http:headers ( "x" ) .',
            "SCH006",
        ),
        ("<#it> http:mthd httpm:POST ; http:requestURI <http://s.example/e> ; sched:forTask 1 .", "SCH001"),
    ],
)
def test_a_request_that_cannot_be_sent_is_refused(text: str, code: str) -> None:
    with pytest.raises(ProgramError) as caught:
        read_order(facts(text), IT)
    assert caught.value.code == code


def test_a_list_of_header_fields_that_bites_its_tail_is_refused() -> None:
    text = """
    @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
    <#it> http:mthd httpm:POST ; http:requestURI <http://s.example/e> ; http:headers <#c> .
    <#c> rdf:rest <#c> ; rdf:first [ http:fieldName "A" ; http:fieldValue "b" ] .
    """
    with pytest.raises(ProgramError) as caught:
        read_order(facts(text), IT)
    assert caught.value.code == "SCH006"


@pytest.mark.parametrize("text", ["<#it> sched:status sched:Waiting .", "<#it> sched:rank 1 ."])
def test_an_unknown_status_is_refused(text: str) -> None:
    with pytest.raises(ProgramError) as caught:
        read_status(facts(text), IT)
    assert caught.value.code == "SCH007"


def test_a_decision_says_what_was_chosen_and_what_else_could_have_been() -> None:
    ranked = Ranked("i", "a", 10.0, -0.5, False, 3.85, 4.05, 0.0, 10.0)
    decision = Decision(
        7.0,
        SlaPenaltyPolicy(),
        "k1",
        (Alternative("k1", 10.0, ranked), Alternative("k2", 0.0, None, "LowerScore")),
    )
    subject = IRI(BASE + "decisions/1")
    told = _again(
        subject,
        decision_triples(
            subject,
            decision,
            queue=BASE + "queue/",
            scheduler=IT.value,
            policy=BASE + "policy?version=3",
            instant="2026-01-02T03:04:05.678Z",
        ),
    )
    [chosen] = told.objects(subject, terms.SELECTED)
    assert chosen == IRI(BASE + "queue/k1")
    [association] = told.objects(subject, terms.ASSOCIATION)
    assert list(told.objects(association, terms.HAD_PLAN)) == [IRI(BASE + "policy?version=3")]
    found = {
        str(told.value(node, terms.CANDIDATE)): [
            getattr(told.value(node, p), "lexical", getattr(told.value(node, p), "value", None))
            for p in (
                terms.SCORE,
                terms.DEFAULT_FINISH,
                terms.DELAYED_FINISH,
                terms.DELAYED_PENALTY,
                terms.REJECTED_BECAUSE,
            )
        ]
        for node in told.objects(subject, terms.ALTERNATIVE)
    }
    assert found == {
        str(IRI(BASE + "queue/k1")): ["10.0", "3.85", "4.05", "10.0", None],
        str(IRI(BASE + "queue/k2")): ["0.0", None, None, None, SCHED + "LowerScore"],
    }


def test_every_term_that_is_read_or_written_is_described() -> None:
    described = {
        p.triple.subject for p in read_model(read_bundled("ontology/scheduling.ttl"), source="o", base=SCHED)
    }
    used = {
        value for value in vars(terms).values() if isinstance(value, IRI) and value.value.startswith(SCHED)
    }
    assert len(used) > 25
    assert used - described == set()


@pytest.mark.parametrize("capacity", ["0", "-1", '"x"', "1.5"])
def test_whatever_is_no_capacity_gets_the_same_advice(capacity: str) -> None:
    with pytest.raises(ProgramError) as caught:
        read_scheduler(facts(SCHEDULER.replace("sched:capacity 5", f"sched:capacity {capacity}")), IT)

    assert caught.value.hint == "State sched:capacity with a whole number from 1 to 1e+15."


def test_a_policy_without_a_class_is_told_as_that() -> None:
    with pytest.raises(ProgramError) as caught:
        read_policy(facts("<#p> <#q> 1 ."), IT)

    assert (caught.value.code, "the policy has no class" in caught.value.message) == ("SCH004", True)
