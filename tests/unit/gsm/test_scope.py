"""Which statements of a document count."""

from agent.gsm.scope import PROTECTED, admit, is_member
from agent.gsm.terms import MARKS
from agent.rdf.documents import Content, parse_document
from agent.rdf.terms import IRI, TRUE, Triple
from agent.vocab import AG, GSM, XSD
from tests.support.gsm import CONTAINER, PREFIXES


def content(uri: str, text: str, *, tainted: bool = False) -> Content:
    document = parse_document((PREFIXES + text).encode(), "text/turtle", uri, strict=True)
    return Content(uri, document.uri, document.triples, "", "", ("line 9: skipped",) if tainted else ())


def admitted(uri: str, text: str, *, tainted: bool = False) -> tuple[set[tuple[str, str]], int]:
    """Return local names of predicate and object of what counts, and how much does not."""
    triples, dropped = admit(content(uri, text, tainted=tainted), [CONTAINER], [])
    return {(short(t.predicate), short(t.object)) for t in triples}, dropped


def short(term: object) -> str:
    return (
        term.value.rpartition("#")[2].rpartition("/")[2]
        if isinstance(term, IRI)
        else getattr(term, "lexical", "_")
    )


def test_status_counts_about_the_document_itself_in_a_status_container() -> None:
    said = "<#it> gsm:hasState gsm:active ; gsm:inArtifactInstance <i#it> ; ag:activation 1 ."
    expected = {("hasState", "active"), ("inArtifactInstance", "it"), ("activation", "1")}
    assert admitted(CONTAINER + "d", said) == (expected, 0)
    assert admitted("http://w/sensor", said) == (set(), 3)
    assert admitted(CONTAINER + "deeper/d", said) == (set(), 3)


def test_marks_count_where_status_counts_and_nowhere_else() -> None:
    marks = "ag:isPaused true ; ag:isParked 'why' ; ag:isCancelled true ; ag:isRetried true ; ag:isDone 1"
    said = f"<#it> {marks}, true ."
    expected = {
        ("isPaused", "true"),
        ("isParked", "why"),
        ("isCancelled", "true"),
        ("isRetried", "true"),
        ("isDone", "true"),
        ("isDone", "1"),
    }
    assert admitted(CONTAINER + "d", said) == (expected, 0)
    assert admitted("http://w/sensor", said) == (set(), 6)
    assert admitted(CONTAINER + "d", f"<{CONTAINER}victim#it> {marks} .") == (set(), 5)
    assert {AG + name for name in MARKS} <= PROTECTED


def test_status_about_another_document_never_counts() -> None:
    said = (
        f"<{CONTAINER}other#it> gsm:hasState gsm:active ; a gsm:ArtifactInstance . _:b gsm:isAchieved true ."
    )
    assert admitted(CONTAINER + "d", said) == (set(), 3)


def test_an_instance_named_by_itself_keeps_status_outside_the_containers() -> None:
    document = content("http://w/mine", "<#it> a gsm:ArtifactInstance ; gsm:hasState gsm:active .")
    triples, dropped = admit(document, [CONTAINER], ["http://w/mine#it"])
    assert dropped == 0
    assert Triple(IRI("http://w/mine#it"), IRI(AG + "inDocument"), IRI("http://w/mine")) in triples


def test_conclusions_never_count_even_about_the_document_itself() -> None:
    said = (
        "<#it> ag:isExecuted true ; ag:mayActivate true ; ag:container <./> ; gsm:allAncestorsActive true ; "
        "ag:inDocument <x> ; gsm:hasAchievedMilestone <m> ; ag:holdsIn <x> ; "
        "gsm:hasArtifactInstanceRelativeResult <r> ."
    )
    assert admitted(CONTAINER + "d", said) == (set(), 8)


def test_models_and_sentries_count_only_where_they_are_described() -> None:
    assert admitted("http://w/sensor", f"<{CONTAINER}m#s> gsm:hasGuard <#g> ; ag:ask 'ASK {{}}' .") == (
        set(),
        2,
    )
    assert admitted("http://w/sensor", f"<{CONTAINER}m#q> sr:boolean true .") == (set(), 1)
    own = "<#s> gsm:hasGuard [ gsm:hasCondition [ sr:boolean true ] ] ."
    assert admitted("http://w/model", own)[1] == 0


def test_data_always_counts() -> None:
    said = "<http://elsewhere/x> e:p 1 ; a e:Thing . e:Thing <http://www.w3.org/2000/01/rdf-schema#subClassOf> e:T ."
    assert admitted("http://w/sensor", said)[1] == 0


def test_only_a_container_lists_its_members() -> None:
    said = f"<{CONTAINER}> <http://www.w3.org/ns/ldp#contains> <{CONTAINER}d> ."
    assert admitted("http://w/sensor", said)[1] == 1
    assert admitted(CONTAINER, said)[1] == 0


def test_the_pattern_form_of_sentries_counts_in_models() -> None:
    said = "<#q> sp:where ( [ gsm:inArtifactInstance gsm:thisArtifactInstance ; gsm:hasAchievedMilestone <#m> ] ) ."
    assert admitted("http://w/model", said)[1] == 0


def test_booleans_of_status_are_written_one_way() -> None:
    triples, _ = admit(
        content(CONTAINER + "d", f'<#it> gsm:isAchieved "1"^^<{XSD}boolean> .'), [CONTAINER], []
    )
    assert [t.object for t in triples] == [TRUE]
    paused, _ = admit(content(CONTAINER + "d", f'<#it> ag:isPaused "1"^^<{XSD}boolean> .'), [CONTAINER], [])
    assert [t.object for t in paused] == [TRUE]


def test_what_a_tainted_document_describes_is_marked() -> None:
    found, _ = admitted(CONTAINER + "d", "<#it> gsm:hasState gsm:active .", tainted=True)
    assert found == {("hasState", "active"), ("isTainted", "true")}
    assert admitted("http://w/sensor", "<#it> e:p 1 .", tainted=True)[0] == {("p", "1")}


def test_members_lie_directly_in_the_container() -> None:
    names = ["http://w/s/a", "http://w/s/a/", "http://w/s/", "http://w/s/a/b", "http://w/sa", "http://x/s/a"]
    assert [is_member(name, CONTAINER) for name in names] == [True, True, False, False, False, False]


def test_status_and_conclusions_are_protected_from_rules_with_a_variable_predicate() -> None:
    assert {GSM + "hasState", GSM + "hasGuard", AG + "isExecuted", AG + "activation"} <= PROTECTED
