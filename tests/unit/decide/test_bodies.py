"""What goes on the wire: relative Turtle, literal bodies, ag:keep and ag:createOnly."""

import pytest

from agent.decide.bodies import Entity, Refusal, render
from agent.decide.request import CREATE_ONLY, KEEP, Body
from agent.rdf.documents import Content, Failed, Gone, Outcome, parse_document
from agent.rdf.terms import IRI, RDF_TYPE, TRUE, BlankNode, Formula, Literal, Term, Triple
from agent.vocab import THIS_BASE
from tests.support.asked import E, asked, iri, number, says

DOC = E + "d"
IT = iri("d#it")
TURTLE = ("Content-Type", "text/turtle")


def content(turtle: str, etag: str = '"v1"', skipped: tuple[str, ...] = ()) -> Content:
    document = parse_document(turtle.encode(), "text/turtle", DOC, strict=True)
    return Content(DOC, DOC, document.triples, etag, "", skipped)


def kept(body: Body, snapshot: Outcome | None) -> Entity | Refusal:
    return render(asked("PUT", "d", body, annotations=((KEEP, TRUE),)), snapshot)


def lines(entity: Entity | Refusal) -> list[str]:
    assert isinstance(entity, Entity)
    return sorted((entity.body or b"").decode().splitlines())


def test_a_formula_goes_out_as_relative_turtle() -> None:
    body = Formula(
        (
            Triple(IRI(THIS_BASE + "#it"), iri("p"), IRI(THIS_BASE)),
            Triple(BlankNode("c", "f"), iri("q"), IT),
            Triple(BlankNode("c", "f"), iri("q"), number(1)),
        )
    )
    entity = render(asked("POST", "d", body), None)
    assert entity == Entity(
        (TURTLE,),
        f"<#it> <{E}p> <> .\n_:b0 <{E}q> <{E}d#it> .\n"
        f'_:b0 <{E}q> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .\n'.encode(),
    )


@pytest.mark.parametrize(
    ("body", "headers", "sent", "media_type"),
    [
        (None, (), None, ""),
        (Literal(""), (), b"", ""),
        (
            Literal('{"http://schema.org/text":"A"}'),
            (),
            b'{"http://schema.org/text":"A"}',
            "application/ld+json",
        ),
        (Literal(" [1]"), (), b" [1]", "application/ld+json"),
        (Literal("{oops"), (), b"{oops", "text/plain"),
        (Literal("[" * 100_000), (), b"[" * 100_000, "text/plain"),
        (Literal("17"), (), b"17", "text/plain"),
        (Literal("on", language="en"), (), b"on", "text/plain"),
        (
            Literal("<> a <#x> .", "https://www.iana.org/assignments/media-types/text/turtle"),
            (),
            b"<> a <#x> .",
            "text/turtle",
        ),
        (
            Literal("<> a <#x> .", "http://www.w3.org/ns/iana/media-types/text/turtle#Resource"),
            (),
            b"<> a <#x> .",
            "text/turtle",
        ),
        (Literal("{}"), (("content-type", "application/json"),), b"{}", ""),
        (Literal("ü"), (("Slug", "a"),), "ü".encode(), "text/plain"),
    ],
)
def test_a_literal_goes_out_as_it_is(
    body: Body, headers: tuple[tuple[str, str], ...], sent: bytes | None, media_type: str
) -> None:
    given = (*headers, ("Content-Type", media_type)) if media_type else headers
    assert render(asked("PUT", "d", body, headers=headers), None) == Entity(tuple(sorted(given)), sent)


def test_keep_replaces_what_the_body_mentions_and_sends_back_the_rest() -> None:
    before = content(
        f'<#it> <{E}state> <{E}old>, <{E}older>; <{E}label> "L"; <{E}n> [ <{E}m> 1 ]. <#other> <{E}state> 2.'
    )
    entity = kept(Formula((Triple(IT, iri("state"), iri("new")),)), before)
    assert lines(entity) == [
        f'<#it> <{E}label> "L" .',
        f"<#it> <{E}n> _:b0 .",
        f"<#it> <{E}state> <{E}new> .",
        f'<#other> <{E}state> "2"^^<http://www.w3.org/2001/XMLSchema#integer> .',
        f'_:b0 <{E}m> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .',
    ]
    assert isinstance(entity, Entity)
    assert (entity.headers, entity.caution) == ((TURTLE, ("If-Match", '"v1"')), "")


@pytest.mark.parametrize("subject", [IT, IRI(THIS_BASE + "#it")])
def test_keep_takes_absolute_and_relative_names_for_the_same(subject: Term) -> None:
    entity = kept(Formula((Triple(subject, iri("state"), number(2)),)), content(f"<{DOC}#it> <{E}state> 1."))
    assert lines(entity) == [f'<#it> <{E}state> "2"^^<http://www.w3.org/2001/XMLSchema#integer> .']


def test_keep_adds_types() -> None:
    entity = kept(Formula((Triple(IT, RDF_TYPE, iri("B")),)), content(f"<#it> a <{E}A>."))
    assert lines(entity) == [
        f"<#it> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{E}A> .",
        f"<#it> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{E}B> .",
    ]


def test_keep_sends_several_values_of_one_pair() -> None:
    entity = kept(says(number(1), number(2), subject=IT), content(f"<#it> <{E}p> 3, 1."))
    assert len(lines(entity)) == 2


@pytest.mark.parametrize(
    ("snapshot", "why"),
    [
        (None, "the document was not read in this step"),
        (Gone(DOC, 404), "there is no such document"),
        (Failed(DOC, "timed out"), "the document could not be read in this step (timed out)"),
        (content("", skipped=("x",)), "some statements of the document could not be read, and would be lost"),
    ],
)
def test_keep_needs_the_document_as_read_in_this_step(snapshot: Outcome | None, why: str) -> None:
    assert kept(says(number(1)), snapshot) == Refusal(f"ag:keep: {why}")


def test_keep_cannot_merge_a_text() -> None:
    assert kept(Literal("x"), content("")) == Refusal("ag:keep needs a formula as body")


@pytest.mark.parametrize("etag", ["", 'W/"v1"'])
def test_keep_without_a_strong_validator_is_sent_and_said_to_be_unguarded(etag: str) -> None:
    entity = kept(says(number(1)), content("", etag))
    assert isinstance(entity, Entity)
    assert entity.headers == (TURTLE,)
    assert entity.caution == "the server gives no strong validator, so a change by others can be lost"


def test_create_only_leaves_an_existing_document_alone_and_needs_no_reading() -> None:
    flags = ((CREATE_ONLY, TRUE), (KEEP, TRUE))
    entity = render(asked("PUT", "d", says(number(1)), annotations=flags), None)
    assert isinstance(entity, Entity)
    assert entity.headers == (TURTLE, ("If-None-Match", "*"))
    assert len(lines(entity)) == 1


def test_keep_means_nothing_for_other_methods() -> None:
    assert render(asked("DELETE", "d", annotations=((KEEP, TRUE),)), None) == Entity((), None)
