"""Whatever happens to a model, checking it ends with findings that can be printed."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.codes import CODES
from agent.errors import describe_finding
from agent.gsm.check.checking import MAX_FINDINGS, check_texts
from agent.gsm.check.texts import ModelText
from tests.support.depth import depth
from tests.support.documents import CHECKOUT

MODELS = [
    CHECKOUT / "tests" / "conformance" / "check" / "good.ttl",
    CHECKOUT / "rules" / "examples" / "w8" / "model.ttl",
    CHECKOUT / "rules" / "examples" / "fire-alarm" / "fire-alarm.ttl",
]
PIECE = re.compile(r'"""|"[^"\n]*"|<[^>\s]*>|[\w:-]+|\s+|.', re.DOTALL)
ODD = (
    *(
        '"x"^^<http://www.w3.org/2001/XMLSchema#integer>',
        "()",
        "[]",
        '"\\u0000"',
        "_:b",
        "1e400",
        '"\u00e9"@en',
    ),
    *(
        "gsm:hasChildStage",
        "ag:ask",
        "sp:where",
        '"""ASK {}"""',
        "<urn:x>",
        "( _:c )",
        "true",
        "<http://[::1>",
    ),
)
PREFIXES = """
@prefix : <#> .
@prefix ag: <https://w3id.org/milepost/agent#> .
@prefix gsm: <http://purl.org/gsm/vocab#> .
@prefix http: <http://www.w3.org/2011/http#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix sp: <http://spinrdf.org/sp#> .
@prefix sr: <http://www.w3.org/2005/sparql-results#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""


def _codes(text: str) -> list[str]:
    findings = check_texts([ModelText(text, "model.ttl", "http://models.example/model.ttl")], verbose=True)
    assert len(findings) <= MAX_FINDINGS
    for finding in findings:
        assert finding.code in CODES
        assert finding.code in describe_finding(finding, 20)
        assert finding.place.line == 0 or finding.place.text[: finding.place.column - 1].isprintable()
    return [finding.code for finding in findings]


@settings(max_examples=depth(60, 3000), deadline=None)
@given(data=st.data(), model=st.sampled_from(MODELS))
def test_no_mutation_of_a_model_breaks_the_checker(data: st.DataObject, model: Path) -> None:
    pieces = PIECE.findall(model.read_text(encoding="utf-8"))
    at = st.integers(0, len(pieces) - 10)
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(at)
        match data.draw(st.sampled_from(("copy", "drop", "swap", "odd"))):
            case "copy":
                pieces[place] = pieces[data.draw(at)]
            case "drop":
                del pieces[place]
            case "swap":
                other = data.draw(at)
                pieces[place], pieces[other] = pieces[other], pieces[place]
            case _:
                pieces[place] = data.draw(st.sampled_from(ODD))

    _codes("".join(pieces))


HOSTILE = {
    "a chain of stages": (
        " ".join(f":s{n} gsm:hasChildStage :s{n + 1} ." for n in range(depth(300, 3000))),
        "GSM015",
    ),
    "a chain told by descendants": (
        " ".join(f":s{n} gsm:hasDescendantStage :s{n + 1} ." for n in range(depth(100, 390))),
        "GSM015",
    ),
    "a long circle": (
        " ".join(f":s{n} gsm:hasChildStage :s{(n + 1) % 300} ." for n in range(300)),
        "GSM019",
    ),
    "every stage inside every stage": (
        " ".join(f":s{n} gsm:hasChildStage :s{m} ." for n in range(30) for m in range(30)),
        "GSM019",
    ),
    "lists that bite their tails": (
        (
            ":s gsm:hasHttpRequest :r . :r http:headers _:l . _:l rdf:first [ http:fieldName 'A' ; http:fieldValue 'b' ] ;"
            " rdf:rest _:l . :s gsm:hasGuard :g . :g gsm:hasCondition :q . :q sp:where _:m . _:m rdf:first _:m ; rdf:rest _:m ."
        ),
        "GSM026",
    ),
    "lists inside lists": (
        f":s gsm:hasGuard :g . :g gsm:hasCondition :q . :q sp:where {'( ' * 3000}{') ' * 3000}.",
        "GSM026",
    ),
    "parts inside parts": (
        f":s gsm:hasGuard {'[ gsm:hasCondition ' * 300}1{']' * 300} .",
        "GSM027",
    ),
    "odd literals": (
        (
            ':s gsm:hasGuard :g . :g gsm:hasCondition :q . :q sr:boolean "maybe"^^xsd:boolean ; ag:source "x", 1 ;'
            ' ag:ask "ASK { ?x :y 1e999999999 }" , "x"^^rdf:XMLLiteral , "<a"^^rdf:HTML , "1"^^xsd:date , "\\u0000" .'
        ),
        "GSM014",
    ),
    "a body that never closes": (
        (
            ":s gsm:hasHttpRequest [ http:requestURI <x> ; http:headers ( [ http:fieldName 'Content-Type' ;"
            f" http:fieldValue 'text/turtle' ] ) ; http:body '''{'( ' * 5000}''' ] ."
        ),
        "GSM034",
    ),
    "a filter with many constants": (
        (
            ":s a gsm:Stage ; gsm:hasMilestone :m . :m gsm:hasAchievingSentry :a ; gsm:hasInvalidatingSentry :a . :a ag:ask "
            f"'ASK {{ {' '.join(f'<u:a> <u:p{n}> ?v{n} . FILTER(?v{n} != {n})' for n in range(30))} }}' ."
        ),
        "",
    ),
    "more faults than anybody reads": (" ".join(f":s{n} gsm:gaurd{n} :g ." for n in range(1100)), "GSM010"),
    "too many statements": (" ".join(f":s{n} :p {n} ." for n in range(10_001)), "GSM049"),
}


@pytest.mark.parametrize(("text", "code"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_models_end_with_findings(text: str, code: str) -> None:
    codes = _codes(PREFIXES + text)

    assert code in codes or (not code and not codes)
