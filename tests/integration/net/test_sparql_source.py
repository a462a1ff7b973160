"""SPARQL endpoints as sources, over real sockets."""

import asyncio
from collections.abc import AsyncIterator
from urllib.parse import parse_qs, urlsplit

import pytest

from agent.fetch.polling import Sources
from agent.messages import Answer, Get, NoAnswer
from agent.rdf.answers import read_answer
from agent.rdf.documents import Content
from agent.rdf.endpoints import construct_uri
from agent.settings import Settings
from agent.transport.client import Client
from tests.support.devices import Behaviour, Device, answer, device, half_a_body, redirect
from tests.support.telling import answer_to

QUERY = 'CONSTRUCT { ?s a <http://e/T> } WHERE { ?s ?p "é +" }'


@pytest.fixture
async def here() -> AsyncIterator[Device]:
    async with device() as it:
        yield it


async def ask(
    uri: str, *hosts: str, mapping: tuple[tuple[str, str], ...] = (), endpoints: tuple[str, ...] = ()
) -> Answer | NoAnswer:
    settings = Settings(
        allowed_hosts=frozenset(hosts), mapping=mapping, max_body_bytes=1000, request_timeout_s=1.0,
        credentials={"http://sparql.example": {"Authorization": "Bearer secret"}},
    )  # fmt: skip
    async with Client(settings) as client:
        client.policy.name_endpoints(*endpoints)
        sources = Sources(client, asyncio.get_running_loop().time)
        return await answer_to(sources, Get(uri))


async def test_the_result_of_a_construct_query_is_a_document(here: Device) -> None:
    path = "/sparql?graph=g&query=CONSTRUCT+%7B+%3Fs+a+%3Chttp%3A//e/T%3E+%7D+WHERE+%7B+%3Fs+%3Fp+%22%C3%A9+%2B%22+%7D"
    here.does(path, answer("<#it> a <http://e/T> ."))
    uri = construct_uri(here.base + "/sparql?graph=g", QUERY)
    outcome = read_answer(await ask(uri, "127.0.0.1"))
    assert isinstance(outcome, Content)
    assert (outcome.uri, len(outcome.triples), outcome.tainted) == (uri, 1, False)
    assert parse_qs(urlsplit(here.asked[0].path).query) == {"graph": ["g"], "query": [QUERY]}
    assert here.asked[0].headers["accept"].startswith("application/turtle,text/turtle")


async def test_a_long_query_is_posted_to_an_endpoint_that_somebody_named(here: Device) -> None:
    query = QUERY + " #" + "x" * 2000
    endpoint = here.does("/sparql", answer())
    uri = construct_uri(endpoint + "?graph=g", query)
    refused = await ask(uri, "127.0.0.1")
    assert isinstance(refused, NoAnswer)
    assert refused.reason == f"a query this long is posted, and nobody named {endpoint} as ag:endpoint"
    assert here.asked == []
    assert isinstance(await ask(uri, endpoints=(endpoint + "?graph=g",)), Answer)
    assert (here.asked[0].method, parse_qs(here.asked[0].body.decode())) == (
        "POST",
        {"graph": ["g"], "query": [query]},
    )


async def test_a_mapped_endpoint_is_reached_elsewhere_with_its_name_and_credentials(here: Device) -> None:
    here.does("/sparql?query=CONSTRUCT+WHERE+%7B%7D", answer())
    uri = construct_uri("http://sparql.example/sparql", "CONSTRUCT WHERE {}")
    assert isinstance(await ask(uri, mapping=(("http://sparql.example", here.base),)), Answer)
    headers = here.asked[0].headers
    assert (headers["host"], headers["authorization"]) == ("sparql.example", "Bearer secret")


async def test_an_endpoint_that_nobody_named_is_not_asked(here: Device) -> None:
    uri = construct_uri(here.does("/sparql", answer()), QUERY)
    result = await ask(uri, "elsewhere")
    assert isinstance(result, NoAnswer)
    assert result.reason.startswith("host refused by policy")
    public = await ask(construct_uri("http://sparql.example/", QUERY))
    assert isinstance(public, NoAnswer)
    assert public.reason == "host refused by policy: nobody named the SPARQL endpoint http://sparql.example/"
    assert here.asked == []


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        (answer("", status=400), "the SPARQL endpoint answered 400"),
        (answer("", status=404), "the SPARQL endpoint answered 404"),
        (answer("", status=500), "the SPARQL endpoint answered 500"),
        (answer("", status=503), "the SPARQL endpoint answered 503"),
        (answer(b"x" * 1001), "larger than 1000 bytes"),
        (half_a_body(), "the answer broke off"),
        (half_a_body(chunked=True), "the answer broke off"),
    ],
)
async def test_trouble_with_an_endpoint_is_a_failure(here: Device, behaviour: Behaviour, reason: str) -> None:
    here.does("/sparql?query=CONSTRUCT+WHERE+%7B%7D", behaviour)
    result = await ask(construct_uri(here.base + "/sparql", "CONSTRUCT WHERE {}"), "127.0.0.1")
    assert isinstance(result, NoAnswer)
    assert result.reason.startswith(reason)


async def test_an_endpoint_that_hangs_is_bounded(here: Device) -> None:
    here.does("/sparql?query=CONSTRUCT+WHERE+%7B%7D", here.hang())
    result = await ask(construct_uri(here.base + "/sparql", "CONSTRUCT WHERE {}"), "127.0.0.1")
    here.released.set()
    assert isinstance(result, NoAnswer)
    assert result.reason == "no answer within 1 s"


async def test_an_endpoint_is_not_asked_through_a_proxy_that_the_environment_names(
    here: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    here.does("/sparql?query=CONSTRUCT+WHERE+%7B%7D", answer())
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.setenv("no_proxy", "")

    assert isinstance(
        await ask(construct_uri(here.base + "/sparql", "CONSTRUCT WHERE {}"), "127.0.0.1"), Answer
    )


async def test_credentials_for_an_endpoint_do_not_follow_a_redirect_to_another_origin(here: Device) -> None:
    async with device() as other:
        other.does("/elsewhere", answer())
        here.does("/sparql?query=CONSTRUCT+WHERE+%7B%7D", redirect(other.base + "/elsewhere"))
        uri = construct_uri("http://sparql.example/sparql", "CONSTRUCT WHERE {}")

        await ask(uri, "127.0.0.1", mapping=(("http://sparql.example", here.base),))

        assert "authorization" in here.asked[0].headers
        assert [("authorization" in asked.headers) for asked in other.asked] == [False]
