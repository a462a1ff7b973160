"""Unsafe requests over real sockets: one Send, one event."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from agent.act.perform import Performer
from agent.messages import Headers, NotWritten, Send, Written
from agent.settings import Settings
from agent.transport.client import Client, Reply
from tests.support.devices import Device, answer, device, half_a_body, hang_up, redirect
from tests.support.telling import outcome_of


@pytest.fixture
async def here() -> AsyncIterator[Device]:
    async with device() as it:
        yield it


@pytest.fixture
async def performer() -> AsyncIterator[Performer]:
    async with Client(Settings(allowed_hosts=frozenset({"127.0.0.1"}), request_timeout_s=0.3)) as client:
        yield Performer(client)


async def test_a_put_goes_out_with_its_conditions_and_body(here: Device, performer: Performer) -> None:
    uri = here.does("/a", answer("", status=204, headers={"ETag": '"2"'}))
    headers = (("Content-Type", "text/turtle"), ("If-Match", '"1"'))
    assert await outcome_of(performer, Send(7, "PUT", uri + "#it", headers, b"<#it> a <#T> .\n")) == Written(
        7, 204, "", '"2"'
    )
    asked = here.asked[0]
    assert (asked.method, asked.path, asked.body) == ("PUT", "/a", b"<#it> a <#T> .\n")
    assert (asked.headers["content-type"], asked.headers["if-match"]) == ("text/turtle", '"1"')


async def test_a_delete_and_an_empty_post_have_no_type(here: Device, performer: Performer) -> None:
    uri = here.does("/a", answer("", status=200))
    assert await outcome_of(performer, Send(1, "DELETE", uri, (), None)) == Written(1, 200)
    assert await outcome_of(performer, Send(2, "POST", uri, (), b"")) == Written(2, 200)
    assert [(asked.method, asked.body, asked.headers.get("content-type")) for asked in here.asked] == [
        ("DELETE", b"", None),
        ("POST", b"", None),
    ]


@pytest.mark.parametrize("location", ["new", "/c/new", "{base}/c/new"])
async def test_a_location_is_absolute(here: Device, performer: Performer, location: str) -> None:
    uri = here.does("/c/", answer("", status=201, headers={"Location": location.format(base=here.base)}))
    assert await outcome_of(performer, Send(1, "POST", uri, (), b"x")) == Written(
        1, 201, here.base + "/c/new"
    )


@pytest.mark.parametrize("status", [400, 404, 409, 412, 428, 500])
async def test_a_refusal_is_an_answer(here: Device, performer: Performer, status: int) -> None:
    uri = here.does("/a", answer("no", status=status))
    assert await outcome_of(performer, Send(1, "PUT", uri, (), b"x")) == Written(1, status)


async def test_a_redirect_that_would_change_the_method_is_an_answer(
    here: Device, performer: Performer
) -> None:
    uri = here.does("/a", redirect("/b", 303))
    assert await outcome_of(performer, Send(1, "POST", uri, (), b"x")) == Written(1, 303, here.base + "/b")
    assert here.methods("/b") == []


async def test_a_post_that_gets_no_answer_goes_out_once(here: Device, performer: Performer) -> None:
    uri = here.does("/a", answer("", status=204), hang_up())
    await outcome_of(performer, Send(1, "POST", uri, (), b"first, so that the connection is used again"))
    lost = "the server closed the connection without an answer"
    assert await outcome_of(performer, Send(2, "POST", uri, (), b"x")) == NotWritten(2, lost)
    assert here.methods("/a") == ["POST", "POST"]


async def test_trouble_is_said(here: Device, performer: Performer) -> None:
    assert await outcome_of(
        performer, Send(1, "PUT", here.does("/a", half_a_body()), (), b"x")
    ) == NotWritten(1, "the answer broke off")
    assert await outcome_of(performer, Send(2, "PUT", here.does("/b", here.hang()), (), b"x")) == NotWritten(
        2, "no answer within 0.3 s"
    )
    assert await outcome_of(performer, Send(3, "PUT", "http://localhost/", (), b"x")) == NotWritten(
        3,
        "host refused by policy: localhost has the address 127.0.0.1, which is not public, and nobody named it",
    )
    assert await outcome_of(performer, Send(4, "PUT", "urn:x", (), b"x")) == NotWritten(
        4, "no request can be sent there: urn:x is no http or https URI"
    )


async def test_a_step_waits_for_a_dead_device_no_longer_than_its_deadline(here: Device) -> None:
    uri = here.does("/siren", here.hang())
    settings = Settings(allowed_hosts=frozenset({"127.0.0.1"}), request_timeout_s=60, step_deadline_s=0.05)
    async with Client(settings) as client:
        performer = Performer(client, is_awaited=lambda uri: "/status/" in uri)

        written = await outcome_of(performer, Send(1, "PUT", uri, (), b"on"))

        assert written == NotWritten(1, "no answer within 0.05 s; the step does not wait longer")
        await performer.close()
    assert [(asked.method, asked.path) for asked in here.asked] == [("PUT", "/siren")]


async def test_a_step_waits_for_writes_of_status_as_long_as_the_client(here: Device) -> None:
    uri = here.does("/status/a", here.hang())
    settings = Settings(allowed_hosts=frozenset({"127.0.0.1"}), request_timeout_s=0.3, step_deadline_s=0.05)
    async with Client(settings) as client:
        performer = Performer(client, is_awaited=lambda uri: "/status/" in uri)

        written = await outcome_of(performer, Send(1, "PUT", uri, (), b"on"))

    assert written == NotWritten(1, "no answer within 0.3 s")


async def test_a_late_write_keeps_its_turn_and_tells_nobody_twice(here: Device) -> None:
    """The second waits for the first, which is slow; both go out, though the step waits for neither."""
    uri = here.does("/siren", here.hang())
    settings = Settings(
        allowed_hosts=frozenset({"127.0.0.1"}),
        step_deadline_s=0.05,
        request_timeout_s=60,
        requests_per_host=1,
    )
    told: list[Written | NotWritten] = []
    async with Client(settings) as client:
        performer = Performer(client, is_awaited=lambda _: False)
        performer.perform(Send(1, "PUT", uri, (), b"on"), told.append)
        await outcome_of(performer, Send(2, "PUT", uri, (), b"off"))
        assert here.methods("/siren") == ["PUT"]

        here.released.set()
        while len(here.asked) < 2:
            here.arrived.clear()
            await here.arrived.wait()
        await performer.close()

    late = "no answer within 0.05 s; the step does not wait longer"
    assert told == [NotWritten(1, late)]
    assert [asked.body for asked in here.asked] == [b"on", b"off"]


async def test_what_is_abandoned_is_not_told_and_late_writes_go_on(here: Device) -> None:
    settings = Settings(allowed_hosts=frozenset({"127.0.0.1"}), request_timeout_s=60, requests_per_host=1)
    told: list[Written | NotWritten] = []
    async with Client(settings) as client, device() as other:
        performer = Performer(client, is_awaited=lambda uri: "/status/" in uri)
        for number, path in enumerate(("/status/a", "/status/b")):
            performer.perform(Send(number, "PUT", here.does(path, here.hang()), (), b"x"), told.append)
        siren = asyncio.ensure_future(
            outcome_of(performer, Send(2, "PUT", other.does("/siren", other.hang()), (), b"on"))
        )
        for each in (here, other):
            while not each.asked:
                each.arrived.clear()
                await each.arrived.wait()

        await performer.abandon()

        here.released.set()
        other.released.set()
        assert await siren == Written(2, 200, "", '"late"')
        assert await outcome_of(performer, Send(3, "PUT", here.does("/c", answer("")), (), b"x")) == Written(
            3, 200
        )
        await performer.close()
    assert told == []
    assert [asked.path for asked in here.asked] == ["/status/a", "/c"]


async def test_a_fault_of_ours_is_told(here: Device) -> None:
    class Broken(Client):
        async def request(self, method: str, uri: str, headers: Headers, body: bytes | None) -> Reply:
            raise ZeroDivisionError("of course")

    performer = Performer(Broken(Settings()))
    assert await outcome_of(performer, Send(1, "PUT", here.base + "/a", (), b"x")) == NotWritten(
        1, "a fault in Milepost: ZeroDivisionError: of course"
    )
