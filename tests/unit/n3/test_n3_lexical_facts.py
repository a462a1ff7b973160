"""The small habits of public ASM4LD programs, each in a text of our own."""

import pytest

from agent.n3.load import read_program
from agent.n3.program import Program
from agent.rdf.terms import IRI, Triple, Variable
from tests.support.n3 import BASE, ex, program, triples


def _summary(loaded: Program) -> tuple[int, int, int]:
    return len(loaded.facts), len(loaded.derivations), len(loaded.requests)


@pytest.mark.parametrize(
    "text",
    [
        "{?x a ex:Lamp.}=>{?x a ex:Device.}.",
        "{?x a ex:Lamp}=>{?x a ex:Device}.",
        "{ ?x a ex:Lamp .}\n=>\n{ ?x a ex:Device .} .",
        "{?x a ex:Lamp}=>\n{?x a ex:Device}.",
        "\t{\t?x\ta\tex:Lamp\t}\t=>\t{\t?x\ta\tex:Device\t}\t.\t",
        "{ ?x a ex:Lamp . }\r\n=>\r\n{ ?x a ex:Device . } .\r\n",
        "# first\n{ # in\n ?x a ex:Lamp ; # after ;\n . # end\n } => { ?x a ex:Device . } . # last, no newline",
        "# <http://e/#f> { ( [ \" ' \n{ ?x a ex:Lamp . } => { ?x a ex:Device . } .",
        "{ ?x a ex:Lamp ; . } => { ?x a ex:Device ;; } .",
        "{ ?x a ex:Lamp } log:implies { ?x a ex:Device } .",
        "{ ?x a ex:Device } <= { ?x a ex:Lamp } .",
        "{ ?x a ex:Device } log:isImpliedBy { ?x a ex:Lamp } .",
        "{ ?x a ex:Device }<={ ?x a ex:Lamp }.",
    ],
)
def test_every_layout_of_a_rule_reads_as_the_same_rule(text: str) -> None:
    read = program(text)
    [rule] = read.derivations + read.backward
    lamp = Triple(Variable("x"), IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"), ex("Lamp"))
    assert [pattern.triple for pattern in rule.body] == [lamp]
    assert [pattern.triple for pattern in rule.head] == [lamp._replace(object=ex("Device"))]


def test_a_name_or_variable_before_a_dot_does_not_swallow_it() -> None:
    assert triples("ex:arm ex:uses ex:gripper.\nex:gripper ex:is ?x.ex:a ex:b ex:c.") == [
        Triple(ex("arm"), ex("uses"), ex("gripper")),
        Triple(ex("gripper"), ex("is"), Variable("x")),
        Triple(ex("a"), ex("b"), ex("c")),
    ]


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    loaded = read_program("\ufeff:a :b :c .", source="f", base=BASE)
    assert loaded.facts == (Triple(IRI(f"{BASE}#a"), IRI(f"{BASE}#b"), IRI(f"{BASE}#c")),)


def test_names_with_digits_and_underscores_and_long_object_lists_are_read() -> None:
    rooms = [f"ex:Room_SOR42_F_{number}" for number in range(34)]
    facts = program(f"ex:Floor_2 ex:has_rooms {' , '.join(rooms)} .").facts
    assert [fact.object for fact in facts] == [ex(f"Room_SOR42_F_{number}") for number in range(34)]


def test_the_default_prefix_may_be_given_a_second_meaning_for_the_text_below() -> None:
    first, second = triples(":a :a :a . @prefix : <http://two/> . :a :a :a .")
    assert {*first, *second} == {IRI(f"{BASE}#a"), IRI("http://two/a")}


def test_a_program_for_lamps_in_rooms_is_read_statement_by_statement() -> None:
    loaded = program(
        """
        # what is where
        ex:lamp_1 ex:standsIn ex:Room_1 ; ex:reading "0.60"^^xsd:double .

        { [] http:mthd http_m:GET ; http:requestURI <http://b.example/> . }
        { [] http:mthd http_m:GET ; http:requestURI <http://b.example/clock> . }

        { ?l ex:standsIn ?r . } => { ?r ex:holds ?l . } .
        { ?r ex:holds ?l . } => { _:h http:mthd http_m:GET ; http:requestURI ?l . } .
        { ?l ex:reading ?v . ?v math:notLessThan "0.5"^^xsd:double .
          ?l ex:switch ?s . }
        =>
        { _:h http:mthd http_m:PUT ;
              http:requestURI ?s ;
              http:body { ?s ex:state "off" . } . } .
        { [] http:mthd http_m:DELETE ; http:requestURI <http://b.example/old> }
        """
    )
    assert _summary(loaded) == (2, 1, 5)
    assert [(rule.name, rule.is_retrieval) for rule in loaded.requests] == [
        ("program.n3:6", True),
        ("program.n3:7", True),
        ("program.n3:10", True),
        ("program.n3:11", False),
        ("program.n3:17", False),
    ]
    assert loaded.findings == ()


@pytest.mark.parametrize(
    ("after", "requests", "facts"),
    [
        ("", 1, 0),
        (".", 1, 0),
        ("{ [] http:mthd http_m:GET ; http:requestURI <v> . }", 2, 0),
        ("@prefix q: <#> .", 1, 0),
        ("PREFIX q: <#>", 1, 0),
        ("[ ex:p ex:o ] .", 1, 1),
        ("_:b ex:p ex:o .", 1, 1),
        ("(1) ex:p ex:o .", 1, 3),
        ('"s" ex:p ex:o .', 1, 1),
        ("ex:p ex:o .", 0, 1),
        ("?p ex:o .", 0, 1),
        ("<p> ex:o .", 0, 1),
        ("a ex:o .", 0, 1),
        ("= ex:o .", 0, 1),
        ("is ex:p of ex:o .", 0, 1),
        ("has ex:p ex:o .", 0, 1),
        ("<- ex:p ex:o .", 0, 1),
    ],
)
def test_a_formula_alone_ends_unless_a_verb_may_follow(after: str, requests: int, facts: int) -> None:
    bare = "{ [] http:mthd http_m:GET ; http:requestURI <u> . } "
    if "?p" in after:
        assert len(triples(bare + after)) == facts
        return
    loaded = program(bare + after)
    assert (len(loaded.requests), len(loaded.facts)) == (requests, facts)


def test_http_words_in_bodies_and_payloads_and_lists_in_payloads_are_data() -> None:
    loaded = program(
        "{ ?r http:mthd ?m ; http:requestURI ?u } => { ?r a ex:Described } ."
        "{ ?r a ex:Described ; http:requestURI ?u } => { [] http:mthd http_m:PUT ; http:requestURI ?u ;"
        " http:body { ?r http:mthd http_m:POST ; http:requestURI ?u . ex:swap list:append (1 2) } } ."
    )
    assert _summary(loaded) == (0, 1, 1)
    [template] = loaded.requests[0].requests
    assert template.method == IRI("http://www.w3.org/2011/http-methods#PUT")
    assert len(getattr(template.body, "triples", ())) == 3
