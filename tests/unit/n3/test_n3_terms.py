import pytest

from agent.errors import ProgramError
from agent.n3.load import read_model
from agent.n3.parser import parse
from agent.n3.write import write_triples
from agent.rdf.terms import (
    IRI,
    RDF_FIRST,
    RDF_NIL,
    RDF_REST,
    RDF_TYPE,
    BlankNode,
    Formula,
    ListTerm,
    Literal,
    Triple,
    Variable,
)
from agent.vocab import LOG
from tests.support.n3 import BASE, PREFIXES, SOURCE, ex, object_of, syntax_error, triples


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("ex:a ex:p ex:b, ex:c ; ex:q ex:d ;; .", "ex:a ex:p ex:b . ex:a ex:p ex:c . ex:a ex:q ex:d ."),
        ("ex:a a ex:T .", "ex:a <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> ex:T ."),
        ("ex:a = ex:b .", "ex:a <http://www.w3.org/2002/07/owl#sameAs> ex:b ."),
        ("ex:a => ex:b .", "ex:a log:implies ex:b ."),
        ("ex:a <= ex:b .", "ex:a log:isImpliedBy ex:b ."),
        ("ex:a has ex:p ex:b .", "ex:a ex:p ex:b ."),
        ("ex:a is ex:p of ex:b, ex:c .", "ex:b ex:p ex:a . ex:c ex:p ex:a ."),
        ("ex:a <- ex:p ex:b ; ex:q ex:c .", "ex:b ex:p ex:a . ex:a ex:q ex:c ."),
        ("ex:a!ex:p ex:q ex:b .", "ex:a ex:p _:x . _:x ex:q ex:b ."),
        ("ex:a^ex:p ex:q ex:b .", "_:x ex:p ex:a . _:x ex:q ex:b ."),
        ("ex:a ex:q ex:b!ex:p^ex:r .", "ex:b ex:p _:x . _:y ex:r _:x . ex:a ex:q _:y ."),
        ("ex:a ex:m!ex:inv ex:b .", "ex:m ex:inv _:x . ex:a _:x ex:b ."),
        ("(ex:a!ex:p ex:b) ex:q ex:c .", "ex:a ex:p _:x . (_:x ex:b) ex:q ex:c ."),
        ("ex:a ex:p [] .", "ex:a ex:p _:x ."),
        ("ex:a ex:p [ ex:q ex:b ; ex:r ex:c ] .", "_:x ex:q ex:b . _:x ex:r ex:c . ex:a ex:p _:x ."),
        ("[ ex:p ex:a ] .", "_:x ex:p ex:a ."),
        ("[ ex:p ex:a ] ex:q ex:b .", "_:x ex:p ex:a . _:x ex:q ex:b ."),
        ("ex:a [ ex:p ex:b ] ex:c .", "_:x ex:p ex:b . ex:a _:x ex:c ."),
        ("ex:a ex:p [ id ex:i ex:q ex:b ] .", "ex:i ex:q ex:b . ex:a ex:p ex:i ."),
        ("[ id <http://e/> ex:q ex:b ] .", "<http://e/> ex:q ex:b ."),
        ('"text" ex:p 5 .', '"text" ex:p 5 .'),
        ("ex:a ex:p {ex:b ex:q ex:c} .", "ex:a ex:p { ex:b ex:q ex:c . } ."),
        ("() ex:p {} .", "() ex:p { } ."),
        ("?s ?p ?o .", "?s ?p ?o ."),
        ("ex:a ex:p ?x-1, ?Été .", "ex:a ex:p ?x-1 . ex:a ex:p ?Été ."),
    ],
)
def test_both_spellings_mean_the_same(text: str, same: str) -> None:
    assert write_triples(triples(text)) == write_triples(triples(same))


def test_lists_are_terms_and_the_empty_list_is_nil() -> None:
    assert object_of("(1 (ex:a ?x) ())") == ListTerm(
        (
            Literal("1", "http://www.w3.org/2001/XMLSchema#integer"),
            ListTerm((ex("a"), Variable("x"))),
            RDF_NIL,
        )
    )


def test_a_label_means_one_node_in_a_formula_with_its_lists_and_brackets() -> None:
    listed, nested, _ = triples("_:h ex:p (_:h) . ex:a ex:p [ ex:q _:h ] .")
    node = BlankNode("b0", BASE)
    assert listed == Triple(node, ex("p"), ListTerm((node,)))
    assert nested == Triple(BlankNode("b1", BASE), ex("q"), node)


def test_a_label_means_another_node_in_every_formula() -> None:
    outside, both = triples("_:h ex:p ex:a . { _:h ex:p _:h } ex:q { _:h ex:p _:h } .")
    assert isinstance(both.subject, Formula)
    assert isinstance(both.object, Formula)
    left, right = both.subject.triples[0], both.object.triples[0]
    assert (left.subject, right.subject) == (left.object, right.object)
    assert len({outside.subject, left.subject, right.subject}) == 3


def test_blank_nodes_of_a_document_are_numbered_in_the_order_of_the_text() -> None:
    first, second, third, fourth = (BlankNode(f"b{number}", BASE) for number in range(4))
    assert triples("_:zebra ex:p [] . [] ex:p _:ant .") == [
        Triple(first, ex("p"), second),
        Triple(third, ex("p"), fourth),
    ]


def test_paths_belong_to_the_formula_in_which_they_stand() -> None:
    [triple] = triples("ex:a ex:says { ?x!ex:p ex:q ?y } .")
    assert isinstance(triple.object, Formula)
    step, statement = triple.object.triples
    assert step == Triple(Variable("x"), ex("p"), statement.subject)
    assert statement[1:] == (ex("q"), Variable("y"))


def test_quantifiers_make_variables_and_blank_nodes_of_names_in_the_rest_of_their_formula() -> None:
    text = "ex:x ex:p ex:x . @forAll ex:x, ex:y . @forSome ex:z . ex:x ex:p { ex:y ex:p ex:z } . ex:z ex:p ex:w ."
    before, rule, blank = triples(text)
    assert before == Triple(ex("x"), ex("p"), ex("x"))
    assert isinstance(rule.subject, Variable)
    assert rule.subject.name.startswith("__x")
    assert isinstance(rule.object, Formula)
    assert isinstance(rule.object.triples[0].subject, Variable)
    assert blank.subject == rule.object.triples[0].object
    assert isinstance(blank.subject, BlankNode)


@pytest.mark.parametrize("text", ["@forAll :x .", "@forSome :x .", "{ :a :b :c }"])
def test_quantifiers_and_formulas_without_a_dot_are_of_the_dialect_only(text: str) -> None:
    assert parse(text, source=SOURCE, base=BASE).statements == ()
    with pytest.raises(ProgramError, match=r"N3001|N3003"):
        parse(text, source=SOURCE, base=BASE, dialect=False)


def test_a_model_has_its_lists_spelled_out_and_a_place_for_each_triple() -> None:
    model = read_model(PREFIXES + "ex:a ex:p (1\n  ex:b) ;\n a ex:T .", source="m.ttl", base=BASE)
    first, second = BlankNode("list0", BASE), BlankNode("list1", BASE)
    one = Literal("1", "http://www.w3.org/2001/XMLSchema#integer")
    assert [(pattern.triple, str(pattern.place)) for pattern in model] == [
        (Triple(ex("a"), ex("p"), first), "m.ttl:2:11"),
        (Triple(first, RDF_FIRST, one), "m.ttl:2:11"),
        (Triple(first, RDF_REST, second), "m.ttl:2:11"),
        (Triple(second, RDF_FIRST, ex("b")), "m.ttl:2:11"),
        (Triple(second, RDF_REST, RDF_NIL), "m.ttl:2:11"),
        (Triple(ex("a"), RDF_TYPE, ex("T")), "m.ttl:4:4"),
    ]


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("{ ?x a :T } => { ?x a :S } .", "expected data, got a rule", 16),
        (":a :p ?x .", "expected an IRI, a blank node or a literal as object, got ?x", 7),
        (":a :p {} .", "expected an IRI, a blank node or a literal as object, got {}", 7),
        ('"x" :p :a .', 'expected an IRI or a blank node as subject, got "x"', 1),
        (":a _:p :b .", "expected an IRI as predicate, got _:n0", 4),
        (":a is :p of {} .", "expected an IRI or a blank node as subject, got {}", 13),
        ("[ :p {} ] :q :r .", "expected an IRI, a blank node or a literal as object, got {}", 6),
        (":a .", f"expected data, got <{BASE}#a> alone", 1),
    ],
)
def test_a_model_holds_nothing_but_rdf(text: str, message: str, column: int) -> None:
    with pytest.raises(ProgramError) as caught:
        read_model(text, source="m.ttl", base=BASE)
    error = caught.value
    assert error.place is not None
    assert (error.code, error.place.column, error.message) == ("N3013", column, message)


@pytest.mark.parametrize(
    "text",
    [
        "[ id _:b :p :o ] .",
        "[ id :s ; :p :o ] .",
        "[ id :s, :t :p :o ] .",
        ":a is :p :b .",
        ":a :p :b :c .",
        ":a :p .",
        ":a :p , :b .",
        ":a :p :b, .",
        ":a! .",
        ":a :p ( :b ! ) .",
        "{ :a ! } :p :b .",
        "_:b. :p :o .",
        ":a :p _: .",
        "of :p :o .",
        ". :a :p :o .",
        ":a :p :o . .",
        "a :p :o .",
        ":a => .",
    ],
)
def test_what_is_no_statement_is_refused(text: str) -> None:
    assert syntax_error(text).code in {"N3001", "N3003", "N3004"}


def test_the_implication_terms_are_those_of_the_log_vocabulary() -> None:
    predicates = [triple.predicate for triple in triples("{} => {} . {} <= {} .")]
    assert predicates == [IRI(LOG + "implies"), IRI(LOG + "isImpliedBy")]


def test_every_list_of_a_model_has_cells_of_its_own() -> None:
    model = read_model(":a :p (1 (2)), (1 (2)) . (3) :q () .", source="m.ttl", base=BASE)
    cells = [pattern.triple.subject for pattern in model if pattern.triple.predicate == RDF_FIRST]
    assert len(cells) == len(set(cells)) == 7


def test_a_formula_that_is_a_subject_is_written_so_that_it_stays_one() -> None:
    assert write_triples(triples("{} has {} {} . {} has [] 1 . {} ?p () . {} a ex:F .")) == (
        "{} has {} {} .\n{} has _:n0 1 .\n{} ?p () .\n{} a <http://example.org/ns#F> .\n"
    )
