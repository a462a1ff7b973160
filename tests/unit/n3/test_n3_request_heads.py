import pytest

from agent.n3.program import RequestTemplate
from agent.rdf.terms import IRI, Formula, Literal, Term, Variable
from agent.vocab import AG, METHODS
from tests.support.n3 import ex, findings, program

RULE = "{{ ?x a ex:T ; ex:p ?y }} => {{ {} }} ."


def _templates(head: str) -> list[RequestTemplate]:
    return [template for rule in program(RULE.format(head)).requests for template in rule.requests]


def _parts(template: RequestTemplate) -> tuple[Term | None, ...]:
    return template.method, template.uri, template.body, template.like


@pytest.mark.parametrize("node", ["[]", "_:h", "<#r>"])
def test_a_request_is_read_whatever_its_node_is(node: str) -> None:
    [template] = _templates(f"{node} http:mthd http_m:PUT ; http:requestURI ?x ; http:body ?y .")
    assert _parts(template) == (IRI(METHODS + "PUT"), Variable("x"), Variable("y"), None)


def test_method_and_literal_body_may_be_anything_that_can_become_one() -> None:
    [template] = _templates('[] http:mthd ?y ; http:requestURI <#u> ; http:body "off" .')
    assert _parts(template) == (
        Variable("y"),
        IRI("http://example.org/app/program.n3#u"),
        Literal("off"),
        None,
    )


def test_an_empty_formula_is_a_body_and_no_body_is_none() -> None:
    with_body, without = _templates(
        "_:a http:mthd http_m:PUT ; http:requestURI ?x ; http:body {} ."
        " _:b http:mthd http_m:POST ; http:requestURI ?x ."
    )
    assert (with_body.body, without.body) == (Formula(()), None)


def test_other_statements_about_the_request_are_annotations_and_its_class_is_not() -> None:
    [template] = _templates(
        "_:h a http:Request, ex:Urgent ; http:mthd http_m:DELETE ; http:requestURI ?x ; ag:unit ?y ; ag:rank 2 ."
    )
    assert template.annotations == (
        (IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"), ex("Urgent")),
        (IRI(AG + "unit"), Variable("y")),
        (IRI(AG + "rank"), Literal("2", "http://www.w3.org/2001/XMLSchema#integer")),
    )


def test_a_request_like_another_has_no_parts_of_its_own() -> None:
    [template] = _templates("_:q ag:likeRequest ?y ; ag:unit ?x .")
    assert _parts(template) == (None, None, None, Variable("y"))
    assert template.annotations == ((IRI(AG + "unit"), Variable("x")),)


def test_header_fields_come_singly_or_in_a_list_of_nodes() -> None:
    [template] = _templates(
        '[] http:mthd http_m:GET ; http:requestURI ?x ; http:fieldName "Authorization" ; http:fieldValue ?y ;'
        ' http:headers ( [ http:fieldName "A" ; http:fieldValue "1" ]'
        ' [ a http:RequestHeader ; http:fieldName "B" ; http:fieldValue ?y ] ) .'
    )
    assert template.headers == (
        (Literal("Authorization"), Variable("y")),
        (Literal("A"), Literal("1")),
        (Literal("B"), Variable("y")),
    )
    assert template.annotations == ()


def test_reads_and_writes_of_one_head_become_two_rules() -> None:
    loaded = program(
        RULE.format(
            "_:a http:mthd http_m:GET ; http:requestURI ?x . _:b http:mthd http_m:PUT ; http:requestURI ?y ."
            "_:c http:mthd http_m:GET ; http:requestURI ?y ."
        )
    )
    assert [(rule.name, rule.is_retrieval, len(rule.requests)) for rule in loaded.requests] == [
        ("program.n3:2", True, 2),
        ("program.n3:2.2", False, 1),
    ]


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ("_:h http:mthd http_m:PUT, http_m:POST ; http:requestURI ?x .", [("ASM012", "http_m:POST")]),
        ("_:h http:mthd http_m:PUT ; http:requestURI ?x, ?y .", [("ASM012", "?y")]),
        ("_:h http:mthd http_m:PUT ; http:requestURI ?x ; http:body ?x, ?y .", [("ASM012", "?y")]),
        ("_:h http:mthd http_m:PUT .", [("ASM010", "http_m:PUT")]),
        ('_:h http:mthd http_m:PUT ; http:requestURI "u" .', [("ASM010", '"u"')]),
        ("_:h http:mthd http_m:PUT ; http:requestURI [] .", [("ASM010", "[")]),
        ("_:h http:mthd http_m:PUTT ; http:requestURI ?x .", [("ASM014", "http_m:PUTT")]),
        ('_:h http:mthd "PUT" ; http:requestURI ?x .', [("ASM014", '"PUT"')]),
        ("_:h http:mthd http_m:GET ; http:requestURI ?x ; http:body {} .", [("ASM015", "{")]),
        ("_:h http:mthd http_m:DELETE ; http:requestURI ?x ; http:body ?y .", [("ASM015", "?y")]),
        ("_:h http:mthd http_m:PUT ; http:requestURI ?x ; http:body <#b> .", [("ASM015", "<#b>")]),
        ("_:h http:mthd http_m:PUT ; ag:likeRequest ?x .", [("ASM013", "http_m:PUT")]),
        ("_:h http:mthd http_m:PUT ; http:requestURI ?x . ?x a ex:Sent .", [("ASM011", "ex:Sent")]),
        ('_:h http:mthd http_m:PUT ; http:requestURI ?x ; http:fieldName "A" .', [("ASM016", '"A"')]),
        ("_:h http:mthd http_m:PUT ; http:requestURI ?x ; http:headers ( ?y ) .", [("ASM016", "(")]),
        (
            '_:h http:mthd http_m:PUT ; http:requestURI ?x ; http:headers [ http:fieldName "A" ; ex:p ?y ] .',
            [("ASM016", '"A"'), ("ASM016", "?y")],
        ),
    ],
)
def test_a_faulty_request_is_refused_at_the_term_that_is_wrong(
    head: str, found: list[tuple[str, str]]
) -> None:
    assert findings(RULE.format(head)) == found
