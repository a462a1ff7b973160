"""Patches against simpler models: sets of triples, enumeration of all bindings, and the SPARQL of rdflib and pyoxigraph."""

import itertools
from collections.abc import Iterable, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import CanonicalizationAlgorithm, Dataset, Quad, RdfFormat, parse
from rdflib import Graph
from rdflib.plugins.sparql.algebra import translateUpdate
from rdflib.plugins.sparql.parser import parseUpdate
from rdflib.plugins.sparql.parserutils import CompValue

from ldp_server.faults import Problem
from ldp_server.patching import worker
from ldp_server.patching.changing import Change
from ldp_server.patching.edits import Edit, Pattern, Update, is_variable
from ldp_server.patching.languages import read_patch
from ldp_server.patching.matching import Bindings, Budget, Triples, filled, solutions
from ldp_server.patching.n3_patch import read_n3_patch
from ldp_server.patching.sparql_update import REFUSED, read_update
from ldp_server.settings import Settings
from tests.support.depth import depth

URI = "http://h/d"
LIMITS = Settings()
IRIS = ("<http://e/a>", "<http://e/b>")
PREDICATES = ("<http://e/p>", "<http://e/q>")
LITERALS = ('"x"', '"x"@en', '"1"^^<http://www.w3.org/2001/XMLSchema#integer>')
VARIABLES = ("?x", "?y")

ground = st.tuples(st.sampled_from(IRIS), st.sampled_from(PREDICATES), st.sampled_from(IRIS + LITERALS))
stored = st.tuples(
    st.sampled_from((*IRIS, "_:b0", "_:b1")),
    st.sampled_from(PREDICATES),
    st.sampled_from((*IRIS, *LITERALS, "_:b0", "_:b1")),
)
patterns = st.tuples(
    st.sampled_from(IRIS + VARIABLES),
    st.sampled_from((*PREDICATES, "?y")),
    st.sampled_from(IRIS + LITERALS + VARIABLES),
)
with_blanks = st.tuples(
    st.sampled_from((*IRIS, *VARIABLES, "_:n")),
    st.sampled_from((*PREDICATES, "?y")),
    st.sampled_from((*IRIS, *LITERALS, *VARIABLES, "_:n")),
)
documents = st.lists(stored, max_size=6, unique=True)
groups = st.lists(patterns, max_size=3)


def lines(triples: Iterable[Pattern]) -> list[str]:
    return [f"{' '.join(triple)} ." for triple in triples]


def text_of(triples: Iterable[Pattern]) -> bytes:
    return "".join(f"{line}\n" for line in lines(triples)).encode()


def graph(text: str | bytes) -> Dataset:
    dataset = Dataset(Quad(*quad.triple) for quad in parse(text, RdfFormat.N_TRIPLES))
    dataset.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return dataset


def applied(update: Update, document: Sequence[Pattern]) -> bytes:
    return Change(URI, update, LIMITS).apply(text_of(document), (), Budget(100_000))


def every_way(where: Sequence[Pattern], document: Sequence[Pattern]) -> list[Bindings]:
    """Return all bindings that make every pattern a triple, by trying all terms for all variables."""
    names = sorted({term for pattern in where for term in pattern if is_variable(term)})
    terms = sorted({term for triple in document for term in triple})
    bindings = (
        dict(zip(names, values, strict=True)) for values in itertools.product(terms, repeat=len(names))
    )
    return [bound for bound in bindings if all(filled(pattern, bound) in document for pattern in where)]


@settings(max_examples=depth(100, 3_000))
@given(documents, groups)
def test_solutions_are_all_bindings_that_make_triples(document: list[Pattern], where: list[Pattern]) -> None:
    found = list(solutions(where, Triples(lines(document)), Budget(100_000))) if where else [{}]
    key = [sorted(bound.items()) for bound in found]
    assert sorted(key) == sorted(sorted(bound.items()) for bound in every_way(where, document))


@settings(max_examples=depth(100, 3_000))
@given(documents, groups, groups, groups)
def test_n3_patches_do_what_sets_of_triples_say(
    document: list[Pattern], where: list[Pattern], deletes: list[Pattern], inserts: list[Pattern]
) -> None:
    parts = (("where", where), ("deletes", deletes), ("inserts", inserts))
    formulas = " ; ".join(f"solid:{name} {{ {' '.join(lines(part))} }}" for name, part in parts)
    text = f"PREFIX solid: <http://www.w3.org/ns/solid/terms#> _:p a solid:InsertDeletePatch ; {formulas} ."
    loose = {term for part in (deletes, inserts) for triple in part for term in triple if is_variable(term)}
    try:
        outcome: bytes | str = applied(Update("", (read_n3_patch(text, URI, LIMITS),)), document)
    except Problem as problem:
        outcome = problem.code
    if loose - {term for triple in where for term in triple}:
        assert outcome == "LDP071"
        return
    ways = every_way(where, document)
    removed = {filled(pattern, bound) for bound in ways for pattern in deletes}
    added = {filled(pattern, bound) for bound in ways for pattern in inserts}
    is_rdf = all(subject[0] != '"' and predicate[0] == "<" for subject, predicate, _ in removed | added)
    if len(ways) != 1 or not is_rdf or not removed <= set(document):
        assert outcome == "LDP072"
    else:
        assert isinstance(outcome, bytes)
        assert set(outcome.decode().splitlines()) == set(lines((set(document) - removed) | added))


def braces(triples: Iterable[Pattern]) -> str:
    return f"{{ {' '.join(lines(triples))} }}"


data = st.lists(ground, max_size=3)
operations = st.one_of(
    data.map(lambda triples: f"INSERT DATA {braces(triples)}"),
    data.map(lambda triples: f"DELETE DATA {braces(triples)}"),
    groups.map(lambda where: f"DELETE WHERE {braces(where)}"),
    st.tuples(groups, st.lists(with_blanks, max_size=2), st.lists(with_blanks, max_size=3)).map(
        lambda sides: f"DELETE {braces(sides[0])} INSERT {braces(sides[1])} WHERE {braces(sides[2])}"
    ),
    st.tuples(st.lists(with_blanks, max_size=2), groups).map(
        lambda sides: f"insert {braces(sides[0])} where {braces(sides[1])}"
    ),
)


@settings(max_examples=depth(60, 1_000))
@given(documents, st.lists(operations, min_size=1, max_size=2))
def test_plain_updates_do_what_two_engines_do(document: list[Pattern], steps: list[str]) -> None:
    text = " ; ".join(steps)
    update = read_update(text, URI, LIMITS)
    ours = graph(applied(update, document))

    answer = worker.carry_out(URI, text, lines(document))
    change = Change(URI, Update(text, None), LIMITS)
    assert graph(change.splice(text_of(document), answer["deleted"], answer["inserted"])) == ours

    theirs = Graph()
    theirs.parse(data=text_of(document), format="nt")
    theirs.update(text)
    assert graph(theirs.serialize(format="nt")) == ours


OBJECTS = (
    '"LOAD <x>"', "'it' , 's SERVICE'", '"""a " CLEAR \\""" """', "?load", "$graph", "<http://e/DROP>", "_:move", "<http://e/a#USING>",
    "ex:add", "graph:x", "ex:a.LOAD", "ex:", "1.", "true", "'''x ' WITH '''", '"\\" COPY "', "?x", "<http://e/?p>", '"x"@en',
    "[ ex:clear ?drop ]", "( 1 'CREATE' )", "'x'^^ex:load", "1.5e3", "# GRAPH <g>\n 2",
)  # fmt: skip
TRAPS = (
    "GRAPH <http://e/g> { ?s ?p ?o }", "graph ?g {}", "SERVICE <http://e/> {}", "Service SILENT ?x { ?s ?p ?o }",
)  # fmt: skip
WHOLE = (
    "LOAD <http://e/x>", "load silent <file:///x>", "CLEAR ALL", "DROP DEFAULT", "CREATE GRAPH <http://e/g>",
    "COPY DEFAULT TO <http://e/g>", "MOVE <http://e/g> TO DEFAULT", "ADD <http://e/g> TO DEFAULT",
    "WITH <http://e/g> DELETE {} INSERT {} WHERE {}", "DELETE {} USING <http://e/g> WHERE {}",
    "INSERT {} USING NAMED <http://e/g> WHERE {}",
    "INSERT DATA { GRAPH <http://e/g> { <http://e/a> <http://e/b> 1 } }", "DELETE WHERE { GRAPH ?g { ?s ?p ?o } }",
)  # fmt: skip
separators = st.sampled_from((" . ", ".", " .# a comment { \n", " ."))
statements = st.lists(
    st.tuples(
        st.one_of(
            st.sampled_from(OBJECTS).map(lambda item: f"<http://e/s> <http://e/p> {item}"),
            st.sampled_from(TRAPS),
        ),
        separators,
    ).map("".join),
    max_size=5,
).map("".join)
templates = st.lists(st.sampled_from(OBJECTS), min_size=1, max_size=3).map(
    lambda items: f"<http://e/s> <http://e/p> {' , '.join(items)}"
)
updates = st.one_of(
    st.tuples(templates, statements).map(lambda sides: f"INSERT {{ {sides[0]} }} WHERE {{ {sides[1]} }}"),
    statements.map(lambda text: f"DELETE {{}} WHERE {{ {text} FILTER(?x < 3 && 4 > ?load) }}"),
    st.tuples(templates, st.sampled_from(WHOLE)).map(
        lambda both: f"INSERT {{ {both[0]} }} WHERE {{}};{both[1]}"
    ),
    st.sampled_from(WHOLE).map(lambda whole: f"# INSERT\n{whole} # LOAD"),
)
PREFIXES = "PREFIX ex: <http://e/> PREFIX graph: <http://e/g/> "


def reaches(part: object) -> bool:
    """Tell whether an update, as rdflib reads it, is about another graph or another place."""
    if isinstance(part, CompValue):
        if part.name.upper() in REFUSED or part.name in {"Graph", "ServiceGraphPattern", "GraphGraphPattern"}:
            return True
        if any(dict(part).get(key) for key in ("using", "withClause", "quads")):
            return True
        return any(reaches(value) for value in part.values())
    return isinstance(part, list | tuple) and any(map(reaches, part))


@settings(max_examples=depth(40, 500))
@given(updates)
def test_what_reaches_elsewhere_is_refused_and_nothing_else_is(text: str) -> None:
    try:
        algebra = translateUpdate(parseUpdate(PREFIXES + text))
    except Exception:  # noqa: BLE001 -- the parser of rdflib raises what it likes; the text is no SPARQL then
        return
    try:
        read_update(PREFIXES + text, URI, LIMITS)
        code = ""
    except Problem as problem:
        code = problem.code
    assert (code == "LDP071") == any(reaches(operation) for operation in algebra.algebra)


def test_the_traps_are_seen_as_such_by_both() -> None:
    for text in WHOLE:
        assert any(reaches(operation) for operation in translateUpdate(parseUpdate(text)).algebra), text


def test_an_edit_of_nothing_changes_nothing() -> None:
    assert (
        applied(Update("", (Edit(),)), [("<http://e/a>", "<http://e/p>", '"x"')])
        == b'<http://e/a> <http://e/p> "x" .\n'
    )


WORDS = (  # noqa: SIM905 -- fifty quoted strings would hide the fragments
    r"""INSERT DELETE DATA WHERE { } { } ( ) [ ] . ; , ?x ?y $z _:n <http://e/a> <http://e/p> <> <#a> ex:p ex: a 1 -2 1.5 true 'x'"""
    r""" "y" 'z'@en '1'^^ex:t FILTER LOAD PREFIX BASE ex: ' " ''' \ # @prefix @en ^^ ^ ! * | / = => << <<( )>> {| |}"""
    r""" solid:where solid:deletes solid:inserts solid:InsertDeletePatch _:p"""
).split()
HEADS = (
    "",
    PREFIXES,
    "@prefix solid: <http://www.w3.org/ns/solid/terms#> . @prefix ex: <http://e/> . _:p a solid:InsertDeletePatch ; ",
)
heaps = st.tuples(
    st.sampled_from(HEADS),
    st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=3)), max_size=25).map(" ".join),
).map("".join)


@settings(max_examples=depth(150, 5_000))
@given(heaps, st.sampled_from(["text/n3", "application/sparql-update"]), documents)
def test_no_heap_of_words_breaks_a_patch(text: str, language: str, document: list[Pattern]) -> None:
    told = ""
    try:
        update = read_patch(language, text.encode(errors="surrogatepass"), URI, LIMITS)
        graph(applied(update, document))
    except Problem as problem:
        told = f"{problem.code} {problem.detail} {problem.members}"
    assert told[:6] in {"", "LDP070", "LDP071", "LDP072", "LDP007"}
    assert "x-variable" not in told
