"""Results of SPARQL endpoints have URIs."""

import pytest

from agent.rdf.endpoints import GraphQuery, construct_uri, graph_query_of, name_of

QUERY = 'CONSTRUCT { ?s a <http://e/T&x> } WHERE { ?s ?p "é +" }'


@pytest.mark.parametrize(
    ("endpoint", "parameters"),
    [("http://h/sparql", ()), ("http://h/sparql?graph=a%20b&x=", (("graph", "a b"), ("x", "")))],
)
def test_the_uri_tells_endpoint_and_query(endpoint: str, parameters: tuple[tuple[str, str], ...]) -> None:
    assert graph_query_of(construct_uri(endpoint, QUERY)) == GraphQuery("http://h/sparql", QUERY, parameters)


@pytest.mark.parametrize(
    "uri",
    [
        "http://h/a",
        "http://h/a?b=c",
        "http://h/search?query=milk",
        "http://h/?query=ASK%7B%7D",
        "http://[::/?query=CONSTRUCT",
        f"{construct_uri('http://h/', QUERY)}&query=x",
    ],
)
def test_other_documents_are_no_results_of_endpoints(uri: str) -> None:
    assert graph_query_of(uri) is None


def test_people_read_what_is_asked_of_which_endpoint() -> None:
    assert name_of("http://h/search?query=milk") == "http://h/search?query=milk"
    assert (
        name_of(construct_uri("http://h/", "CONSTRUCT\n WHERE { }")) == "http://h/ asked CONSTRUCT WHERE { }"
    )
    assert len(name_of(construct_uri("http://h/", QUERY * 9))) < 90


def test_every_text_and_endpoint_has_a_uri() -> None:
    assert construct_uri("http://h/s#f", "\ud800") == "http://h/s?query=%3F"
