"""Link headers: which interaction model a client asks for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_server.faults import Problem
from ldp_server.links import asks_for_container, type_links

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
    ],
)
def test_a_container_is_made_only_when_asked_for(headers: list[str], container: bool) -> None:
    assert asks_for_container(headers) is container


@pytest.mark.parametrize("kind", ["DirectContainer", "IndirectContainer", "NonRDFSource", "Nonsense"])
def test_another_interaction_model_is_refused(kind: str) -> None:
    with pytest.raises(Problem, match=kind) as refused:
        asks_for_container([f'<{LDP}{kind}>; rel="type"'])
    assert refused.value.status == 409


@given(st.lists(st.text(alphabet='<>;,="rel typ\\x', max_size=60), max_size=3))
def test_no_link_header_breaks_the_reading(headers: list[str]) -> None:
    assert asks_for_container(headers) in {True, False}


def test_what_a_resource_is_says_so_itself() -> None:
    assert asks_for_container([type_links(container=True)])
    assert not asks_for_container([type_links(container=False)])
