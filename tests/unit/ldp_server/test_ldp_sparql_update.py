"""SPARQL Update as a patch: which forms are taken, which are edits, and what those do."""

import pytest

from ldp_server.faults import Problem
from ldp_server.patching.changing import Change
from ldp_server.patching.edits import Update
from ldp_server.patching.matching import Budget
from ldp_server.patching.sparql_update import read_update
from ldp_server.settings import Settings

URI = "http://h/d"
ONE = '"1"^^<http://www.w3.org/2001/XMLSchema#integer>'
STORED = f"""<{URI}#it> <http://e/v> {ONE} .
<{URI}#it> <http://e/knows> _:b0 .
_:b0 <http://e/name> "Ann" .
"""
THIS = (
    "http://this.nxparser.github.io/reference/to/URI/of/current/rdf/graph/"
    "for/representing/permanently/relative/URIs/in/N-Triples/"
)


def read(text: str) -> Update:
    return read_update(text, URI, Settings())


def updated(text: str, stored: str = STORED) -> list[str]:
    update = read(text)
    assert update.edits is not None
    return Change(URI, update, Settings()).apply(stored.encode(), (), Budget(1000)).decode().splitlines()


def code_of(text: str) -> str:
    with pytest.raises(Problem) as problem:
        read(text)
    return problem.value.code


LINES = STORED.splitlines()


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("", LINES),
        ("PREFIX ex: <http://e/> # no more", LINES),
        ("INSERT DATA { <#it> <http://e/v> 1 }", LINES),
        ("DELETE DATA { <#it> <http://e/v> 1, 2 }", LINES[1:]),
        ("PREFIX ex: <http://e/> INSERT DATA { <x> a ex:T };", [*LINES, "<http://h/x> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/T> ."]),
        ("BASE <http://other/> INSERT DATA { <x> <y> 'z' }", [*LINES, '<http://other/x> <http://other/y> "z" .']),
        ("DELETE WHERE { ?s <http://e/knows> ?b . ?b ?p $o }", LINES[:1]),
        ("DELETE { ?x <http://e/v> ?n } INSERT { ?x <http://e/v> true } WHERE { ?x <http://e/v> ?n }",
         [*LINES[1:], f'<{URI}#it> <http://e/v> "true"^^<http://www.w3.org/2001/XMLSchema#boolean> .']),
        ("INSERT { ?b <http://e/of> ?x } WHERE { ?x <http://e/knows> ?b }", [*LINES, f"_:b0 <http://e/of> <{URI}#it> ."]),
        ("INSERT { <#it> <http://e/n> ?free . ?x <http://e/n> 'bound' } WHERE { ?x <http://e/v> 1 }",
         [*LINES, f'<{URI}#it> <http://e/n> "bound" .']),
        ("INSERT { ?n <http://e/p> 2 } WHERE { ?x <http://e/v> ?n }", LINES),
        ("INSERT DATA { <a> <b> 'c' } ; DELETE WHERE { ?s ?p ?o }", []),
        ("DELETE WHERE { ?s ?p ?o } ; INSERT DATA { <a> <b> 'c' }", ['<http://h/a> <http://h/b> "c" .']),
        ("INSERT { [] <b> ?o } WHERE { ?s <http://e/v>|<none> ?o }", None),
        (f"DELETE DATA {{ <{THIS}#it> <http://e/v> 1 }}", LINES[1:]),
    ],
)  # fmt: skip
def test_what_updates_do(text: str, after: list[str] | None) -> None:
    if after is None:
        assert read(text).edits is None
    else:
        assert updated(text) == after


def test_every_solution_gets_blank_nodes_of_its_own() -> None:
    stored = "<http://e/1> <http://e/v> 'a' .\n<http://e/2> <http://e/v> 'b' .\n".replace("'", '"')
    after = updated("INSERT { ?s <http://e/has> [ <http://e/of> ?s ] } WHERE { ?s <http://e/v> ?o }", stored)
    assert sorted(after[2:]) == [
        "<http://e/1> <http://e/has> _:b0 .",
        "<http://e/2> <http://e/has> _:b1 .",
        "_:b0 <http://e/of> <http://e/1> .",
        "_:b1 <http://e/of> <http://e/2> .",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "INSERT { ?s <p> 1 } WHERE { ?s ?p ?o FILTER(?o > 1) }",
        "INSERT { ?s <p> 1 } WHERE { { ?s ?p ?o } UNION { ?o ?p ?s } }",
        "INSERT { ?s <p> 1 } WHERE { ?s <p>/<q> ?o }",
        "INSERT { ?s <p> 1 } WHERE { ?s <p>* ?o }",
        "INSERT { ?s <p> 1 } WHERE { ?s ?p ?o OPTIONAL { ?o ?p ?s } }",
        "INSERT DATA { <a> <b> 1 } DELETE DATA { <a> <b> 1 }",
        "INSERT { <a> <b> 1 }",
        "SELECT * WHERE { ?s ?p ?o }",
        "INSERT WHERE { <a> <b> 1 }",
        "INSERT DATA { <a> <b> 1",
        "INSERT DATA { <a> <b> @prefix }",
        "oops",
    ],
)
def test_what_needs_or_breaks_the_algebra_is_left_to_an_engine(text: str) -> None:
    assert read(text) == Update(text, None)


def test_an_engine_gets_the_document_in_the_place_of_the_this_base() -> None:
    text = (
        f"PREFIX this: <{THIS}#> INSERT {{ <{THIS}> this:p <{THIS}#x>, '<{THIS}>' }} WHERE {{ FILTER(true) }}"
    )
    expected = (
        f"PREFIX this: <{URI}#> INSERT {{ <{URI}> this:p <{URI}#x>, '<{THIS}>' }} WHERE {{ FILTER(true) }}"
    )
    assert read(text) == Update(expected, None)


@pytest.mark.parametrize(
    "text",
    [
        "INSERT DATA { ?x <p> 1 }",
        "DELETE DATA { <a> <p> ?x }",
        "DELETE DATA { _:a <p> 1 }",
        "DELETE { ?s <p> [] } WHERE { ?s <p> 1 }",
        "DELETE WHERE { [] <p> 1 }",
        "INSERT DATA { <a> none:b 1 }",
        "INSERT DATA { <a> <b> }",
        "INSERT { <a> <b> '1'^^?x } WHERE { ?x <p> 1 }",
        "INSERT DATA { <a> <b> 'open }",
        "INSERT DATA { <a> <b> \\u003f }",
    ],
)
def test_what_is_no_update_is_malformed(text: str) -> None:
    assert code_of(text) == "LDP070"


@pytest.mark.parametrize(
    "text",
    [
        "LOAD <file:///etc/passwd>",
        "load SILENT <http://e/x>",
        "CLEAR ALL",
        "DROP DEFAULT",
        "CREATE GRAPH <http://e/g>",
        "COPY DEFAULT TO <http://e/g>",
        "MOVE DEFAULT TO <http://e/g>",
        "ADD DEFAULT TO <http://e/g>",
        "WITH <http://e/g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
        "DELETE { ?s ?p ?o } USING <http://e/g> WHERE { ?s ?p ?o }",
        "INSERT DATA { GRAPH <http://e/g> { <a> <b> 1 } }",
        "INSERT { <a> <b> ?o } WHERE { SERVICE <http://e/> { ?s ?p ?o } }",
        "INSERT { <a> <b> ?o } WHERE { ?s ?p 1.SERVICE <http://e/> { ?s ?p ?o } }",
        "INSERT DATA { <a> <b> 1 } ; CLEAR ALL",
        "INSERT DATA { <a> <b> ex:.GRAPH }",
        "CLEARALL",
        "DROPDEFAULT",
        "LOADSILENT <http://e/x>",
        "INSERT { <a> <b> 1 } WHERE { SERVICESILENT <http://e/> { ?s ?p ?o } }",
        "INSERT { <a> <b> 1 } WHERE { FILTER(true) ?s ?p trueSERVICE <http://e/> { ?s ?p ?o } }",
        "PREFIX : <http://e/> INSERT { <a> <b> 1 } WHERE { SERVICE:place { ?s ?p ?o } }",
        "PREFIX x: <http://e/> INSERT { <a> <b> 1 } WHERE { ServiceSilentx:place { ?s ?p ?o } }",
        "PREFIX SERVICEx: <http://e/> PREFIX x: <http://e/> INSERT { <a> <b> 1 } WHERE { {} SERVICEx:place {} }",
        "PREFIXx:<http://e/> INSERT { <a> <b> 1 } WHERE { SERVICEx:place { ?s ?p ?o } }",
        "PREFIX x: <http://e/> INSERT { GRAPHx:g { <a> <b> 1 } } WHERE {}",
        "PREFIX x: <http://e/> CLEARGRAPHx:g",
    ],
)
def test_what_reaches_elsewhere_is_refused(text: str) -> None:
    assert code_of(text) == "LDP071"


def test_words_that_are_refused_are_good_names_and_strings() -> None:
    after = updated("PREFIX load: <http://e/> INSERT DATA { <GRAPH> load:clear 'DROP ALL' } # LOAD <x>", "")
    assert after == ['<http://h/GRAPH> <http://e/clear> "DROP ALL" .']


def test_words_that_are_refused_are_good_prefixes_of_updates_for_an_engine() -> None:
    text = "PREFIX service: <http://e/> DELETE {} WHERE { ?s service:add ?x FILTER(?x < 3) }"
    assert read_update(text, URI, Settings()).edits is None


@pytest.mark.parametrize(
    ("prefix", "code"),
    [
        ("ADDab", "LDP071"),
        ("xADDyab", "LDP071"),
        ("ADDADDabc", "LDP071"),
        ("ADDb", None),
        ("abADD", None),
        ("ADD", None),
        ("PREFIXz", "LDP071"),
    ],
)
def test_a_word_before_the_end_of_a_prefix_is_refused_if_that_end_is_a_prefix_too(
    prefix: str, code: str | None
) -> None:
    text = f"PREFIX ab: <a> PREFIX abc: <b> DELETE {{?s ?p ?o}} WHERE {{?s ?p ?o FILTER(?o != {prefix}:c)}}"
    if code is None:
        assert read(text).edits is None
    else:
        assert code_of(text) == code


def test_many_prefixes_and_many_words_in_one_name_are_looked_through_once() -> None:
    declared = "".join(f"PREFIX a{number}: <b> " for number in range(8_000))
    name = "ADD" * 16_000 + "x:a"
    text = f"{declared} DELETE {{?s ?p ?o}} WHERE {{?s ?p ?o FILTER(?o != {name})}}"
    assert read(text).edits is None


def test_thousands_of_operations_are_read() -> None:
    update = read("INSERT DATA {};" * 16_000)
    assert update.edits is not None
    assert len(update.edits) == 16_000
