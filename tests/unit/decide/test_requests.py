"""Bindings become a set of ground requests; what cannot be sent is named."""

import pytest

from agent.decide.request import INSTANCE, LAST, PRECEDENCE, RANK, UNIT, Edge
from agent.decide.requests import ground_requests
from agent.rdf.terms import IRI, TRUE, BlankNode, Formula, ListTerm, Literal, Term, Triple, Variable
from agent.vocab import GSM, METHODS, THIS_BASE
from tests.support.asked import E, asked, bound, iri, memory, number, says, template

VAR = Variable("x")
FOR = E + "for"


def test_bindings_that_differ_outside_the_head_give_one_request() -> None:
    one = template("POST", "c", says(number(1)))
    requests, findings = ground_requests([bound(one, x=number(n)) for n in range(3)], memory())
    assert [(r.method, r.uri, r.body) for r in requests] == [("POST", E + "c", says(number(1)))]
    assert findings == ()


def test_an_annotation_makes_equal_posts_distinct() -> None:
    one = template("POST", "c", says(number(1)), annotations=((FOR, VAR),))
    requests, _ = ground_requests([bound(one, x=iri(name)) for name in "abc"], memory())
    assert [r.annotations for r in requests] == [((FOR, iri(name)),) for name in "abc"]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
def test_equal_requests_with_other_annotations_go_out_once_unless_they_are_posts(method: str) -> None:
    body = None if method == "DELETE" else says(number(1))
    one = template(method, "d", body, annotations=((FOR, VAR),))
    (request,), _ = ground_requests([bound(one, x=iri(name)) for name in "ab"], memory())
    assert request.annotations == ((FOR, iri("a")), (FOR, iri("b")))


def test_bodies_that_differ_in_blank_node_names_are_equal() -> None:
    def body(label: str) -> Formula:
        node = BlankNode(label, "f")
        return Formula((Triple(node, iri("p"), number(1)), Triple(iri("s"), iri("q"), node)))

    requests, _ = ground_requests(
        [bound(template("POST", "c", body(label)), name=f"r:{label}") for label in ("x", "y")], memory()
    )
    assert [r.rules for r in requests] == [("r:x", "r:y")]


def test_the_own_document_may_be_named_absolutely_or_relatively() -> None:
    bodies = [says(number(1), subject=iri("d#it")), says(number(1), subject=IRI(THIS_BASE + "#it"))]
    requests, _ = ground_requests([bound(template("PUT", "d", body)) for body in bodies], memory())
    assert len(requests) == 1


def test_a_document_whose_name_begins_alike_is_another_one() -> None:
    bodies = [says(iri("d2")), says(IRI(THIS_BASE + "2"))]
    requests, _ = ground_requests([bound(template("PUT", "d", body)) for body in bodies], memory())
    assert len(requests) == 2


def test_a_posted_body_names_the_document_that_it_becomes_not_the_container() -> None:
    bodies = [says(number(1), subject=iri("d#it")), says(number(1), subject=IRI(THIS_BASE + "#it"))]
    requests, _ = ground_requests([bound(template("POST", "d", body)) for body in bodies], memory())
    assert len(requests) == 2


def test_fragments_of_the_uri_do_not_count() -> None:
    requests, _ = ground_requests([bound(template("DELETE", uri)) for uri in ("d#a", "d", "d#b")], memory())
    assert [(r.uri, r.target) for r in requests] == [(E + "d", E + "d")]


def test_units_ranks_and_precedence_belong_to_the_edge_and_all_are_kept() -> None:
    one = template("PUT", "d", annotations=((UNIT, iri("u")), (RANK, number(-2)), (PRECEDENCE, number(30))))
    two = template("PUT", "d", annotations=((LAST, TRUE), (UNIT, iri("v")), (UNIT, iri("w"))))
    requests, _ = ground_requests([bound(one, name="r:1"), bound(two, name="r:2")], memory())
    edges = (
        Edge("r:1", iri("u"), -2, 30),
        Edge("r:2", iri("v"), 0, 0, last=True),
        Edge("r:2", iri("w"), 0, 0, last=True),
    )
    assert [(r.edges, r.annotations) for r in requests] == [(edges, ())]


def test_the_instance_is_that_of_the_annotation_the_unit_or_the_target() -> None:
    owner = IRI(GSM + "inArtifactInstance")
    facts = memory(Triple(iri("u"), owner, iri("i1")), Triple(iri("d#it"), owner, iri("i2")))
    by_annotation = template("PUT", "d#it", annotations=((UNIT, iri("u")), (INSTANCE, iri("i0"))))
    by_unit = template("PUT", "d#it", number(1), annotations=((UNIT, iri("u")),))
    by_target = template("PUT", "d#it", number(2))
    unknown = template("PUT", "e", number(3))
    requests, _ = ground_requests([bound(by_annotation, by_unit, by_target, unknown)], facts)
    assert [r.instances for r in requests] == [(E + "i0",), (E + "i1",), (E + "i2",), ()]


def test_a_method_may_be_a_variable() -> None:
    one = template(VAR, "d")
    requests, findings = ground_requests(
        [bound(one, x=IRI(METHODS + name)) for name in ("PUT", "BREW", "GET")], memory()
    )
    assert [r.method for r in requests] == ["PUT"]
    assert [f.code for f in findings] == ["ASM102", "ASM102"]
    assert "BREW is not supported" in findings[0].message
    assert "GET cannot be decided" in findings[1].message


@pytest.mark.parametrize(
    ("term", "why"),
    [
        (Literal("http://w/"), '"http://w/" is not an IRI'),
        (BlankNode("b0", "d"), "a blank node is not an IRI"),
        (IRI("file:///etc/passwd"), "file:///etc/passwd is not an http or https IRI"),
        (IRI("http://"), "http:// is not an http or https IRI"),
        (IRI("http://[::1"), "http://[::1 is not an http or https IRI"),
        (IRI("http://w:99999/"), "http://w:99999/ is not an http or https IRI"),
        (IRI("urn:x:y"), "urn:x:y is not an http or https IRI"),
        (IRI(THIS_BASE + "#it"), f"{THIS_BASE}#it is a relative reference, not a document on the Web"),
    ],
)
def test_a_write_to_what_is_no_document_is_named_and_a_get_is_not(term: Term, why: str) -> None:
    requests, findings = ground_requests([bound(template("PUT", VAR), x=term)] * 2, memory())
    assert (requests, [(f.code, f.message) for f in findings]) == (
        (),
        [("ASM101", f"request not sent: {why}")],
    )
    assert ground_requests([bound(template("GET", VAR), x=term)], memory()) == ((), ())


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (says(number(1), subject=Literal("x")), 'the body is not RDF: "x" is a subject'),
        (
            Formula((Triple(iri("s"), BlankNode("p"), iri("o")),)),
            "the body is not RDF: a blank node is a predicate",
        ),
        (says(says(number(1))), "the body is not RDF: it has a formula inside"),
        (iri("o"), f"the body {E}o is neither a formula nor a literal"),
        (says(Variable("free")), "the body is not RDF: ?free has no value"),
    ],
)
def test_a_body_that_turtle_cannot_say_is_named(body: Term, why: str) -> None:
    requests, findings = ground_requests([bound(template("PUT", "d", VAR), x=body)], memory())
    assert (requests, [(f.code, f.message) for f in findings]) == (
        (),
        [("ASM103", f"request not sent: {why}")],
    )


def test_a_body_nested_without_end_is_named_wherever_it_comes_from() -> None:
    deep: Term = number(1)
    for _ in range(20_000):
        deep = ListTerm((deep,))
    written = template("PUT", "d", says(deep))
    retrieved = template("PUT", "d", says(VAR))
    for rule, binding in (bound(written), bound(retrieved, x=deep)):
        requests, findings = ground_requests([(rule, binding)], memory())
        assert (requests, [f.code for f in findings]) == ((), ["ASM103"])


def test_header_fields_that_would_break_a_message_are_refused() -> None:
    def field(name: str, value: str) -> tuple[tuple[Term, Term], ...]:
        return ((Literal(name), Literal(value)),)

    good = template("PUT", "d", headers=field("Slug", "a"))
    bad = [field("X", "a\r\nY: b"), field("X Y", "a"), field("Content-Length", "3"), field("", "a")]
    requests, findings = ground_requests(
        [bound(good), *(bound(template("PUT", "e", headers=one)) for one in bad)], memory()
    )
    assert requests == (asked("PUT", "d", headers=(("Slug", "a"),)),)
    assert [f.code for f in findings] == ["ASM105"] * 4


def test_ranks_must_be_integers() -> None:
    one = template("PUT", "d", annotations=((RANK, Literal("first")),))
    requests, findings = ground_requests([bound(one)], memory())
    assert (requests, [f.code for f in findings]) == ((), ["ASM106"])


def test_a_delete_has_no_body() -> None:
    requests, findings = ground_requests([bound(template("DELETE", "d", number(1)))], memory())
    assert (requests, [f.code for f in findings]) == ((), ["ASM103"])


def test_the_order_of_bindings_does_not_matter() -> None:
    bindings = [bound(template("POST", "c", number(n)), name=f"r:{n}") for n in range(5)]
    assert ground_requests(bindings, memory()) == ground_requests(bindings[::-1], memory())
