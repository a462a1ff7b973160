"""The four values of a sentry, in every form a sentry has, by running steps over a fake world."""

import pytest
from msgspec.structs import replace

from agent.n3.load import read_program
from agent.rdf.endpoints import construct_uri
from tests.support.gsm import CONTAINER, ENVIRONMENT, PREFIXES, every, single, small_world, status
from tests.support.world import FakeWorld

UNACHIEVED = "sp:subject gsm:thisArtifactInstance ; sp:predicate ag:hasUnachievedMilestone ; sp:object <#m>"


def one_stage(sentry: str, more: str = "") -> str:
    """Return a model of one stage below the root that opens by ``sentry``, a node with its properties."""
    return f"""<#r> a gsm:Stage ; gsm:hasChildStage <#s> ; ag:source <env> .
        <#s> a gsm:Stage ; gsm:hasMilestone <#m> ; gsm:hasGuard [ gsm:hasCondition <#q> ] .
        <#q> {sentry} . {more}"""


def value_in(world: FakeWorld, *, instance: str = "i1") -> tuple[str, str]:
    """Set up, then return value and reason of the sentry as evaluated in the second step."""
    if world.step(every()).quiet == "quiet":
        pytest.fail("nothing was set up")
    return again(world, instance=instance)


def again(world: FakeWorld, *, instance: str = "i1") -> tuple[str, str]:
    report = world.step(every())
    assert report.failure is None
    found = [v for v in report.sentries if v.instance == f"{CONTAINER}{instance}#it"]
    assert len(found) == 1
    return found[0].value, getattr(found[0], "reason", "")


ASKS_ENVIRONMENT = "ASK { <env#x> e:p 1 }"
PREFIX = "PREFIX e: <http://e/> "


@pytest.mark.parametrize(
    "sentry",
    [
        f'ag:ask "{PREFIX}{ASKS_ENVIRONMENT}"',
        f'gsm:ask "{PREFIX}{ASKS_ENVIRONMENT}"',
        f'sp:text "{PREFIX}{ASKS_ENVIRONMENT}"',
        f'sh:ask "{ASKS_ENVIRONMENT}" ; sh:prefixes [ sh:declare [ sh:prefix "e" ; sh:namespace "http://e/" ] ]',
        "sp:where ( [ sp:subject <env#x> ; sp:predicate e:p ; sp:object 1 ] )",
        f"sp:where ( [ sp:subject <env#x> ; sp:predicate e:p ; sp:object 1 ] [ {UNACHIEVED} ] )",
        f"sp:where ( [ {UNACHIEVED} ] [ sp:subject <env#x> ; sp:predicate e:p ; sp:object 1 ] )",
        'sp:where ( [ sp:subject <env#x> ; sp:predicate e:p ; sp:object [ sp:varName "v" ] ] )',
        'sp:where ( [ sp:subject [ sp:varName "s" ] ; sp:predicate e:p ; sp:object 1 ] )',
    ],
)
def test_every_form_of_a_sentry_is_true_exactly_when_it_holds(sentry: str) -> None:
    world = small_world(one_stage(sentry), "<#x> e:p 2 .")
    value, _ = value_in(world)
    if "varName" in sentry and "object 1" not in sentry:
        assert value == "true"
        return
    assert value == "not true"
    world.put(ENVIRONMENT, "<#x> <http://e/p> 1 .")
    assert again(world) == ("true", "")
    assert status(world)["s"] == "active"


@pytest.mark.parametrize(
    "sentry",
    [
        "sp:where ()",
        "sr:boolean true",
        "sp:where ( [ sr:boolean true ] )",
        "sp:where ( [ gsm:inArtifactInstance gsm:thisArtifactInstance ; ag:hasUnachievedMilestone <#m> ] )",
        "sp:where ( [ gsm:inArtifactInstance gsm:thisArtifactInstance ; gsm:hasUnachievedMilestone <#m> ] )",
        'ag:ask "ASK { ?thisArtifactInstance ag:hasInactiveStage <#s> ; gsm:hasActiveStage <#r> }"',
        'ag:ask "PREFIX gsm: <http://purl.org/gsm/vocab#> ASK { gsm:thisArtifactInstance gsm:hasUnachievedMilestone <#m> }"',
    ],
)
def test_sentries_about_nothing_or_the_own_status_are_true_at_once(sentry: str) -> None:
    assert value_in(small_world(one_stage(sentry))) == ("true", "")


@pytest.mark.parametrize(
    ("sentry", "reason"),
    [
        ('ag:ask "ASK { e:x ?p ?o }"', "1:7: the prefix e: is not declared; add PREFIX e: <...>"),
        ('ag:ask "ASK { ?s ?p "', "1:13: the query ends too early"),
        ("e:label 'no form'", "nothing says what it asks: no ag:ask, sh:ask, sp:text or sp:where"),
        (
            "sp:where ( [ a sp:Filter ] )",
            "sp:where holds something else than triple patterns; write the sentry with ag:ask",
        ),
        (
            'sp:where ( [ sp:subject [ sp:varName "a ?b ?c } #" ] ; sp:predicate e:p ; sp:object 1 ] )',
            'sp:varName "a ?b ?c } #" is no name of a variable',
        ),
        ("sp:where <#cell> . <#cell> e:p 1", "the list of sp:where is broken: it does not come to its end"),
    ],
)
def test_a_broken_sentry_says_why(sentry: str, reason: str) -> None:
    assert value_in(small_world(one_stage(sentry))) == ("broken", reason)


def test_of_several_conditions_one_is_enough_even_beside_a_broken_one() -> None:
    model = one_stage(
        "ag:ask 'ASK {'", "<#s> gsm:hasGuard [ gsm:hasCondition <#always> ] . <#always> sp:where () ."
    )
    world = small_world(model)
    world.step(every())
    assert sorted(v.value for v in world.step(every()).sentries) == ["broken", "true"]
    assert status(world)["s"] == "active"


ABSENCE = f'ag:ask "{PREFIX}ASK {{ FILTER NOT EXISTS {{ ?door e:open true }} }}"'
PRESENCE = f'ag:ask "{PREFIX}ASK {{ ?door e:open true }}"'


def test_with_negation_a_failed_source_makes_a_sentry_unknown_and_nothing_happens() -> None:
    world = small_world(one_stage(ABSENCE), "<#d> e:open false .")
    world.step(every())
    world.get_faults[ENVIRONMENT] = 503
    assert again(world) == ("unknown", f"not known: {ENVIRONMENT}")
    assert status(world)["s"] == "inactive"
    del world.get_faults[ENVIRONMENT]
    assert again(world) == ("true", "")
    assert status(world)["s"] == "active"


def test_without_negation_a_sentry_is_true_whatever_failed_and_else_unknown() -> None:
    world = small_world(one_stage(PRESENCE, "<#r> ag:source <other> ."), "<#d> e:open true .")
    world.step(every())
    world.get_faults["http://w/other"] = 503
    assert again(world) == ("true", "")
    world.put(ENVIRONMENT, "")
    assert again(world) == ("unknown", "not known: http://w/other")


def test_a_source_that_is_gone_is_known_to_be_empty() -> None:
    world = small_world(one_stage(ABSENCE))
    del world.pages[ENVIRONMENT]
    assert value_in(world) == ("true", "")


def test_a_tainted_source_counts_as_not_known() -> None:
    world = small_world(one_stage(ABSENCE))
    world.put(ENVIRONMENT, "<#d> <http://e/open> false . <#d> <http://e/p> oops . <#d> <http://e/q> 1 .")
    assert value_in(world)[0] == "unknown"


def test_the_author_can_narrow_what_a_sentry_depends_on() -> None:
    narrowed = ABSENCE + " ; ag:dependsOn <env>"
    world = small_world(one_stage(narrowed, "<#r> ag:source <other> ."))
    world.step(every())
    world.get_faults["http://w/other"] = 503
    assert again(world) == ("true", "")
    world = small_world(one_stage(narrowed))
    world.step(every())
    world.get_faults[ENVIRONMENT] = 503
    assert again(world)[0] == "unknown"


@pytest.mark.parametrize("name", ["i2", "i2.", "newcomer", "picture.png"])
@pytest.mark.parametrize("fault", [503, b"<#it> <http://e/p> oops . <#it> <http://e/q> 1 .", b"\x89PNG"])
def test_other_instances_are_out_of_scope(name: str, fault: int | bytes) -> None:
    """A root, an element, and members that may be anything: instance i1 goes on without them."""
    world = small_world(one_stage(ABSENCE), instances=("i1", "i2"))
    for other in ("newcomer", "picture.png"):
        world.put(CONTAINER + other, "")
    world.step(every())
    world.get_faults[next(uri for uri in world.pages if uri.startswith(CONTAINER + name))] = fault
    report = world.step(every())
    assert [v.value for v in report.sentries if v.instance == f"{CONTAINER}i1#it"] == ["true"]
    assert status(world)["s"] == "active"


@pytest.mark.parametrize(
    "naming",
    [
        "<#s> ag:source <s/door> .",
        "<#s> ag:source <s/> .",
        '<#s> gsm:hasGuard [ gsm:hasCondition [ ag:ask "ASK { <s/door> <http://e/p> 9 }" ] ] .',
        "<#s> gsm:hasGuard [ gsm:hasCondition [ sp:where ( [ sp:subject <s/door> ; sp:predicate e:p ; sp:object 9 ] ) ] ] .",
        "<#q> ag:source [ a ag:SparqlSource ; ag:endpoint <s/door> ; ag:construct 'CONSTRUCT WHERE {}' ] .",
    ],
)
def test_data_beside_instances_are_in_scope_when_a_model_names_them(naming: str) -> None:
    world = small_world(one_stage(ABSENCE, naming))
    world.put(f"{CONTAINER}door", "<> <http://e/open> true .")
    world.step(every())
    for uri in (f"{CONTAINER}door", construct_uri(f"{CONTAINER}door", "CONSTRUCT WHERE {}")):
        world.get_faults[uri] = 503
    assert "true" not in {value.value for value in world.step(every()).sentries}
    assert status(world)["s"] == "inactive"


def test_an_instance_that_waits_for_another_has_it_in_scope() -> None:
    asks = 'ag:ask "ASK { FILTER NOT EXISTS { <s/i2#it> <http://e/done> true } }"'
    world = small_world(one_stage(asks), instances=("i1", "i2"))
    world.step(every())
    world.get_faults[f"{CONTAINER}i2"] = 503
    assert again(world) == ("unknown", f"not known: {CONTAINER}i2")


def test_documents_that_a_program_asks_for_are_in_scope_wherever_they_are() -> None:
    """Of a single instance: the container is not read for it, so a member that is read is there for its data."""
    world = small_world(one_stage(ABSENCE))
    world.put(f"{CONTAINER}door", "<> <http://e/open> true .")
    world.step(single("i1"))
    world.get_faults[f"{CONTAINER}door"] = 503
    text = f"{PREFIXES}{{ [] http:mthd httpm:GET ; http:requestURI <{CONTAINER}door> . }}"
    plan = single("i1")
    plan = replace(plan, program=plan.program + read_program(text, source="p", base="http://w/p"))
    assert [value.value for value in world.step(plan).sentries] == ["unknown"]


def test_sentries_are_evaluated_for_each_instance_by_itself() -> None:
    asks = 'ag:ask "PREFIX e: <http://e/> ASK { <env#x> e:chooses ?thisArtifactInstance }"'
    world = small_world(one_stage(asks), f"<#x> e:chooses <{CONTAINER}i2#it> .", instances=("i1", "i2"))
    world.step(every())
    values = {v.instance.rpartition("/")[2]: v.value for v in world.step(every()).sentries}
    assert values == {"i1#it": "not true", "i2#it": "true"}


def test_what_a_sentry_names_is_retrieved_and_the_magic_name_is_not() -> None:
    model = """<#r> a gsm:Stage ; gsm:hasChildStage <#s> ; ag:source <c/> . <#s> a gsm:Stage ; gsm:hasGuard [
        gsm:hasCondition [ sp:where ( [ sp:subject </spin#x> ; sp:predicate e:p ; sp:object </no> ]
                                      [ sp:subject gsm:thisArtifactInstance ; sp:predicate e:p ; sp:object 1 ] ) ] ,
                         [ ag:ask "ASK { </text#x> ?p gsm:thisArtifactInstance GRAPH </graph> { ?a ?b ?c } }" ;
                           ag:source </said> ] ] ."""
    world = small_world(model)
    world.put("http://w/c/member", "")
    world.put("http://w/c/", "<> <http://www.w3.org/ns/ldp#contains> <member> .")
    world.step(single("i1"))
    named = ("spin", "text", "graph", "said", "c/", "c/member")
    assert set(world.gets) == {"http://w/model", CONTAINER + "i1", *(f"http://w/{name}" for name in named)}


def test_graph_and_from_see_documents_as_they_were_retrieved() -> None:
    rdfs = "<http://www.w3.org/2000/01/rdf-schema#subPropertyOf>"
    asks = f'ag:ask "{PREFIX}ASK {{ GRAPH <env> {{ ?x e:p ?y }} ?x e:q ?y }}"'
    assert value_in(small_world(one_stage(asks), f"<#x> e:p 1 . e:p {rdfs} e:q ."))[0] == "true"
    asks = f'ag:ask "{PREFIX}ASK FROM <env> {{ ?x e:q ?y }}"'
    assert value_in(small_world(one_stage(asks), f"<#x> e:p 1 . e:p {rdfs} e:q ."))[0] == "not true"


def test_a_value_tells_that_it_depends_on_the_time() -> None:
    asks = 'ag:ask "ASK { FILTER (NOW() > \\"2024-01-01T00:00:00Z\\"^^xsd:dateTime) }"'
    world = small_world(one_stage(asks))
    world.step(every())
    (value,) = world.step(every()).sentries
    assert (value.value, getattr(value, "reads_time", None)) == ("true", True)
