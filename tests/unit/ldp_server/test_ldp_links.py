"""Link headers: which interaction model a client asks for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_server.faults import Problem
from ldp_server.kinds import Kind
from ldp_server.links import asks_for_container, asks_for_rdf, companion_link, type_links

LDP = "http://www.w3.org/ns/ldp#"


@pytest.mark.parametrize(
    ("headers", "container"),
    [
        ([], False),
        ([f'<{LDP}Resource>; rel="type"'], False),
        ([f'<{LDP}BasicContainer>; rel="type"'], True),
        ([f"<{LDP}BasicContainer>;rel=type"], True),
        ([f'<{LDP}Resource>; rel="type", <{LDP}BasicContainer>; rel="x TYPE"'], True),
        ([f'<{LDP}Resource>; rel="type"', f'<{LDP}Container>; title="a,b"; rel="type"'], True),
        ([f'<{LDP}BasicContainer>; rel="describedby"'], False),
        ([f"<{LDP}BasicContainer>"], False),
        (["rubbish"], False),
        ([f'<{LDP}BasicContainer>; title="; rel=type"'], False),
        ([f'<{LDP}BasicContainer>; title="a \\"; rel=type"; REL = "type"'], True),
        ([f"<{LDP}BasicContainer>; rel; rel=type"], False),
        ([f"<{LDP}BasicContainer>; rel=author; rel=type"], False),
        ([f"<{LDP}BasicContainer>; rel*=x; rel=type"], True),
    ],
)
def test_a_container_is_made_only_when_asked_for(headers: list[str], container: bool) -> None:
    assert asks_for_container(headers) is container


@pytest.mark.parametrize("kind", ["DirectContainer", "IndirectContainer", "Nonsense"])
def test_another_interaction_model_is_refused(kind: str) -> None:
    with pytest.raises(Problem, match=kind) as refused:
        asks_for_container([f'<{LDP}{kind}>; rel="type"'])
    assert refused.value.status == 409


@given(st.lists(st.text(alphabet='<>;,="rel typ\\x', max_size=60), max_size=3))
def test_no_link_header_breaks_the_reading(headers: list[str]) -> None:
    assert asks_for_container(headers) in {True, False}


def test_what_a_resource_is_says_so_itself() -> None:
    assert asks_for_container([type_links(Kind.CONTAINER)])
    assert not asks_for_container([type_links(Kind.DOCUMENT)])


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (["Resource"], None),
        (["NonRDFSource"], False),
        (["Resource", "NonRDFSource"], False),
        (["RDFSource"], True),
        (["BasicContainer"], True),
    ],
)
def test_rdf_or_not_is_what_the_links_ask_for(kinds: list[str], expected: bool | None) -> None:
    assert asks_for_rdf(f'<{LDP}{kind}>; rel="type"' for kind in kinds) is expected


def test_rdf_and_not_at_once_is_refused() -> None:
    with pytest.raises(Problem, match="at once"):
        asks_for_rdf([type_links(Kind.BINARY), type_links(Kind.DOCUMENT)])


def test_content_and_description_name_each_other() -> None:
    assert (
        companion_link("http://h/p", Kind.BINARY)
        == '<http://h/p.meta>; rel="describedby"; anchor="http://h/p"'
    )
    assert companion_link("http://h/p.meta", Kind.DESCRIPTION) == '<http://h/p>; rel="describes"'
    assert companion_link("http://h/p", Kind.DOCUMENT) == ""
