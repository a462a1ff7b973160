"""Who leaves a living memory, and who comes, changes the lists of what is concluded."""

from agent.gsm.standing import StandingConclusions
from agent.gsm.terms import ASK, IS_INSTANCE_OF, IS_RUNNING, USES_SENTRY
from agent.rdf.terms import IRI, TRUE, Literal, Triple
from agent.reason.facts import Facts
from agent.reason.join import Numbers

INSTANT = "2026-01-05T12:00:00.000Z"
ROOT, SENTRY = IRI("http://w/model#r"), IRI("http://w/model#q")
INSTANCES = ("http://w/s/i1#it", "http://w/s/i2#it")


def change(memory: Facts, *triples: Triple, goes: bool = False) -> list[Numbers]:
    intern = memory.table.intern
    facts = [(intern(s), intern(p), intern(o)) for s, p, o in triples]
    for fact in facts:
        assert memory.remove(*fact) if goes else memory.insert(*fact)
    return facts


def running(instance: str) -> Triple:
    return Triple(IRI(instance), IS_RUNNING, TRUE)


def test_an_instance_that_ends_is_concluded_about_no_more() -> None:
    memory = Facts()
    standing = StandingConclusions(memory, ["http://w/s/"])
    gained = change(
        memory,
        Triple(ROOT, USES_SENTRY, SENTRY),
        Triple(SENTRY, ASK, Literal("ASK { ?thisArtifactInstance <http://w/p> true }")),
        *(Triple(IRI(instance), IS_INSTANCE_OF, ROOT) for instance in INSTANCES),
        *(Triple(IRI(instance), IRI("http://w/p"), TRUE) for instance in INSTANCES),
        running(INSTANCES[0]),
        running(INSTANCES[1]),
    )
    triples, values = standing.conclude({}, INSTANT, gained, ())
    assert [(value.instance, value.value) for value in values] == [(each, "true") for each in INSTANCES]
    assert len(triples) == 6
    assert standing.conclude({}, INSTANT, (), ())[1] is values

    lost = change(memory, running(INSTANCES[0]), goes=True)
    triples, values = standing.conclude({}, INSTANT, (), lost)
    assert [value.instance for value in values] == [INSTANCES[1]]
    assert len(triples) == 3

    lost = change(memory, running(INSTANCES[1]), goes=True)
    assert standing.conclude({}, INSTANT, (), lost) == ([], [])

    gained = change(memory, running(INSTANCES[0]))
    assert [value.instance for value in standing.conclude({}, INSTANT, gained, ())[1]] == [INSTANCES[0]]
