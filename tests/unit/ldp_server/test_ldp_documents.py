"""Bodies become stored documents: bases, blank nodes, limits, places of faults."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import CanonicalizationAlgorithm, Dataset, Quad, serialize

from ldp_server.documents import EMPTY, Draft, Gap, about_this, read_document, read_triples
from ldp_server.faults import Problem
from ldp_server.representations import write_document, write_listing
from ldp_server.settings import Settings
from ldp_server.syntaxes import JSON_LD, N_TRIPLES, RDF_XML, SYNTAXES, TURTLE, Syntax
from ldp_server.vocabulary import LDP_CONTAINS, PREFIXES

URI = "http://h/c/d"
THIS = (
    "http://this.nxparser.github.io/reference/to/URI/of/current/rdf/graph/"
    "for/representing/permanently/relative/URIs/in/N-Triples/"
)
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XML_HEAD = f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:x="http://x/">'


def read(body: str | bytes, syntax: Syntax = TURTLE, uri: str = URI, settings: Settings | None = None) -> str:
    data = body if isinstance(body, bytes) else body.encode()
    return read_document(data, syntax, uri, settings or Settings()).named("").decode()


def refused(
    body: str | bytes, syntax: Syntax = TURTLE, settings: Settings | None = None, uri: str = URI
) -> Problem:
    with pytest.raises(Problem) as problem:
        read(body, syntax, uri, settings)
    return problem.value


def code_of(call: Callable[[], object]) -> str | None:
    try:
        call()
    except Problem as problem:
        return problem.code
    return None


def graph(text: bytes) -> Dataset:
    dataset = Dataset(Quad(triple.subject, triple.predicate, triple.object) for triple in read_triples(text))
    dataset.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return dataset


def test_relative_references_mean_the_document() -> None:
    assert read("<> <#p> <x>, </y>, <../z>, <?q> .") == (
        f"<{URI}> <{URI}#p> <http://h/c/x> .\n"
        f"<{URI}> <{URI}#p> <http://h/y> .\n"
        f"<{URI}> <{URI}#p> <http://h/z> .\n"
        f"<{URI}> <{URI}#p> <{URI}?q> .\n"
    )


def test_the_this_base_means_the_document_with_and_without_number_sign() -> None:
    body = f"@prefix this: <{THIS}#> . this:it a <{THIS}> ; <{THIS}#p> this:, <{THIS}e>, <{THIS}../e>, '1'^^this:t ."
    assert read(body) == (
        f"<{URI}#it> <{RDF}type> <{URI}> .\n"
        f"<{URI}#it> <{URI}#p> <{URI}> .\n"
        f"<{URI}#it> <{URI}#p> <http://h/c/e> .\n"
        f"<{URI}#it> <{URI}#p> <http://h/e> .\n"
        f'<{URI}#it> <{URI}#p> "1"^^<{URI}#t> .\n'
    )


def test_the_this_base_inside_a_literal_is_text() -> None:
    assert read(f'<> <#p> "{THIS}#it" .') == f'<{URI}> <{URI}#p> "{THIS}#it" .\n'


def test_what_this_means_never_leaves_the_server() -> None:
    assert about_this("//evil/x", URI).startswith("http://h/")
    assert about_this("http://evil/", URI).startswith("http://h/")


def test_a_posted_document_gets_its_name_where_the_gap_is() -> None:
    gap = Gap()
    uri = f"http://h/c/{gap.text}"
    body = f"<> <#p> <sibling>, <{THIS}#it>, '{gap.text[:3]}' ."
    draft = read_document(body.encode(), TURTLE, uri, Settings(), gap)
    assert draft.named("7").decode() == (
        "<http://h/c/7> <http://h/c/7#p> <http://h/c/sibling> .\n"
        "<http://h/c/7> <http://h/c/7#p> <http://h/c/7#it> .\n"
        '<http://h/c/7> <http://h/c/7#p> "gap" .\n'
    )


def test_blank_nodes_are_numbered_in_order_and_duplicates_dropped() -> None:
    assert read("_:z <http://p/> _:a . _:z <http://p/> _:a . _:a <http://p/> 1 .") == (
        '_:b0 <http://p/> _:b1 .\n_:b1 <http://p/> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .\n'
    )


def test_an_empty_body_is_an_empty_document_in_every_syntax() -> None:
    for syntax in SYNTAXES:
        assert read_document(b" \n", syntax, URI, Settings()) == EMPTY


def test_a_container_keeps_its_own_triples_only_and_notes_claims() -> None:
    body = (
        b"@prefix ldp: <http://www.w3.org/ns/ldp#> . <> a ldp:BasicContainer, ldp:Container, <T>; <http://t/> 'x';"
        b" ldp:contains <m>, 'odd' . <m> a ldp:Container ."
    )
    draft = read_document(body, TURTLE, "http://h/c/", Settings())
    assert draft == Draft(
        (
            (
                f"<http://h/c/> <{RDF}type> <http://h/c/T> .\n"
                '<http://h/c/> <http://t/> "x" .\n'
                f"<http://h/c/m> <{RDF}type> <http://www.w3.org/ns/ldp#Container> .\n"
            ).encode(),
        ),
        frozenset({"http://h/c/m", '"odd"'}),
    )


GRAPH = "<> <http://p/> (1 [ <http://q/> 'x'@en ] (2)), true, '<&>\\n', _:a . _:a <http://r/> _:a ."


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_a_graph_survives_every_syntax(syntax: Syntax) -> None:
    stored = read(GRAPH).encode()
    again = read(write_document(stored, syntax), syntax).encode()
    assert graph(again) == graph(stored)


TERMS = st.one_of(
    st.sampled_from(["<>", "<#a>", "_:x", "_:y", "<http://a/b?c=d&e>", f"<{RDF}nil>", f"<{RDF}List>"]),
    st.text(alphabet="a<&>'é\u2028\U0001f600 \t]", max_size=5).map(lambda text: '"' + text + '"@en-GB'),
    st.sampled_from(["1", "1.0", "1e0", "true", '"x"^^<http://t/>']),
)
SUBJECTS = st.sampled_from(["<>", "<#a>", "_:x", "_:y", "_:z"])
PREDICATES = st.sampled_from(
    ["<http://p/>", "<http://p/1>", f"<{RDF}first>", f"<{RDF}rest>", "a", f"<{RDF}_1>", "<p:q>"]
)


@given(st.lists(st.tuples(SUBJECTS, PREDICATES, TERMS), max_size=8))
def test_any_graph_is_the_same_graph_in_all_syntaxes(rows: list[tuple[str, str, str]]) -> None:
    stored = read("".join(f"{' '.join(row)} .\n" for row in rows)).encode()
    for syntax in SYNTAXES:
        again = read(write_document(stored, syntax), syntax).encode()
        assert graph(again) == graph(stored), syntax


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_a_listing_is_the_same_graph_in_all_syntaxes(syntax: Syntax) -> None:
    own = read("<> <http://t/> [ <http://u/> 1 ] .", uri="http://h/c/").encode()
    members = ["http://h/c/1", "http://h/c/caf%C3%A9", "http://h/c/x/"]
    plain = write_listing("http://h/c/", own, members, N_TRIPLES)
    text = write_listing("http://h/c/", own, members, syntax)
    back = read_document(text, syntax, "http://elsewhere/", Settings()).named("")
    assert graph(back) == graph(plain)
    assert len(read_triples(plain)) == 3 + 2 + 3


CONTAINERS = st.sampled_from(
    [
        "http://h/c/",
        "http://schema.org/",
        "http://schema.org/x/",
        "http://www.w3.org/",
        "http://www.w3.org/ns/",
    ]
)
OWN = st.lists(
    st.sampled_from(["<> <http://t/> [] .", "<#a> <http://schema.org/name> <http://www.w3.org/ns/sosa/x> ."])
)


@given(CONTAINERS, OWN, st.lists(st.sampled_from(["a", "b/", "sosa/", "caf%C3%A9"]), unique=True))
def test_a_listing_has_the_letters_of_its_triples_written_one_by_one(
    uri: str, own: list[str], names: list[str]
) -> None:
    text = read("".join(own), uri=uri).encode()
    members = [uri + name for name in names]
    listed = "".join(f"<{uri}> <{LDP_CONTAINS}> <{member}> .\n" for member in members).encode()
    triples = read_triples(write_listing(uri, b"", [], N_TRIPLES) + text + listed)
    prefixes = {name: iri for name, iri in PREFIXES.items() if name == "ldp" or f"<{iri}".encode() in text}
    for syntax in SYNTAXES:
        used = prefixes if syntax in {TURTLE, RDF_XML} else None
        expected = serialize(triples, format=syntax.format, prefixes=used)
        assert write_listing(uri, text, members, syntax) == expected, syntax


@pytest.mark.parametrize(
    ("body", "syntax", "line", "column"),
    [
        ("<> <#p>\n  oops .", TURTLE, 2, 3),
        ("<a> <b> <c> .", N_TRIPLES, 1, 1),
        ('{"@id": "",\n "x": }', JSON_LD, 2, 7),
        ("<rdf:RDF>\n <x></y></rdf:RDF>", RDF_XML, 2, 7),
        (XML_HEAD + "\n<rdf:Description>", RDF_XML, 2, 18),
        ("<> <#p> 'open", TURTLE, 1, 9),
    ],
)
def test_malformed_rdf_is_told_with_line_and_column(
    body: str, syntax: Syntax, line: int, column: int
) -> None:
    problem = refused(body, syntax)
    assert (problem.code, problem.members) == ("LDP001", {"line": line, "column": column})
    assert problem.detail.startswith(f"Line {line}, column {column}: ")


BILLION = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'


@pytest.mark.parametrize(
    ("body", "syntax"),
    [
        (BILLION + XML_HEAD + "</rdf:RDF>", RDF_XML),
        (f"<!DOCTYPE rdf:RDF SYSTEM 'file:///etc/passwd'>{XML_HEAD}</rdf:RDF>", RDF_XML),
        (XML_HEAD + "&undefined;</rdf:RDF>", RDF_XML),
        (XML_HEAD + "<undeclared:a/></rdf:RDF>", RDF_XML),
        (f'<?xml version="1.0" encoding="utf-16"?>{XML_HEAD}</rdf:RDF>', RDF_XML),
        ('{"@context": "http://example.org/context", "a": 1}', JSON_LD),
        ('{"@context": [{}, "file:///etc/passwd"], "a": 1}', JSON_LD),
        ('{"@context": {"@import": "http://example.org/context"}, "a": 1}', JSON_LD),
        ('{"@context": {"a": {"@id": "urn:a", "@context": "http://x/"}}, "a": {"b": 1}}', JSON_LD),
        ('{"\\u0040context": "http://example.org/context"}', JSON_LD),
        ('{"@context": {}, "@context": {}}', JSON_LD),
        ('{"urn:a": 1, "urn:b": 2, "urn:a": 3}', JSON_LD),
        ('{"urn:a": NaN}', JSON_LD),
        ('{"@graph": [{"@id": "urn:g", "@graph": [{"@id": "urn:a", "urn:b": 1}]}]}', JSON_LD),
        ("<> <#p> <<( <a> <b> <c> )>> .", TURTLE),
        ("<> <#p> <#o> {| <q> 1 |} .", TURTLE),
        ("<> <#p> 'x'@en--ltr .", TURTLE),
        ("<> <#p> <a b> .", TURTLE),
        (b"<> <#p> '\xff' .", TURTLE),
        (b'{"a": "\xff"}', JSON_LD),
        (b"<r>\xff</r>", RDF_XML),
        (f"<> <#p> <{THIS}//[> .", TURTLE),
    ],
)
def test_what_could_fetch_expand_or_lose_is_refused_as_malformed(body: str | bytes, syntax: Syntax) -> None:
    assert refused(body, syntax).code == "LDP001"


DEEP_BODIES = {
    "json objects": (JSON_LD, '{"urn:a":', "1", "}"),
    "json lists": (JSON_LD, '{"urn:a":{"@list":[', "1", "]}}"),
    "json arrays": (JSON_LD, "[", "1", "]"),
    "xml elements": (RDF_XML, "<a>", "", "</a>"),
    "triple terms": (TURTLE, "<< ", "<a> <b> <c>", " >> <b> <c>"),
    "nested triple terms": (TURTLE, "<<( <a> <b> ", "<a>", " )>>"),
}


@pytest.mark.parametrize("name", DEEP_BODIES)
@pytest.mark.parametrize("depth", [300, 100_000])
def test_nesting_without_end_is_refused_before_a_parser_sees_it(name: str, depth: int) -> None:
    syntax, begin, core, end = DEEP_BODIES[name]
    assert refused(begin * depth + core + end * depth, syntax).code == "LDP001"


def test_deep_blank_nodes_and_lists_in_turtle_are_data() -> None:
    depth = 20_000
    assert read("<> <#p> " + "[ <#q> " * depth + "1" + " ]" * depth + " .").count("\n") == depth + 1
    assert read("<> <#p> " + "( " * depth + " )" * depth + " .").count("\n") == 2 * depth - 1


def test_a_chain_of_context_terms_is_refused() -> None:
    terms = ", ".join(f'"t{number}": "t{number + 1}:x"' for number in range(30_000))
    assert refused(f'{{"@context": {{{terms}, "t30000": "urn:z"}}, "t0": 1}}', JSON_LD).code == "LDP007"


SCOPED = ", ".join(f'"t{number}": "urn:t{number}"' for number in range(40))


def scoped_uses(count: int) -> str:
    context = f'{{"@context": {{"a": {{"@id": "urn:a", "@context": {{{SCOPED}}}}}}}, "@graph": ['
    return context + ", ".join(['{"a": {"t1": 1}}'] * count) + "]}"


def test_a_scoped_context_is_read_while_its_uses_are_few() -> None:
    assert read(scoped_uses(2), JSON_LD).count("<urn:t1>") == 2
    assert refused(scoped_uses(20_000), JSON_LD).code == "LDP007"


def test_an_element_with_too_many_attributes_is_refused() -> None:
    for pattern in ('x:a{}="1"', 'xmlns:a{}="urn:a"'):
        attributes = " ".join(pattern.format(number) for number in range(100_000))
        body = f"{XML_HEAD}<rdf:Description {attributes}/></rdf:RDF>"
        assert refused(body, RDF_XML).code == "LDP007"


def test_limits_of_triples_length_and_time_are_kept() -> None:
    three = "<> <#p> 1, 2, 3 ."
    assert read(three, settings=Settings(max_triples=3)).count("\n") == 3
    assert refused(three, settings=Settings(max_triples=2)).code == "LDP007"
    assert refused(three, settings=Settings(max_stored=100)).code == "LDP007"
    assert refused(f"<> <#p> <{'x' * 9000}> .").code == "LDP007"
    assert refused(f"<> <#p> '{'x' * 1_100_000}' .").code == "LDP007"
    assert refused("@base <x/> . " * 20_000, settings=Settings(parse_budget_s=0.01)).code == "LDP007"


def test_a_graph_that_xml_cannot_carry_is_not_acceptable_as_xml() -> None:
    for body in ('<> <http://p/> "\\u0001" .', f"<> <{RDF}about> 1 ."):
        stored = read(body).encode()
        with pytest.raises(Problem) as problem:
            write_document(stored, RDF_XML)
        assert problem.value.code == "LDP008"
        assert graph(read(write_document(stored, TURTLE)).encode()) == graph(stored)


@given(st.binary(max_size=60), st.sampled_from(SYNTAXES))
def test_no_body_breaks_the_reader(body: bytes, syntax: Syntax) -> None:
    assert code_of(lambda: read_document(body, syntax, URI, Settings())) in {None, "LDP001", "LDP007"}


PIECES = (  # noqa: SIM905 -- forty quoted strings would hide the fragments
    r"""< > { } [ ] ( ) " ''' : , . ; @ # \ a _:x <a> << >> @prefix @base @context @id @list &#0; <!DOCTYPE"""
    r""" <![CDATA[ rdf:RDF {"@id":"a" "@graph": null 1e999 </rdf:RDF> ^^ @en"""
).split()
FRAGMENTS = st.lists(
    st.sampled_from([*PIECES, " ", "\n", "\ufeff", "\x00", "\u202e", XML_HEAD]), max_size=20
).map("".join)


@given(FRAGMENTS, st.sampled_from(SYNTAXES))
def test_no_heap_of_fragments_breaks_the_reader(body: str, syntax: Syntax) -> None:
    assert code_of(lambda: read(body, syntax)) in {None, "LDP001", "LDP007"}
