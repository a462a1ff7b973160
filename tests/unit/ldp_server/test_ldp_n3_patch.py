"""N3 Patch: its form, rule by rule, and what it does to a stored document."""

import pytest

from ldp_server.faults import Problem
from ldp_server.patching.changing import Change
from ldp_server.patching.edits import Edit, Update
from ldp_server.patching.matching import Budget, TooMuchWorkError
from ldp_server.patching.n3_patch import read_n3_patch
from ldp_server.settings import Settings

URI = "http://h/d"
HEAD = "@prefix solid: <http://www.w3.org/ns/solid/terms#> . @prefix : <http://e/> .\n"
ONE = '"1"^^<http://www.w3.org/2001/XMLSchema#integer>'
STORED = f"""<{URI}#it> <http://e/v> {ONE} .
<{URI}#it> <http://e/knows> _:b0 .
<{URI}#it> <http://e/knows> _:b1 .
_:b0 <http://e/name> "Ann" .
_:b1 <http://e/name> "Bo"@en .
"""


def patch(parts: str) -> str:
    return f"{HEAD}_:p a solid:InsertDeletePatch ; {parts} ."


def read(text: str, settings: Settings | None = None) -> Edit:
    return read_n3_patch(text, URI, settings or Settings())


def patched(
    parts: str, stored: str = STORED, settings: Settings | None = None, steps: int = 1000
) -> set[str]:
    limits = settings or Settings()
    change = Change(URI, Update("", (read(patch(parts), limits),)), limits)
    return set(change.apply(stored.encode(), (), Budget(steps)).decode().splitlines())


def lines(text: str = STORED) -> set[str]:
    return set(text.splitlines())


def code_of(text: str, stored: str = STORED, settings: Settings | None = None) -> str:
    limits = settings or Settings()
    with pytest.raises(Problem) as problem:
        Change(URI, Update("", (read(text, limits),)), limits).apply(stored.encode(), (), Budget(1000))
    return problem.value.code


def test_triples_are_deleted_and_inserted() -> None:
    after = patched("solid:deletes { <#it> :v 1 } ; solid:inserts { <#it> :v 2 , <x> . <> a :Thing }")
    assert after == lines() - {f"<{URI}#it> <http://e/v> {ONE} ."} | {
        f"<{URI}#it> <http://e/v> {ONE.replace('1', '2', 1)} .",
        f"<{URI}#it> <http://e/v> <http://h/x> .",
        f"<{URI}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/Thing> .",
    }


def test_what_is_inserted_twice_is_there_once_and_what_is_deleted_can_be_inserted() -> None:
    assert patched("solid:inserts { <#it> :v 1 }") == lines()
    assert patched("solid:deletes { <#it> :v 1 } ; solid:inserts { <#it> :v 1 }") == lines()


def test_a_patch_without_parts_changes_nothing() -> None:
    assert patched("solid:where {} ; solid:inserts {}") == lines()
    assert read(f"{HEAD}_:p a solid:InsertDeletePatch .") == Edit(strict=True)


def test_variables_stand_for_what_where_finds() -> None:
    after = patched('solid:where { <#it> :knows ?who . ?who :name "Ann" } ; solid:inserts { ?who :age 7 }')
    assert after - lines() == {'_:b0 <http://e/age> "7"^^<http://www.w3.org/2001/XMLSchema#integer> .'}


def test_a_blank_node_is_deleted_through_a_variable() -> None:
    after = patched(
        'solid:where { ?x :knows ?who . ?who :name "Ann" } ; solid:deletes { ?x :knows ?who . ?who :name "Ann" }'
    )
    assert after == {line for line in lines() if "_:b0" not in line}


def test_blank_nodes_in_where_are_variables_without_names() -> None:
    after = patched('solid:where { ?x :knows [ :name "Bo"@en ] } ; solid:inserts { ?x :knows _:other }')
    assert after - lines() == {f"<{URI}#it> <http://e/knows> _:b2 ."}
    assert code_of(patch("solid:where { <#it> :knows _:same . _:same :v 1 }")) == "LDP072"


def test_where_with_one_solution_of_the_names_fits_however_often_its_blank_nodes_do() -> None:
    assert patched("solid:where { ?x :knows _:any } ; solid:inserts { ?x :has 2 }") > lines()


def test_blank_nodes_that_are_inserted_are_new_ones_and_the_same_within_a_patch() -> None:
    after = patched("solid:inserts { _:b0 :p ( [ :q _:b0 ] ) }")
    added = after - lines()
    labels = sorted({word for line in added for word in line.split() if word.startswith("_:")})
    assert labels == ["_:b2", "_:b3", "_:b4"]
    assert len(added) == 4


def test_a_new_blank_node_has_a_name_that_not_even_a_literal_has() -> None:
    stored = f'<{URI}> <http://e/p> "_:b7" .\n_:b1 <http://e/p> <{URI}> .\n'
    assert patched("solid:inserts { <> :q _:x }", stored) - lines(stored) == {f"<{URI}> <http://e/q> _:b8 ."}


def test_the_this_base_means_the_document() -> None:
    this = (
        "http://this.nxparser.github.io/reference/to/URI/of/current/rdf/graph/"
        "for/representing/permanently/relative/URIs/in/N-Triples/#it"
    )
    assert patched(f"solid:where {{ <{this}> :v ?n }} ; solid:deletes {{ <{this}> :v ?n }}") < lines()


@pytest.mark.parametrize(
    "parts",
    [
        "solid:deletes { <#it> :v 2 }",
        "solid:deletes { <#it> :v 1 , 2 }",
        "solid:where { <#it> :v 2 }",
        "solid:where { <#it> :knows ?two } ; solid:inserts { ?two :v 1 }",
        "solid:where { ?s ?p ?o }",
        "solid:where { <#it> :v ?one } ; solid:inserts { ?one :p 1 }",
        "solid:where { ?any :name 'Ann' } ; solid:inserts { <#it> ?any 1 }",
    ],
)
def test_a_patch_that_does_not_fit_is_told_so(parts: str) -> None:
    assert code_of(patch(parts)) == "LDP072"


def test_nothing_fits_an_empty_document_but_inserting() -> None:
    assert code_of(patch("solid:deletes { <#it> :v 1 }"), stored="") == "LDP072"
    assert code_of(patch("solid:where { ?s ?p ?o }"), stored="") == "LDP072"
    assert patched("solid:inserts { <#it> :v 1 }", stored="") == {f"<{URI}#it> <http://e/v> {ONE} ."}


@pytest.mark.parametrize(
    "text",
    [
        HEAD,
        HEAD + "_:p solid:inserts { <#it> :v 1 } .",
        patch("solid:inserts { <a> :v 1 }") + "_:q a solid:InsertDeletePatch .",
        patch("solid:inserts { <a> :v 1 } , { <b> :v 1 }"),
        patch("solid:deletes { <a> :v 1 } , {}"),
        patch("solid:where { <a> :v ?x } , { <a> :v ?y }"),
        patch("solid:inserts { <a> :v ?free }"),
        patch("solid:where { <a> :v ?x } ; solid:deletes { <a> :v ?y }"),
        patch("solid:deletes { <a> :v [] }"),
        patch("solid:deletes { <a> :v _:x }"),
        patch("solid:deletes { <a> :v ( 1 ) }"),
        patch("solid:insert { <a> :v 1 }"),
        patch("solid:inserts <a>"),
        patch("solid:inserts [ :v 1 ]"),
        patch("solid:inserts 'text'"),
        patch("solid:inserts ( { <a> :v 1 } )"),
        patch("solid:inserts { <a> :v { <b> :v 1 } }"),
        patch("solid:inserts { <a> :v {} }"),
        patch("solid:inserts { <a> :v 1 } . { <b> :v 1 } :p :q"),
        patch("solid:inserts { <a> :v 1 } . _:q solid:deletes { <b> :v 1 }"),
        patch("solid:patches <other> ; solid:inserts { <a> :v 1 }"),
    ],
)
def test_a_patch_of_another_form_is_told_so(text: str) -> None:
    assert code_of(text) == "LDP071"


def test_what_is_said_beside_the_patch_is_passed_over() -> None:
    text = patch("solid:patches <> ; a :Thing ; solid:inserts { <a> :v 1 }") + "<> :note 'text' ."
    assert read(text).inserts == (("<http://h/a>", "<http://e/v>", ONE),)


@pytest.mark.parametrize(
    "text",
    [
        patch("solid:inserts { <a> :v 1"),
        patch("solid:inserts { <a> none:v 1 }"),
        patch("solid:inserts { <a> :v 'open }"),
        patch("solid:where { <a> :v ?x } ; solid:inserts { <a> :v '1'^^?x }"),
        patch("solid:where { <a> :v ?x } ; solid:inserts { '1' :v ?x }"),
        patch("solid:inserts { <a> :v <<( <a> :v 1 )>> }"),
        "@forAll <http://e/x> .",
        "\x00",
        "<> <p> \\u003f .",
    ],
)
def test_what_is_not_notation3_is_malformed(text: str) -> None:
    assert code_of(text) == "LDP070"


def test_the_line_of_a_fault_is_told_and_variables_keep_their_names() -> None:
    with pytest.raises(Problem) as problem:
        read(HEAD + "_:p a solid:InsertDeletePatch ;\n solid:where { <a> :v ?one ?two } .")
    assert problem.value.members == {"line": 3}
    with pytest.raises(Problem) as problem:
        read(patch("solid:where { <a> :v '1'^^?kind }"))
    assert problem.value.detail == 'a variable cannot be part of the term "1"^^?kind.'


def test_question_marks_in_strings_names_and_iris_are_no_variables() -> None:
    parts = 'solid:inserts { <a?b> :v \'say ?x\' , """a \' ?y # {""" , :c\\?d . # ?z {\n }'
    assert read(patch(parts)).inserts == (
        ("<http://h/a?b>", "<http://e/v>", '"say ?x"'),
        ("<http://h/a?b>", "<http://e/v>", '"a \' ?y # {"'),
        ("<http://h/a?b>", "<http://e/v>", "<http://e/c?d>"),
    )


def test_the_limits_of_a_document_hold_for_a_patch() -> None:
    three = patch("solid:inserts { <a> :v 1 , 2 , 3 }")
    assert code_of(three, settings=Settings(max_triples=7)) == "LDP007"
    assert code_of(three, settings=Settings(max_stored=300)) == "LDP007"
    assert (
        code_of(patch(f"solid:inserts {{ <a> :v '{'x' * 20}' }}"), settings=Settings(max_literal=10))
        == "LDP007"
    )
    assert (
        code_of(patch(f"solid:inserts {{ <{'x' * 200}> :v 1 }}"), settings=Settings(max_iri=100)) == "LDP007"
    )


def test_looking_for_a_pattern_that_is_everywhere_and_nowhere_ends() -> None:
    """Cliques of seven in a graph that has none; any order of the search is exponential."""
    stored = "".join(
        f"<http://n/{one}> <http://e/to> <http://n/{two}> .\n"
        for one in range(30)
        for two in range(30)
        if one % 6 != two % 6
    )
    clique = " . ".join(f"?x{one} :to ?x{two}" for one in range(7) for two in range(7) if one != two)
    with pytest.raises(TooMuchWorkError):
        patched(f"solid:where {{ {clique} }}", stored, steps=20_000)


def test_triples_that_are_looked_at_and_patterns_that_are_weighed_count() -> None:
    stored = "".join(f"<http://n/{number}> <http://e/v> <http://n/{number + 1}> .\n" for number in range(40))
    with pytest.raises(TooMuchWorkError):
        patched("solid:where { ?same :v ?same }", stored, steps=30)
    chain = " . ".join(f"?x{number} :v ?x{number + 1}" for number in range(40))
    with pytest.raises(TooMuchWorkError):
        patched(
            f"solid:where {{ <n/0> :v ?x0 . {chain} }}", stored.replace("http://n/", "http://h/n/"), steps=500
        )


def test_more_open_patterns_than_anybody_needs_are_too_much() -> None:
    with pytest.raises(TooMuchWorkError):
        patched(f"solid:where {{ {' . '.join(f'?x{number} :v 1' for number in range(65))} }}", steps=100_000)
    ground = " . ".join(["<#it> :v 1"] * 65)
    assert patched(f"solid:where {{ {ground} }}") == lines()


@pytest.mark.parametrize(
    "text",
    [
        "{" * 20_000,
        patch("solid:inserts " + "{ <a> :v " * 4_000 + "1" + "}" * 4_000),
        patch("solid:where { <a> :v " + "[ :v " * 9_000 + "1" + "]" * 9_000 + "}"),
        patch("solid:where { <a> :v " + "( " * 9_000 + ")" * 9_000 + "}"),
        patch("solid:inserts { <a> " + "!".join([":v"] * 9_000) + " 1 }"),
        '"\\' * 120_000,
        "'a" * 20_000,
        "a." * 120_000,
        "<a" * 20_000,
        '"""' + 'a""' * 20_000,
    ],
)
def test_hostile_texts_are_refused_in_little_time(text: str) -> None:
    with pytest.raises((Problem, TooMuchWorkError)):
        Change(URI, Update("", (read(text),)), Settings()).apply(STORED.encode(), (), Budget(1000))


@pytest.mark.parametrize("limits", [Settings(max_triples=2_000), Settings(max_stored=100_000)])
def test_what_a_patch_says_again_and_again_counts_each_time(limits: Settings) -> None:
    again = patch(f"solid:inserts {{ :{'x' * 20} :v {':x,' * 5_000} :x }}")
    assert code_of(again, settings=limits) == "LDP007"
