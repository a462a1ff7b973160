"""Values that look right and mean nothing: each is told once, with what to write instead."""

import pytest

from agent.errors import Finding
from agent.gsm.check.checking import check_texts
from agent.gsm.check.texts import ModelText

_PREFIXES = """@prefix : <#> .
@prefix ag: <https://w3id.org/milepost/agent#> .
@prefix gsm: <http://purl.org/gsm/vocab#> .
@prefix http: <http://www.w3.org/2011/http#> .
@prefix httpm: <http://www.w3.org/2011/http-methods#> .
"""


def _findings(model: str) -> list[Finding]:
    text = _PREFIXES + model
    return list(check_texts([ModelText(text, "m.ttl", "http://example.org/m.ttl")]))


def _told(model: str) -> list[tuple[str, str]]:
    return [(finding.severity, finding.code) for finding in _findings(model)]


def test_a_text_as_class_is_told_and_taken_as_the_class_that_was_meant() -> None:
    (finding,) = _findings(':s a "stage" ; gsm:hasMilestone [ gsm:hasAchievingSentry [ ag:ask "ASK {}" ] ] .')

    assert (finding.severity, finding.code, finding.place.line, finding.hint) == (
        *("error", "GSM014", 6),
        "did you mean gsm:Stage?",
    )


@pytest.mark.parametrize("source", ["[]", "()", "(())", "( <http://example.org/d> )"])
def test_a_source_that_is_no_document_is_told(source: str) -> None:
    assert _told(f":s a gsm:Stage ; ag:source {source} .") == [("error", "GSM014")]


def test_documents_and_endpoints_are_sources() -> None:
    endpoint = '[ a ag:SparqlSource ; ag:endpoint <e> ; ag:construct "CONSTRUCT {} {}" ]'

    assert _told(f":s a gsm:Stage ; ag:source <http://example.org/d>, {endpoint} .") == []


@pytest.mark.parametrize("filter_", ["?x > '45'", "?x<= ' 4.5e1'", "'-3' >= ?x"])
def test_a_number_in_quotation_marks_has_no_order_to_a_number(filter_: str) -> None:
    assert ("warning", "GSM036") in _told(_milestone(filter_))


@pytest.mark.parametrize(
    "filter_", ["?x = '45'", "?x > 45", "?x > '45'^^<urn:m>", "?x > 'four'", "?x != '4'"]
)
def test_other_comparisons_are_no_slips(filter_: str) -> None:
    assert ("warning", "GSM036") not in _told(_milestone(filter_))


def _milestone(filter_: str) -> str:
    query = f"ASK {{ <http://example.org/d> <http://example.org/p> ?x FILTER({filter_}) }}"
    return f':s a gsm:Stage ; gsm:hasMilestone [ gsm:hasAchievingSentry [ ag:ask """{query}""" ] ] .'


@pytest.mark.parametrize(
    ("request_", "told", "hint"),
    [
        ("http:mthd httpm:GET ; http:requestURI <d>", ("error", "GSM032"), "ag:source"),
        (
            "http:mthd httpm:PUT ; http:requestURI <http://u:p@h/>",
            ("error", "GSM033"),
            "MILEPOST_CREDENTIALS",
        ),
        (
            "http:mthd httpm:POST ; http:requestURI <d> ; http:headers [ http:fieldName 'A' ; http:fieldValue 'b' ]",
            ("warning", "GSM035"),
            "( [ ... ] )",
        ),
    ],
)
def test_a_request_that_works_otherwise_than_it_looks_is_told(
    request_: str, told: tuple[str, str], hint: str
) -> None:
    (finding,) = _findings(f":s a gsm:Stage ; gsm:hasHttpRequest [ {request_} ] .")

    assert (finding.severity, finding.code) == told
    assert hint in finding.hint


def test_a_request_outside_of_tasks_may_be_a_get() -> None:
    assert _told(":s a gsm:Stage . [] a http:Request ; http:mthd httpm:GET ; http:requestURI <d> .") == []


def test_the_name_of_the_asking_instance_in_shacl_leads_to_ours() -> None:
    query = "ASK { $this <http://example.org/p> 1 }"
    model = f':s a gsm:Stage ; gsm:hasMilestone [ gsm:hasAchievingSentry [ ag:ask "{query}" ] ] .'
    (finding,) = _findings(model)

    assert (finding.code, "?thisArtifactInstance" in finding.hint) == ("GSM025", True)


def test_a_circle_of_stages_is_told_once() -> None:
    assert _told(":a gsm:hasChildStage :b . :b gsm:hasChildStage :a .") == [("error", "GSM019")]


def test_a_query_in_the_place_of_a_sentry_is_to_be_written_into_one() -> None:
    (finding,) = _findings(
        ':s a gsm:Stage ; gsm:hasGuard [ gsm:hasCondition "ASK {}" ] ; gsm:hasChildStage :t .'
        ' :t gsm:hasGuard [ gsm:hasCondition [ ag:ask "ASK {}" ] ] .'
    )

    assert (finding.code, finding.hint) == ("GSM014", 'write [ ag:ask "..." ]')
