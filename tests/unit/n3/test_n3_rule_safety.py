import pytest

from agent.n3.scopes import NOT_INCLUDES
from agent.rdf.terms import BlankNode, Formula, ListTerm, Triple, Variable
from tests.support.n3 import ex, findings, load_error, program


@pytest.mark.parametrize(
    "rule",
    [
        "{ ?x ex:p ?y } => { ?y ex:q ?x } .",
        "{ ?x ?p (1 ?y) } => { ?y ?p ?x } .",
        "{ ?x ex:p ?y . (?y 1) math:sum ?z . ?z math:lessThan 3 } => { ?x ex:q ?z } .",
        "{ ?z math:lessThan 3 . (?y 1) math:sum ?z . ?x ex:p ?y } => { ?x ex:q ?z } .",
        "{ ?x log:uri ?u . ?u log:equalTo ?v . ?s ex:p ?v } => { ?x ex:q ?s } .",
        "{ ?x ex:p [ ex:q ?y ] } => { ?x ex:r [ ex:s ?y ] } .",
        "{ ?x a ex:T . [] log:notIncludes { ?x ex:p ?any } } => { ?x a ex:Alone } .",
        "{ ?x a ex:T . [] log:notIncludes { ?x ex:p ?n . ?n math:greaterThan 3 } } => { ?x a ex:Small } .",
        "{ ?p a ex:Symmetric } => { { ?a ?p ?b } ex:alsoMeans { ?b ?p ?a } } .",
        "{ ?x log:implies ?y } => { ?x ex:leadsTo ?y } .",
        "{} => { ex:a ex:p ex:b } .",
        "true => { ex:a ex:p ex:b } .",
    ],
)
def test_a_safe_rule_is_accepted(rule: str) -> None:
    loaded = program(rule)
    assert (len(loaded.derivations), loaded.findings) == (1, ())


@pytest.mark.parametrize(
    ("rule", "message", "hint"),
    [
        (
            "{ ?x a ex:T } => { ?x ex:p ?y } .",
            "unexpected ?y in the head: the body does not bind it",
            "bind it by a pattern in the body",
        ),
        (
            "{ ?room a ex:T } => { ?rooom a ex:S } .",
            "unexpected ?rooom in the head: the body does not bind it",
            "did you mean ?room",
        ),
        (
            "{ ?x a ex:T . [] log:notIncludes { ?x ex:p ?y } } => { ?x ex:q ?y } .",
            "unexpected ?y in the head: the body does not bind it",
            "bind it by a pattern in the body",
        ),
        (
            "{ ?x a ex:T } => { [] http:mthd http_m:PUT ; http:requestURI ?x ; http:body { ?x ex:p ?v } } .",
            "unexpected ?v in the request: the body does not bind it",
            "bind it by a pattern in the body",
        ),
        (
            "{ [] http:mthd http_m:GET ; http:requestURI ?where }",
            "unexpected ?where in the request: the body does not bind it",
            "bind it by a pattern in the body",
        ),
        (
            "{ ?x a ex:T . ?y math:lessThan 3 } => { ?x a ex:S } .",
            "unexpected ?y as input of math:lessThan: nothing in the body binds it",
            "builtins compute from what patterns bind",
        ),
        (
            "{ (?a 1) math:sum ?b . (?b 1) math:sum ?a } => { ?a ex:p ?b } .",
            "unexpected ?a as input of math:sum: nothing in the body binds it",
            "builtins compute from what patterns bind",
        ),
        (
            "{ ?x a ex:T . [] log:notIncludes { ?z math:greaterThan 3 } } => { ?x a ex:S } .",
            "unexpected ?z as input of math:greaterThan: nothing in the body binds it",
            "builtins compute from what patterns bind",
        ),
    ],
)
def test_an_unsafe_rule_is_refused(rule: str, message: str, hint: str) -> None:
    error = load_error(rule)
    assert (error.code, error.message, error.hint) == ("ASM001", message, hint)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{ ?x ex:p ex:b } => { ?y ex:p ?x } .", ("ASM001", "?y")),
        ("{ ?x ex:p ex:b } => { ex:a ?y ?x } .", ("ASM001", "?y")),
        ("{ ?x ex:p ex:b } => { ?x is ex:p of ?y } .", ("ASM001", "?y")),
        ("{ ?x ex:p ex:b } => { ?x ex:p [ ?y 1 ] } .", ("ASM001", "?y")),
        ("{ ?x ex:p ex:b } => { (1 ?y)!ex:p ex:q ?x } .", ("ASM001", "(")),
        ("{ ?x ex:p ?v . ?v math:greaterThen 3 } => { ?x a ex:Hot } .", ("N3010", "math:greaterThen")),
        (
            "@prefix e: <http://eulersharp.sourceforge.net/2003/03swap/log-rules#> . { ?l e:length ?n } => { ?l ex:q ?n } .",
            ("N3010", "e:length"),
        ),
        ("{ ?x ex:p ?v . ?w math:greaterThan 3 } => { ?x a ex:Hot } .", ("ASM001", "?w")),
        ("?z ex:p ex:b .", ("N3009", "?z")),
        (
            "{ ?x ex:p ?v } => { _:r http:mthd http_m:PUT ; http:requestURI ?x ; http:body { ?w ex:q 1 } } .",
            ("ASM001", "?w"),
        ),
    ],
)
def test_a_fault_is_shown_at_the_part_of_the_triple_that_is_wrong(text: str, found: tuple[str, str]) -> None:
    assert findings(text) == [found]


def test_every_unbound_variable_is_reported_once_where_it_first_stands() -> None:
    found = findings(
        "{ ?x a ex:T } =>\n{ [] http:mthd http_m:PUT ; http:requestURI ?u ;\n http:body { ?x ex:p ?v, ?u . ?v a ?w } } ."
    )
    assert found == [("ASM001", "?u"), ("ASM001", "?v"), ("ASM001", "?w")]


def test_a_misspelt_builtin_is_refused_in_a_body_and_left_alone_as_data() -> None:
    error = load_error("{ ?x ex:p ?y . ?y math:lesThan 3 } => { ?x a ex:S } .")
    assert (error.code, error.message, error.hint) == (
        "N3010",
        "expected a builtin, got math:lesThan, which is none",
        "did you mean lessThan?",
    )
    assert findings("{ ?x a ex:T . [] log:notIncludes { ?x string:startWith ?x } } => { ?x a ex:S } .") == [
        ("N3010", "{")
    ]
    assert len(program("ex:swap math:lesThan 3 . { ?x a ex:T } => { ?x list:apend (1) } .").facts) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ex:a => false .", [("N3008", "false")]),
        ("ex:a => { ex:a a ex:T } .", [("N3008", "{")]),
        ("{ ex:a a ex:T } => ?x .", [("N3008", "?x")]),
        ("ex:a ex:p ?x .", [("N3009", "?x")]),
        ("ex:a ex:p (1 ?x) .\n?y ex:p ?z .", [("N3009", "("), ("N3009", "?z")]),
    ],
)
def test_what_has_no_meaning_in_a_program_is_refused(text: str, found: list[tuple[str, str]]) -> None:
    assert findings(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "{ ex:a ex:p ex:b } .",
        "ex:a .",
        "{} .",
        "{ ?x a ex:T } => {} .",
        "{ ?x a ex:T } => { { ?y ex:p ?x } => { ?y ex:q ?x } } .",
    ],
)
def test_a_statement_that_says_nothing_is_a_warning(text: str) -> None:
    loaded = program(text)
    assert [(finding.severity, finding.code) for finding in loaded.findings] == [("warning", "N3012")]
    assert (loaded.facts, loaded.requests) == ((), ())


def test_blank_nodes_of_a_body_become_variables_and_those_of_a_head_stay() -> None:
    [rule] = program(
        "{ ?x ex:p _:a, (_:a []) . [] log:notIncludes { _:b ex:q ?x } } => { ?x ex:r _:a } ."
    ).derivations
    first, listed, negated = (pattern.triple for pattern in rule.body)
    node = first.object
    assert isinstance(node, Variable)
    assert isinstance(listed.object, ListTerm)
    assert listed.object.items[0] == node
    assert isinstance(listed.object.items[1], Variable)
    assert isinstance(negated.subject, BlankNode)
    assert negated.predicate == NOT_INCLUDES
    assert isinstance(negated.object, Formula)
    assert isinstance(negated.object.triples[0].subject, Variable)
    assert rule.head[0].triple == Triple(Variable("x"), ex("r"), rule.head[0].triple.object)
    assert isinstance(rule.head[0].triple.object, BlankNode)


def test_rules_are_named_after_the_line_they_begin_on() -> None:
    loaded = program(
        "{ ?x a ex:A }\n=> { ?x a ex:B } . { ?x a ex:B } => { ?x a ex:C } . { ?x a ex:D } <= { ?x a ex:C } .\n"
        "{ ?x a ex:D } => { ?x a ex:E } ."
    )
    assert [(rule.name, str(rule.place)) for rule in (*loaded.derivations, *loaded.backward)] == [
        ("program.n3:2", "program.n3:2:1"),
        ("program.n3:3", "program.n3:3:20"),
        ("program.n3:4", "program.n3:4:1"),
        ("program.n3:3.2", "program.n3:3:53"),
    ]
