"""A document is stored as looking at each of its terms would have it, though most are taken over as a whole."""

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, parse

from ldp_server.documents import Draft, about_this, read_document
from ldp_server.faults import Problem
from ldp_server.settings import Settings
from ldp_server.syntaxes import TURTLE
from ldp_server.vocabulary import CONTAINER_TYPES, LDP, LDP_CONTAINS, RDF_TYPE, THIS
from tests.support.depth import depth

TYPES: list[object] = [NamedNode(name) for name in CONTAINER_TYPES]
TIGHT = replace(Settings(), max_triples=300, max_iri=90, max_literal=40, max_stored=23_000)

PLAIN = ["<>", "<#a>", "<http://e/x>"]
ODD = [
    *("<m>", "<http://e/_:b>", "<http://e/a--b>", f"<{LDP}Container>", f"<{LDP}Other>"),
    *(f"<{THIS}>", f"<{THIS}#it>", f"<{THIS}../x>", "_:x", "_:y"),
]
LONG = f"<http://e/{'l' * 90}>"
LONG_TEXT = f"'{'l' * 50}'"
texts = st.text(alphabet="a<_:-(\n\r\\\"'\u2028\x85\x1e\U0001f600 ", max_size=6)
literals = st.builds(
    lambda text, end: f"{Literal(text)}{end}", texts, st.sampled_from(["", "@en", "@en-GB", f"^^<{THIS}#t>"])
)
predicates = st.sampled_from(["<http://e/p>", f"<{RDF_TYPE}>"])
odd_predicates = st.sampled_from(["<http://e/p>", f"<{RDF_TYPE}>", f"<{LDP_CONTAINS}>", f"<{THIS}#p>"])
rows = st.one_of(
    st.lists(st.tuples(st.sampled_from(PLAIN), predicates, st.sampled_from(["1", *PLAIN])), max_size=8),
    st.lists(st.tuples(st.sampled_from(PLAIN), predicates, st.sampled_from([LONG, LONG_TEXT])), max_size=2),
    st.just([("<>", "a", f"<{LDP}Container>")]),
    st.just([("<>", f"<{LDP_CONTAINS}>", "<m>")]),
    st.lists(
        st.tuples(
            st.sampled_from([*PLAIN, *ODD]),
            odd_predicates,
            st.sampled_from([*PLAIN, *ODD]) | literals,
        ),
        max_size=8,
    ),
)
counts = st.sampled_from([0, 0, 0, 0, 255, 256, 257, 290, 299, 300])


def stored(node: NamedNode, uri: str, limits: Settings) -> NamedNode:
    if len(node.value) > limits.max_iri:
        raise OverflowError
    return NamedNode(about_this(node.value[len(THIS) :], uri)) if node.value.startswith(THIS) else node


def simply(body: str, uri: str, limits: Settings) -> Draft | str:
    """Return the draft of a body, or the code of what is wrong with it."""
    lines: dict[str, None] = {}
    claims, labels = set(), dict[BlankNode, BlankNode]()

    def term(item: NamedNode | BlankNode | Literal | Triple) -> NamedNode | BlankNode | Literal:
        match item:
            case NamedNode():
                return stored(item, uri, limits)
            case BlankNode():
                return labels.setdefault(item, BlankNode(f"b{len(labels)}"))
            case Literal():
                if len(item.value) > limits.max_literal:
                    raise OverflowError
                is_this = item.datatype.value.startswith(THIS)
                return Literal(item.value, datatype=stored(item.datatype, uri, limits)) if is_this else item
        raise TypeError

    quads = list(parse(body, RdfFormat.TURTLE, base_iri=uri))
    try:
        for quad in quads:
            subject, predicate, item = term(quad.subject), term(quad.predicate), term(quad.object)
            if uri.endswith("/") and (subject, predicate) == (NamedNode(uri), NamedNode(LDP_CONTAINS)):
                claims.add(item.value if isinstance(item, NamedNode) else str(item))
            elif not (
                uri.endswith("/")
                and (subject, predicate) == (NamedNode(uri), NamedNode(RDF_TYPE))
                and item in TYPES
            ):
                lines[f"{subject} {predicate} {item} .\n"] = None
    except OverflowError:
        return "LDP007"
    text = "".join(lines)
    if len(quads) > limits.max_triples or len(text.encode()) > limits.max_stored:
        return "LDP007"
    return Draft((text.encode(),), frozenset(claims))


def as_read(body: str, uri: str, limits: Settings) -> Draft | str:
    try:
        return read_document(body.encode(), TURTLE, uri, limits)
    except Problem as problem:
        return problem.code


@settings(max_examples=depth(200, 5_000))
@given(rows, counts, st.booleans(), st.sampled_from(["http://h/c/d", "http://h/c/"]), st.booleans())
def test_a_document_is_stored_as_its_terms_say(
    triples: list[tuple[str, str, str]], others: int, are_same: bool, uri: str, is_tight: bool
) -> None:
    limits = TIGHT if is_tight else Settings()
    body = "".join(f"<#{0 if are_same else number}> <#p> 1 .\n" for number in range(others))
    body += "".join(f"{' '.join(row)} .\n" for row in triples) + "<> <#end> <> ."
    assert as_read(body, uri, limits) == simply(body, uri, limits)
