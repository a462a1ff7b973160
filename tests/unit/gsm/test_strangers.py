"""What documents say about workflows that are not theirs changes nothing: ontologies, sources, members, instances."""

from collections.abc import Callable, Iterable

import pytest
import rdflib
from rdflib.compare import to_canonical_graph

from agent.rdf.serialise import to_ntriples
from agent.rdf.terms import Triple
from agent.runtime.plan import StepPlan
from agent.vocab import XSD
from tests.support.gsm import (
    CONTAINER,
    ENVIRONMENT,
    MODEL,
    PREFIXES,
    element_document,
    every,
    single,
    small_world,
    status,
)
from tests.support.world import FakeWorld

ME = f"{CONTAINER}i1#it"
STAGE = f"{element_document(CONTAINER, ME, MODEL + '#s')}#it"
MODEL_TEXT = """<#r> a gsm:Stage ; gsm:hasChildStage <#s> ; ag:source <env> , <page> .
    <#s> a gsm:Stage ; gsm:hasGuard [ gsm:hasCondition <#g> ] ; gsm:hasMilestone <#m> ; gsm:hasHttpRequest <#task> .
    <#task> http:mthd httpm:POST ; http:requestURI </inbox> ; http:body "go" .
    <#g> ag:ask "ASK { ?thisArtifactInstance ag:hasUnachievedMilestone <#m> }" .
    <#m> gsm:hasAchievingSentry [ ag:ask "ASK { <env#x> <http://e/done> true }" ] ;
        gsm:hasInvalidatingSentry [ ag:ask "ASK { <env#x> <http://e/undone> true }" ] ."""
MORE_PREFIXES = """@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix ldp: <http://www.w3.org/ns/ldp#> .
    @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
"""
ATTACKS = {
    "same as": f"<{ME}> owl:sameAs <{CONTAINER}i2#it> . <{CONTAINER}i2#it> owl:sameAs <{ME}> .",
    "subproperties": f"""e:p rdfs:subPropertyOf gsm:hasState , gsm:isAchieved , ag:isExecuted , ag:mayActivate ,
        http:requestURI , http:mthd , http:body , ag:source . <{ME}> e:p gsm:inactive . <{STAGE}> e:p true .""",
    "domains": f"""e:p rdfs:domain gsm:ArtifactInstance ; rdfs:range gsm:Stage . <{CONTAINER}i2#it> e:p <{STAGE}> .
        e:label rdfs:domain gsm:StageInstance , ag:Latched .""",
    "subclasses": "gsm:Stage rdfs:subClassOf gsm:ArtifactInstance , ag:Latched . gsm:ArtifactInstance rdfs:subClassOf gsm:Stage .",
    "inverses": f"""gsm:inArtifactInstance owl:inverseOf e:has . <{ME}> e:has <http://w/victim#v> .
        gsm:hasState owl:inverseOf e:of . gsm:active e:of <{STAGE}> . gsm:hasChildStage a owl:SymmetricProperty .
        gsm:hasChildStage owl:inverseOf e:under . <#x> e:under <{MODEL}#r> .""",
    "vocabulary": """rdf:type rdfs:subPropertyOf gsm:isInstanceOf . rdfs:subPropertyOf rdfs:subPropertyOf rdfs:subPropertyOf .
        gsm:hasGuard rdfs:subPropertyOf gsm:hasMilestone . gsm:hasState rdfs:subPropertyOf rdf:type .""",
    "requests": f"""<#one> http:mthd httpm:DELETE ; http:requestURI <{STAGE}> .
        [] http:mthd httpm:PUT ; http:requestURI <{CONTAINER}i2> ; http:body "x" .""",
    "names of everybody": f"""rdf:nil rdf:first 1 ; rdf:rest rdf:nil ; ag:isFulfilled true . ag:thisStep ag:instant "1999" .
        gsm:thisArtifactInstance a gsm:ArtifactInstance ; ag:isExecuted true ; gsm:isInstanceOf <{MODEL}#r> .""",
    "containers": f"""<{CONTAINER}> ag:executesMembers true ; ldp:contains <http://w/victim> .
        <http://w/victim> ag:retrieveMembers true ; ldp:contains <http://w/other> .""",
    "annotations": f"<{MODEL}#task> ag:unit <{ME}> ; ag:precedence 99 ; ag:last true ; http:mthd httpm:DELETE .",
    "a stage from below": f"""<#x> a gsm:Stage ; gsm:hasAncestorStage <{MODEL}#r> ; gsm:hasGuard [ gsm:hasCondition
        [ sp:where () ] ] ; gsm:hasHttpRequest [ http:mthd httpm:DELETE ; http:requestURI </victim> ] .""",
    "another text of a sentry": f"""@prefix sh: <http://www.w3.org/ns/shacl#> . <{MODEL}#g> sh:ask "ASK {{}}" ;
        sh:prefixes <#more> . e:p rdfs:subPropertyOf sh:ask . <{MODEL}#g> e:p "ASK {{ ?s ?p ?o }}" .""",
    "a nameless stage from below": f"[] a gsm:Stage ; gsm:hasAncestorStage <{MODEL}#s> .",
    "a model around ours": f"""<#x> a gsm:Stage ; gsm:hasChildStage <{MODEL}#r> , <{MODEL}#s> , <#y> . <#y> a gsm:Stage ;
        gsm:hasChildStage <{MODEL}#s> ; gsm:hasMilestone <{MODEL}#m> .""",
}


def course(text: str, place: str, plan: Callable[[], StepPlan]) -> tuple[object, set[str]]:
    """Run five steps with ``text`` in the document ``place``; return all that was sent and whom was asked."""
    world = small_world(MODEL_TEXT, instances=("i1", "i2"))
    world.put("http://w/victim", "<#v> <http://e/p> 1 .")
    world.put("http://w/page", "")
    world.put(f"{CONTAINER}member", "")
    world.put(place, PREFIXES + MORE_PREFIXES + text)
    blocked: list[str] = []
    for number in range(5):
        world.put(ENVIRONMENT, "<#x> <http://e/done> true ." if number > 2 else "")
        report = world.step(plan())
        assert report.failure is None
        assert not [get for get in report.gets if get.skipped], (
            "the attack itself is not what it was meant to be"
        )
        blocked += report.blocked
    return (sorted(world.wire), blocked), set(world.gets)


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize(
    ("place", "plan"), [("http://w/page", lambda: single("i1")), (f"{CONTAINER}member", every)]
)
def test_hostile_documents_change_nothing_that_is_sent_or_asked(
    attack: str, place: str, plan: Callable[[], StepPlan]
) -> None:
    sent, asked = course(ATTACKS[attack], place, plan)
    assert (sent, asked) == course("", place, plan)


def test_a_hostile_instance_keeps_two_others_from_nothing() -> None:
    """Its model wraps theirs, asks what cannot be asked, and has a task that writes to one of them."""
    world = small_world(MODEL_TEXT, instances=("i1", "i2"))
    world.put("http://w/page", "")
    world.put(
        f"{CONTAINER}i3",
        f"""{PREFIXES}<#it> a gsm:ArtifactInstance ; gsm:hasState gsm:uninitialized ; gsm:isInstanceOf </evil#r> ;
        gsm:inArtifactInstance <{ME}> . <#two> a gsm:ArtifactInstance ; gsm:isInstanceOf <{MODEL}#r> , </evil#r> .""",
    )
    world.put(
        "http://w/evil",
        f"""{PREFIXES}<#r> a gsm:Stage ; gsm:hasChildStage <#a> , <{MODEL}#r> , <{MODEL}#s> .
        <#a> a gsm:Stage ; gsm:hasChildStage <#a> , <{MODEL}#s> ; gsm:hasGuard [ gsm:hasCondition [ ag:ask "ASK {{" ] ,
        [ sp:where 1 ] , [ ag:ask "ASK {{ SERVICE <x> {{}} }}" ] ] ; gsm:hasMilestone <{MODEL}#m> .
        <{MODEL}#m> gsm:hasInvalidatingSentry [ sp:where () ] . <{MODEL}#s> gsm:hasHttpRequest <#r> .""",
    )
    for number in range(5):
        world.put(ENVIRONMENT, "<#x> <http://e/done> true ." if number > 2 else "")
        report = world.step(every())
        assert report.failure is None
        assert {uri for uri in report.blocked if "i3" not in uri} == set()
    for name in ("i1", "i2"):
        assert status(world, name) == {"r": "active", "s": "inactive", "m": "true"}
    assert [send.uri for send in world.sends].count("http://w/inbox") == 2


FOREIGN = f"""<#it> e:label "x"@en-GB , "y"^^e:type , "1"^^<{XSD}boolean> , 1.0 , 01 , "a\\nb" ; a e:Thing ;
    e:list ( 1 [ e:p () ] <../up> ) . <#other> e:p <> . [] e:p _:z . _:z e:q _:z .
    <http://elsewhere/x> gsm:hasState gsm:active ."""


def kept(triples: Iterable[Triple]) -> set[object]:
    """Return the triples that no lifecycle rule writes, with blank nodes named by what they are."""
    graph = to_canonical_graph(rdflib.Graph().parse(data=to_ntriples(triples), format="nt"))
    written = ("hasState", "isAchieved", "activation")
    return {t for t in graph if not (str(t[1]).endswith(written) and str(t[0]).startswith(CONTAINER))}


def test_foreign_triples_survive_set_up_achievement_invalidation_and_the_next_activation() -> None:
    world = small_world(MODEL_TEXT)
    world.put("http://w/page", "")
    world.step(single("i1"))
    documents = [uri for uri in world.pages if uri.startswith(CONTAINER)]
    for uri in documents:
        world.put(uri, f"{world.pages[uri].body.decode()}\n{PREFIXES}{FOREIGN}")
    before = {uri: kept(world.triples(uri)) for uri in documents}
    first = len(world.sends)
    for said in ("", "<#x> <http://e/done> true .", "<#x> <http://e/undone> true .", ""):
        world.put(ENVIRONMENT, said)
        world.step(single("i1"))
    written = [send.uri for send in world.sends[first:]]
    stage, milestone = (
        element_document(CONTAINER, ME, *(f"{MODEL}#{n}" for n in names)) for names in ("s", "sm")
    )
    assert written == [stage, "http://w/inbox", stage, milestone, milestone, stage, "http://w/inbox"]
    assert {uri: kept(world.triples(uri)) for uri in documents} == before


def test_a_boolean_in_the_other_spelling_is_understood_and_written_as_usual() -> None:
    world: FakeWorld = small_world(MODEL_TEXT, "<#x> <http://e/undone> true .")
    world.put("http://w/page", "")
    world.step(single("i1"))
    milestone = element_document(CONTAINER, ME, f"{MODEL}#s", f"{MODEL}#m")
    world.put(milestone, world.pages[milestone].body.decode().replace('"false"', '"1"'))
    report = world.step(single("i1"))
    assert (report.blocked, [send.uri for send in world.sends][-1]) == ((), milestone)
    assert '"false"' in world.pages[milestone].body.decode()
