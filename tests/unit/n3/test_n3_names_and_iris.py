import pytest

from agent.n3.iris import resolve
from agent.rdf.terms import IRI, Triple
from agent.vocab import THIS_BASE
from tests.support.n3 import BASE, ex, object_of, program, syntax_error, triples


@pytest.mark.parametrize(
    ("reference", "iri"),
    [
        ("g:h", "g:h"),
        ("g", "http://a/b/c/g"),
        ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"),
        ("//g", "http://g"),
        ("?y", "http://a/b/c/d;p?y"),
        ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"),
        ("g#s", "http://a/b/c/g#s"),
        ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"),
        ("g;x", "http://a/b/c/g;x"),
        ("g;x?y#s", "http://a/b/c/g;x?y#s"),
        ("", "http://a/b/c/d;p?q"),
        (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"),
        ("..", "http://a/b/"),
        ("../", "http://a/b/"),
        ("../g", "http://a/b/g"),
        ("../..", "http://a/"),
        ("../../", "http://a/"),
        ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"),
        ("../../../../g", "http://a/g"),
        ("/./g", "http://a/g"),
        ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."),
        (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."),
        ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"),
        ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"),
        ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
        ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"),
        ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("g#s/./x", "http://a/b/c/g#s/./x"),
        ("g#s/../x", "http://a/b/c/g#s/../x"),
        ("http:g", "http:g"),
    ],
)
def test_references_resolve_as_rfc_3986_section_5_4_says(reference: str, iri: str) -> None:
    assert resolve(reference, "http://a/b/c/d;p?q") == iri


@pytest.mark.parametrize(
    ("base", "reference", "iri"),
    [
        ("http://a", "g", "http://a/g"),
        ("http://a#f", "#s", "http://a#s"),
        ("file:///home/x/p.n3", "q.ttl", "file:///home/x/q.ttl"),
        ("urn:x:y", "#s", "urn:x:y#s"),
        ("http://a/b", "http://a/../c", "http://a/../c"),
    ],
)
def test_bases_without_a_path_and_absolute_references_are_left_whole(
    base: str, reference: str, iri: str
) -> None:
    assert resolve(reference, base) == iri


@pytest.mark.parametrize(
    ("text", "iri"),
    [
        ("ex:a", ex("a")),
        ("ex:", ex("")),
        ("ex:a.b", ex("a.b")),
        ("ex:a:b", ex("a:b")),
        ("ex:1a", ex("1a")),
        ("ex:a-b", ex("a-b")),
        (r"ex:a\,b\#c", ex("a,b#c")),
        ("ex:%41%2f", ex("%41%2f")),
        ("ex:é", ex("é")),
        ("http_m:PUT", IRI("http://www.w3.org/2011/http-methods#PUT")),
        (":local", IRI(f"{BASE}#local")),
        (r"<http://e/\u00e9>", IRI("http://e/é")),
        ("<http://e/日本?q=ü#f>", IRI("http://e/日本?q=ü#f")),
        ("<>", IRI(BASE)),
        ("<#f>", IRI(f"{BASE}#f")),
        ("<../x>", IRI("http://example.org/x")),
    ],
)
def test_a_name_or_reference_becomes_this_iri(text: str, iri: IRI) -> None:
    assert object_of(text) == iri


def test_a_prefix_or_base_declared_again_counts_for_later_text_only() -> None:
    text = """
        @prefix p_1: <http://one/> .
        p_1:s <q> p_1:o .
        PREFIX p_1: <http://two/>
        @base <http://three/x/> .
        p_1:s <q> p_1:o .
        base <y/>
        p_1:s <q> p_1:o .
    """
    assert triples(text) == [
        Triple(IRI("http://one/s"), IRI("http://example.org/app/q"), IRI("http://one/o")),
        Triple(IRI("http://two/s"), IRI("http://three/x/q"), IRI("http://two/o")),
        Triple(IRI("http://two/s"), IRI("http://three/x/y/q"), IRI("http://two/o")),
    ]


def test_a_prefix_may_be_declared_relative_to_the_program_and_inside_a_formula() -> None:
    [triple] = triples("@prefix v: <vocab#> . v:a v:b { @prefix w: <w#> . } . ")
    assert triple[:2] == (IRI("http://example.org/app/vocab#a"), IRI("http://example.org/app/vocab#b"))


def test_relative_references_inside_a_request_body_mean_the_document_being_written() -> None:
    loaded = program(
        "{ ?x a ex:T } => { [] http:mthd http_m:PUT ; http:requestURI <doc> ;"
        " http:body { <> ex:p <#it>, <../up>, this:it, ex:abs ; ex:q { <x> a <http://e/> } } } ."
        " ex:s ex:p <after> ."
    )
    body = loaded.requests[0].requests[0].body
    values = {
        part.value.removeprefix(THIS_BASE)
        for triple in getattr(body, "triples", ())
        for part in triple
        if isinstance(part, IRI) and part.value.startswith(THIS_BASE)
    }
    assert values == {"", "#it", "../up"}
    assert loaded.requests[0].requests[0].uri == IRI("http://example.org/app/doc")
    assert loaded.facts[0].object == IRI("http://example.org/app/after")
    assert str(IRI(f"{THIS_BASE}x")) in str(body)


@pytest.mark.parametrize(
    ("text", "code", "message", "hint"),
    [
        (
            ":a qudt:b :c .",
            "N3002",
            "expected a declared prefix, got qudt:",
            "add the line  @prefix qudt: <...> .  at the top",
        ),
        (
            "@prefix sensor: <#> . :a senosr:b :c .",
            "N3002",
            "expected a declared prefix, got senosr:",
            "did you mean sensor: ?",
        ),
        (
            ":a gsm:b :c .",
            "N3002",
            "expected a declared prefix, got gsm:",
            "add the line  @prefix gsm: <http://purl.org/gsm/vocab#> .",
        ),
        (
            ":a this:b :c .",
            "N3002",
            "expected a declared prefix, got this:",
            f"add the line  @prefix this: <{THIS_BASE}#> .",
        ),
        (
            ":a schd:b :c .",
            "N3002",
            "expected a declared prefix, got schd:",
            "did you mean sched: ? then add the line  @prefix sched: <https://w3id.org/milepost/scheduling#> .",
        ),
        (":a :b <c d> .", "N3006", "unexpected a space inside an IRI", "write %20 for it"),
        (
            ":a :b <c",
            "N3006",
            "expected > at the end of this IRI, got the end of the line",
            "write > where it ends",
        ),
        (r":a :b <\u0020> .", "N3005", "unexpected escaped U+0020 inside an IRI", None),
        (r":a :b <\n> .", "N3005", r"unexpected escape \n", None),
        (
            "@prefix a:b <x> .",
            "N3001",
            "expected a prefix and a colon, such as ex:, got a:b",
            "the prefix is the part before the colon: @prefix ex: <http://...> .",
        ),
        ("@prefix a: b: .", "N3001", "expected the IRI of the prefix between < and >, got b:", ""),
        ("@prefix a: <b>\n:a :b :c .", "N3003", "expected ., got :a", "put a . at the end of line 1"),
        (
            "PREFIX a: <b> .\n:a :b :c .",
            "N3001",
            "expected a subject, got .",
            "PREFIX and BASE end without a dot; @prefix and @base end with one",
        ),
        ("@bass <b> .", "N3001", "expected a statement, @prefix or @base, got @bass", "did you mean @base?"),
        (
            ":a :b :c .\n\ufeff:a :b :c .",
            "N3002",
            "expected a declared prefix, got \ufeff:",
            "a byte order mark (U+FEFF), which cannot be seen, stands before it: delete it",
        ),
        (
            r":a :b :c\q .",
            "N3001",
            "unexpected \\",
            r"escapes belong into strings and IRIs; in the local part of a name \ stands before _~.-!$&'()*+,;=/?#@%",
        ),
        (
            ":a :b :c%4 .",
            "N3001",
            "unexpected %",
            r"in the local part of a name write %25 or another code of two hexadecimal digits, or \%",
        ),
    ],
)
def test_a_faulty_name_is_explained(text: str, code: str, message: str, hint: str | None) -> None:
    error = syntax_error(text)
    assert (error.code, error.message) == (code, message)
    assert hint is None or error.hint == hint


def test_an_undeclared_prefix_is_reported_once_however_often_it_is_used() -> None:
    error = syntax_error("x:a x:b x:c .\ny:a x:b x:c .")
    assert [str(each.place) for each in (error, *error.others)] == ["program.n3:1:1", "program.n3:2:1"]
