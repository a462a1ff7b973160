"""More claims than experts: the same claims, first come, first served and by penalty, over real sockets."""

from collections import Counter
from dataclasses import dataclass, field

import pytest

from agent.gsm.terms import IS_ACHIEVED, IS_INSTANCE_OF
from agent.rdf.terms import IRI, RDF_TYPE, TRUE, Literal, Term
from agent.reason.facts import Facts
from agent.runtime.report import StepReport
from agent.schedulers import terms
from agent.schedulers.descriptions import facts_of
from agent.schedulers.entries import read_entry
from agent.sim.books import Books
from agent.sim.claims import Rush
from agent.sim.office import SCHEDULER, Office, open_office
from agent.sim.office_day import Day, close_books
from agent.sim.overtaking import Judgement, read_judgements
from agent.vocab import AG, GSM, HTTP, METHODS, PROV, SCHED
from tests.support.depth import depth

RUSH = Rush(claims=depth(9, 60), per_second=depth(30, 40), experts=depth(1, 5), seed=4, step_s=0.25)
"""Full depth is the paper's: sixty instances for a service that serves five at a time."""
FEW = Rush(claims=3, per_second=20, experts=1, seed=2, step_s=0.25)


@dataclass(slots=True)
class Kept:
    """What is kept of a day: books, orders by service and claim, decisions, and queue pages read on the way."""

    books: Books
    work: dict[tuple[str, str], float]
    orders: Counter[tuple[str, str]]
    judgements: list[Judgement]
    pages: list[Facts] = field(default_factory=list)


def claim_of(iri: str) -> str:
    return iri.partition("#")[0].rpartition("/")[2]


async def facts_at(office: Office, uri: str) -> Facts:
    triples, _ = await office.files.read(uri)
    return facts_of(triples)


async def spend_a_day(office: Office, policy: str) -> Kept:
    pages: list[Facts] = []

    async def look_at_the_queue(_report: StepReport) -> None:
        pages.append(await facts_at(office, f"{office.base}{SCHEDULER}queue/"))

    assert await Day(office, look_at_the_queue).run()
    orders = [(order.service, claim_of(order.claim)) for order in office.services.orders]
    work = {(order.service, claim_of(order.claim)): order.takes_s for order in office.services.orders}
    judgements = await read_judgements(office.files, office.base + SCHEDULER)
    return Kept(await close_books(office, policy), work, Counter(orders), judgements, pages)


async def check_every_instance_ended(office: Office) -> None:
    for instance in office.processes:
        facts = await facts_at(office, instance)
        assert facts.value(IRI(instance), terms.HAS_STATE) == IRI(GSM + "inactive")


async def check_orders_and_activations_agree(office: Office, kept: Kept) -> None:
    """Every task went out once per activation of its stage, and no stage was activated twice."""
    listing = await facts_at(office, office.container)
    activations: Counter[tuple[str, str]] = Counter()
    achieved: Counter[str] = Counter()
    for member in listing.objects(IRI(office.container), terms.CONTAINS):
        assert isinstance(member, IRI)
        facts = await facts_at(office, member.value)
        for element, _, instance in facts.match(None, terms.IN_INSTANCE, None):
            model = facts.value(element, IS_INSTANCE_OF)
            number = facts.value(element, IRI(AG + "activation"))
            assert isinstance(model, IRI)
            assert isinstance(instance, IRI)
            assert isinstance(number, Literal)
            name = model.value.partition("#")[2]
            if facts.value(element, terms.HAS_STATE) is not None and element != instance:
                activations[STAGES[name], claim_of(instance.value)] += int(number.lexical)
            if name == "closed" and facts.value(element, IS_ACHIEVED) == TRUE:
                achieved[claim_of(instance.value)] += 1
    assert +activations == kept.orders
    assert set(kept.orders.values()) == {1}
    assert achieved == Counter([claim.name for claim in office.processes.values()])


STAGES = {
    "register": "registration",
    "estimate": "estimation",
    "analyse": "analysis",
    "request-information": "information",
    "decide": "decision",
    "appraise": "expertise",
    "notify": "notification",
}


@pytest.mark.timeout(1200)  # at full depth, on a busy machine
async def test_asking_whose_delay_is_expensive_costs_less_than_first_come_first_served() -> None:
    async with open_office(RUSH, "fifo-policy") as office:
        first_come = await spend_a_day(office, "first come")
        await check_every_instance_ended(office)
        await check_orders_and_activations_agree(office, first_come)
    async with open_office(RUSH, "penalty-policy") as office:
        by_penalty = await spend_a_day(office, "by penalty")
        await check_every_instance_ended(office)
        await check_orders_and_activations_agree(office, by_penalty)
        await check_the_queue_can_be_read(office, by_penalty)
        await check_a_decision_can_be_read(office, by_penalty)
    # The same luck in both: every order takes as long, whenever it comes.
    assert by_penalty.work == first_come.work
    assert len(first_come.books.closings) == len(by_penalty.books.closings) == RUSH.claims
    assert by_penalty.books.penalty < first_come.books.penalty
    # First come, first served never lets anybody pass.
    passed = [
        c for judgement in first_come.judgements for c in judgement.candidates if c.because == "LowerScore"
    ]
    assert passed == []


async def check_the_queue_can_be_read(office: Office, kept: Kept) -> None:
    queue = IRI(f"{office.base}{SCHEDULER}queue/")
    expected = sum(count for (service, _), count in kept.orders.items() if service == "expertise")
    last = kept.pages[-1]
    entries = [entry for entry in last.objects(queue, terms.CONTAINS) if isinstance(entry, IRI)]
    assert len(entries) == expected
    assert {last.value(entry, terms.STATUS) for entry in entries} == {IRI(SCHED + "Done")}
    crowded = max(kept.pages, key=lambda page: len(waiting_in(page)))
    ranks = sorted((rank, -score) for rank, score in waiting_in(crowded))
    assert [rank for rank, _ in ranks] == list(range(1, len(ranks) + 1))
    assert len(ranks) >= 2
    assert ranks == sorted(ranks, key=lambda place: place[1])
    for entry in entries:
        facts = await facts_at(office, entry.value)
        read = read_entry(facts, entry)
        assert (read.status, read.answer, read.order.method) == ("Done", 204, "POST")
        assert read.order.uri == f"{office.base}services/expertise"
        assert read.order.instance in office.processes
        assert read.order.activity.endswith("-claim#appraise")
        assert {*facts.objects(entry, RDF_TYPE)} == {IRI(SCHED + "Request"), IRI(HTTP + "Request")}
        assert facts.value(entry, terms.METHOD) == IRI(METHODS + "POST")


def waiting_in(page: Facts) -> list[tuple[int, float]]:
    """Return rank and score of the requests that wait."""
    pending = [*page.subjects(terms.STATUS, IRI(SCHED + "Pending"))]
    return [
        (int(number_of(page.value(entry, terms.RANK))), number_of(page.value(entry, terms.SCORE)))
        for entry in pending
    ]


def number_of(term: Term | None) -> float:
    assert isinstance(term, Literal)
    return float(term.lexical)


async def check_a_decision_can_be_read(office: Office, kept: Kept) -> None:
    scheduler = office.base + SCHEDULER
    listing = await facts_at(office, f"{scheduler}decisions/")
    decisions = [
        d for d in listing.objects(IRI(f"{scheduler}decisions/"), terms.CONTAINS) if isinstance(d, IRI)
    ]
    assert len(decisions) == sum(service == "expertise" for service, _ in kept.orders)
    selected: Counter[Term | None] = Counter()
    for decision in decisions:
        facts = await facts_at(office, decision.value)
        assert IRI(PROV + "Activity") in {*facts.objects(decision, RDF_TYPE)}
        association = facts.value(decision, terms.ASSOCIATION)
        assert association is not None
        assert facts.value(association, terms.AGENT) == IRI(f"{scheduler}#it")
        chosen = facts.value(decision, terms.SELECTED)
        selected[chosen] += 1
        scores = {
            facts.value(node, terms.CANDIDATE): number_of(facts.value(node, terms.SCORE))
            for node in facts.objects(decision, terms.ALTERNATIVE)
        }
        assert scores[chosen] == max(scores.values())
    assert set(selected.values()) == {1}
    assert any(c.because == "LowerScore" for judgement in kept.judgements for c in judgement.candidates)


async def test_a_day_is_the_same_however_often_it_is_played() -> None:
    days: list[object] = []
    for _ in range(2):
        async with open_office(FEW, "penalty-policy") as office:
            kept = await spend_a_day(office, "by penalty")
        times = [(one.claim.name, one.duration_s, one.penalty) for one in kept.books.closings]
        judged = [(one.at, [c.score for c in one.candidates]) for one in kept.judgements]
        days.append((times, kept.work, judged, len(kept.pages)))
    assert days[0] == days[1]
