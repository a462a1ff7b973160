"""How workflows take part in a step: what they admit, what they need, what they conclude."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from agent.rdf.documents import Content, Outcome
from agent.rdf.terms import IRI, TRUE, Triple
from agent.reason.facts import Facts
from agent.vocab import SR
from tests.support.plans import W, get, plan
from tests.support.world import INSTANT, FakeWorld

V = W + "vocab#"
CLAIM = IRI(V + "claim")
NEEDS = IRI(V + "needs")
HOLDS = Triple(IRI(W + "result"), IRI(SR + "boolean"), TRUE)
ACT = (
    "{ ?r sr:boolean true } => { ?r :fires true } .\n"
    "{ ?r :fires true } => { [] http:mthd m:PUT ; http:requestURI w:ok ; http:body { ?r :fires true } } .\n"
)


@dataclass(frozen=True, slots=True)
class Value:
    sentry: str
    instance: str
    value: str
    reads_time: bool = False
    reason: str = ""


@dataclass(slots=True)
class Doorkeeper:
    """Admits no claims, needs what ``needs`` says, and concludes what it is told, noting what it was given."""

    value: str = "true"
    reads_time: bool = False
    protected: frozenset[str] = frozenset({V + "fires"})
    seen: list[tuple[list[str], dict[str, str], str]] = field(default_factory=list)

    def admit(self, content: Content) -> tuple[tuple[Triple, ...], int]:
        kept = tuple(triple for triple in content.triples if triple.predicate != CLAIM)
        return kept, len(content.triples) - len(kept)

    def sources(self, facts: Facts) -> Iterable[str]:
        for triple in facts.match(None, NEEDS, None):
            if isinstance(triple.object, IRI):
                yield triple.object.value

    def conclude(
        self, facts: Facts, outcomes: Mapping[str, Outcome], instant: str
    ) -> tuple[list[Triple], list[Value]]:
        claims = [str(triple) for triple in facts.match(None, CLAIM, None)]
        kinds = {uri: type(outcome).__name__ for uri, outcome in outcomes.items()}
        self.seen.append((claims, kinds, instant))
        return ([HOLDS] if self.value == "true" else []), [Value("q", "i", self.value, self.reads_time)]


def test_what_is_not_admitted_is_counted_and_what_is_needed_is_read_in_the_same_step() -> None:
    keeper = Doorkeeper()
    world = FakeWorld(
        {
            W + "a": f"<> <{V}claim> 1 ; <{V}needs> <{W}b#it> .",
            W + "b": f"<> <{V}claim> 1 , 2 ; <{V}needs> <{W}c> .",
        },
        get_faults={W + "c": 503},
    )
    report = world.step(plan(get(W + "a") + ACT, workflows=keeper))
    assert world.gets == [W + "a", W + "b", W + "c"]
    assert report.not_admitted == 3
    assert keeper.seen == [([], {W + "a": "Content", W + "b": "Content", W + "c": "Failed"}, INSTANT)]
    assert [uri for _, uri, _ in world.wire] == [W + "ok"]
    assert [value.value for value in report.sentries] == ["true"]


def test_an_unknown_sentry_keeps_a_step_from_being_quiet() -> None:
    report = FakeWorld({}).step(plan(ACT, workflows=Doorkeeper("unknown")))
    assert (report.requests, report.quiet, report.quiet_reason) == ((), "unsettled", "unknown: q for i")
    assert FakeWorld({}).step(plan(ACT, workflows=Doorkeeper("not true"))).quiet == "quiet"


def test_a_quiet_step_says_what_may_change_with_time_alone() -> None:
    report = FakeWorld({}).step(plan(ACT, workflows=Doorkeeper("not true", reads_time=True)))
    assert (report.quiet, report.quiet_reason) == ("quiet", "quiet now, time-dependent: q for i")


def test_a_rule_with_a_variable_as_predicate_derives_nothing_protected() -> None:
    forge = "w:x :says :fires . w:x :of w:victim .\n{ ?x :says ?p ; :of ?y } => { ?y ?p true } .\n"
    world = FakeWorld({})
    world.step(plan(forge + ACT, workflows=Doorkeeper("not true")))
    assert world.sends == []
    world.step(plan(forge + ACT))
    assert len(world.sends) == 1
