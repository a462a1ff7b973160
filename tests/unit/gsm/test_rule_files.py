"""The shipped rules, ontologies and examples: they load, they name only known terms, they say what they need."""

import re

import pytest
import rdflib

from agent.gsm.ruleset import CORE, EVERY, LIFECYCLE, lifecycle_rules
from agent.gsm.scope import PROTECTED
from agent.n3.load import read_program
from agent.n3.program import Program
from agent.rdf.terms import IRI
from agent.resources import bundled_names, read_bundled
from agent.runtime.doubts import doubtful_rules
from agent.runtime.plan import CAUTIOUS, StepPlan
from agent.vocab import AG, GSM
from tests.support.documents import CHECKOUT
from tests.support.gsm import CONTAINER, MODEL, small_world, status

RULES = [name for folder in ("core", "gsm") for name in bundled_names(f"rules/{folder}", ".n3")]


def terms_of(namespace: str) -> set[str]:
    """Return the local names that the ontologies describe, each with a label and a comment."""
    found = set()
    for name in ("ontology/gsm.ttl", "ontology/agent.ttl"):
        graph = rdflib.Graph().parse(data=read_bundled(name), format="turtle")
        for subject in set(graph.subjects(rdflib.RDF.type, None)):
            if str(subject).startswith(namespace):
                assert graph.value(subject, rdflib.RDFS.label), subject
                assert graph.value(subject, rdflib.RDFS.comment), subject
                found.add(str(subject).removeprefix(namespace))
    return found


def test_the_lifecycle_loads_every_file_of_rules_that_is_not_for_others() -> None:
    own = {f"rules/core/{name}.n3" for name in CORE} | {
        f"rules/gsm/{name}.n3" for name in (*LIFECYCLE, EVERY)
    }
    assert own == {name for name in RULES if "/plain/" not in name}


@pytest.mark.parametrize("name", RULES)
def test_a_file_of_rules_loads_without_findings(name: str) -> None:
    program = read_program(read_bundled(name), source=name, base=f"http://rules/{name}")
    assert program.findings == ()
    assert program.derivations or program.requests


@pytest.mark.parametrize(("prefix", "namespace"), [("gsm", GSM), ("ag", AG)])
def test_every_term_in_rules_and_examples_is_described(prefix: str, namespace: str) -> None:
    names = [*bundled_names("rules", ".n3"), *bundled_names("rules", ".ttl")]
    used = {term for name in names for term in re.findall(rf"\b{prefix}:(\w+)", read_bundled(name))}
    own_spelling = {
        "ask",
        "hasUnachievedMilestone",
        "hasActiveStage",
        "hasInactiveStage",
        "MileStoneInstance",
    }
    accepted = own_spelling if prefix == "gsm" else set()
    assert used - terms_of(namespace) <= accepted


@pytest.mark.parametrize(("prefix", "namespace"), [("gsm", GSM), ("ag", AG)])
def test_the_reference_explains_every_term_in_the_words_of_the_ontology(prefix: str, namespace: str) -> None:
    page = (CHECKOUT / "docs/reference/gsm-vocabulary.md").read_text(encoding="utf-8")
    graph = rdflib.Graph()
    for name in ("ontology/gsm.ttl", "ontology/agent.ttl"):
        graph.parse(data=read_bundled(name), format="turtle")
    for term in terms_of(namespace):
        comment = graph.value(rdflib.URIRef(namespace + term), rdflib.RDFS.comment)
        assert f"| `{prefix}:{term}` | {comment} |" in page


def test_what_our_rules_conclude_is_protected_from_everybody_else() -> None:
    concluded = {
        pattern.triple.predicate.value
        for rule in lifecycle_rules().derivations
        for pattern in rule.head
        if isinstance(pattern.triple.predicate, IRI)
    }
    own = {predicate for predicate in concluded if predicate.startswith((AG, GSM))}
    assert own - PROTECTED == set()


def test_a_failed_document_keeps_no_lifecycle_rule_from_acting() -> None:
    """Whatever is not known of an instance blocks it; a sensor that does not answer must not."""
    assert doubtful_rules(lifecycle_rules(), CAUTIOUS) == frozenset()


def test_no_status_is_written_without_keeping_the_rest_of_its_document() -> None:
    keep = IRI(AG + "keep")
    create = IRI(AG + "createOnly")
    for rule in lifecycle_rules().requests:
        for template in rule.requests:
            if not rule.is_retrieval and template.like is None:
                assert {keep, create} & {predicate for predicate, _ in template.annotations}, rule.name


def test_the_rules_for_other_interpreters_run_a_workflow_to_its_end() -> None:
    model = """<#r> a gsm:Stage ; gsm:hasChildStage <#s> ; gsm:hasMilestone <#mr> .
        <#s> a gsm:Stage ; gsm:hasGuard [ gsm:hasCondition <#q> ] ; gsm:hasMilestone <#m> ;
            gsm:hasHttpRequest [ http:mthd httpm:POST ; http:requestURI </task> ; http:body "go" ] .
        <#q> a sp:Ask ; sp:where ( [ sp:subject <env#x> ; sp:predicate e:p ; sp:object 1 ] ) .
        <#m> gsm:hasAchievingSentry [ a sp:Ask ; sp:where () ] .
        <#mr> gsm:hasAchievingSentry [ a sp:Ask ; sp:where (
            [ gsm:inArtifactInstance gsm:thisArtifactInstance ; gsm:hasAchievedMilestone <#m> ] ) ] ."""
    world = small_world(model, "<#x> e:p 1 .")
    program = Program()
    for name in ("retrieval", "setup", "sentries", "lifecycle"):
        text = read_bundled(f"rules/gsm/plain/{name}.n3").replace("http://ldpc.example/", CONTAINER)
        assert AG not in text
        program += read_program(text, source=name, base=MODEL)
    for _ in range(3):
        world.step(StepPlan(program))
    achieved = {uri: text for uri, text in world.state() if 'isAchieved> "true"' in text}
    assert len(achieved) == 1
    assert [send.uri for send in world.sends].count("http://w/task") == 1
    world.step(StepPlan(program))
    assert status(world)["r"] == "inactive"
    assert world.step(StepPlan(program)).requests == ()
