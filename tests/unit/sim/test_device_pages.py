"""Simulated devices answer like devices, over real sockets, and fail like devices."""

import json

import pytest
from aiohttp import ClientPayloadError, ClientSession, ClientTimeout, ServerDisconnectedError

from agent.rdf.documents import parse_document
from agent.rdf.terms import IRI, XSD_DECIMAL, Literal
from agent.sim.devices import HAS_SIMPLE_RESULT, Happening
from agent.sim.faults import TEXT_FOR_A_NUMBER, Fault, HalfDocument, Hang, ServerError
from tests.support.sim import served_building

SIREN_ON = b'<#state> <http://www.w3.org/ns/sosa/hasSimpleResult> "on" .'
TURTLE = {"Content-Type": "text/turtle"}


async def state_at(session: ClientSession, path: str, accept: str = "text/turtle") -> Literal:
    async with session.get(path, headers={"Accept": accept}) as answer:
        assert answer.status == 200
        document = parse_document(await answer.read(), answer.content_type, str(answer.url), strict=True)
    (state,) = {
        triple.object
        for triple in document.triples
        if triple.predicate == HAS_SIMPLE_RESULT and triple.subject == IRI(f"{answer.url}#state")
    }
    assert isinstance(state, Literal)
    return state


@pytest.mark.parametrize("accept", ["text/turtle", "application/n-triples", "application/ld+json"])
async def test_a_device_says_the_same_in_every_syntax(accept: str) -> None:
    async with served_building() as (_, session):
        assert await state_at(session, "/devices/smoke", accept) == Literal("0.02", XSD_DECIMAL)
        assert await state_at(session, "/devices/siren", accept) == Literal("off")


async def test_json_ld_is_json() -> None:
    accept = {"Accept": "application/ld+json"}
    async with served_building() as (_, session), session.get("/devices/siren", headers=accept) as answer:
        assert answer.content_type == "application/ld+json"
        assert json.loads(await answer.text())


@pytest.mark.parametrize(
    ("accept", "answered"),
    [
        ("*/*", "text/turtle"),
        ("application/*", "application/n-triples"),
        ("text/turtle;q=0.1, application/ld+json", "application/ld+json"),
        ("text/turtle;q=0, */*", "application/n-triples"),
        ("image/png", None),
        ("text/turtle;q=zero", None),
    ],
)
async def test_the_most_liked_syntax_is_chosen(accept: str, answered: str | None) -> None:
    async with (
        served_building() as (_, session),
        session.get("/devices/siren", headers={"Accept": accept}) as answer,
    ):
        assert (answer.status, answer.content_type if answer.status == 200 else None) == (
            200 if answered else 406,
            answered,
        )


async def test_a_put_changes_the_state_and_is_recorded() -> None:
    async with served_building() as (pages, session):
        async with session.put("/devices/siren", data=SIREN_ON, headers=TURTLE) as answer:
            assert answer.status == 204
        assert await state_at(session, "/devices/siren") == Literal("on")
        assert pages.devices.happenings == [Happening("siren", "on", "http")]


async def test_a_put_of_plain_text_is_enough() -> None:
    async with served_building() as (_, session):
        async with session.put(
            "/devices/smoke", data=b"0.9\n", headers={"Content-Type": "text/plain"}
        ) as answer:
            assert answer.status == 204
        assert await state_at(session, "/devices/smoke") == Literal("0.9", XSD_DECIMAL)


async def test_a_validator_lives_as_long_as_its_version() -> None:
    async with served_building() as (_, session):
        async with session.get("/devices/siren") as answer:
            etag = answer.headers["ETag"]
        async with session.get("/devices/siren", headers={"If-None-Match": etag}) as answer:
            assert (answer.status, await answer.read()) == (304, b"")
        async with session.put(
            "/devices/siren", data=SIREN_ON, headers=TURTLE | {"If-Match": etag}
        ) as answer:
            assert answer.status == 204
        async with session.get("/devices/siren", headers={"If-None-Match": etag}) as answer:
            assert answer.status == 200
        async with session.put(
            "/devices/siren", data=SIREN_ON, headers=TURTLE | {"If-Match": etag}
        ) as answer:
            assert answer.status == 412


@pytest.mark.parametrize(
    ("body", "media_type", "status"),
    [
        (b"<#state> <http://www.w3.org/ns/sosa/hasSimpleResult> ", "text/turtle", 400),
        (b"<#state> <http://www.w3.org/ns/sosa/hasSimpleResult> 'loud' .", "text/turtle", 422),
        (b"<#it> <http://www.w3.org/ns/sosa/hasSimpleResult> 'on' .", "text/turtle", 422),
        (b"<#state> <http://www.w3.org/ns/sosa/hasSimpleResult> 'on', 'off' .", "text/turtle", 422),
        (b"", "text/plain", 422),
        (b"\xff\xfe", "text/plain", 422),
        (b"x" * 70_000, "text/plain", 413),
        (b"{}", "image/png", 400),
    ],
)
async def test_a_bad_put_changes_nothing(body: bytes, media_type: str, status: int) -> None:
    async with served_building() as (pages, session):
        async with session.put("/devices/siren", data=body, headers={"Content-Type": media_type}) as answer:
            assert answer.status == status
        assert pages.devices.happenings == []
        assert await state_at(session, "/devices/siren") == Literal("off")


async def test_other_methods_and_unknown_devices_are_refused() -> None:
    async with served_building() as (_, session):
        async with session.delete("/devices/siren") as answer:
            assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD, PUT")
        async with session.get("/devices/lift") as answer:
            assert (answer.status, "east-door" in await answer.text()) == (404, True)


async def test_the_listing_names_every_device() -> None:
    async with served_building() as (_, session), session.get("/devices/") as answer:
        document = parse_document(await answer.read(), answer.content_type, str(answer.url), strict=True)
        listed = sorted(triple.object.value for triple in document.triples if isinstance(triple.object, IRI))
        assert listed == [f"{answer.url}{name}" for name in ("east-door", "siren", "smoke", "west-door")]


@pytest.mark.parametrize("fault", [Hang(), ServerError(503), HalfDocument(), TEXT_FOR_A_NUMBER])
async def test_a_fault_shows_as_such_and_goes_away_again(fault: Fault) -> None:
    async with served_building() as (pages, session):
        pages.faults["smoke"] = fault
        match fault:
            case Hang():
                with pytest.raises(TimeoutError):
                    await session.get("/devices/smoke", timeout=ClientTimeout(total=0.3))
                async with session.get("/devices/siren") as other:
                    assert other.status == 200
            case ServerError(status):
                async with session.get("/devices/smoke") as answer:
                    assert answer.status == status
            case HalfDocument():
                with pytest.raises((ClientPayloadError, ServerDisconnectedError)):
                    async with session.get("/devices/smoke") as answer:
                        await answer.read()
            case _:
                assert await state_at(session, "/devices/smoke") == Literal("abc")
        del pages.faults["smoke"]
        assert await state_at(session, "/devices/smoke") == Literal("0.02", XSD_DECIMAL)
