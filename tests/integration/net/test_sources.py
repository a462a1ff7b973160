"""Sources over real sockets, with a clock that the test moves: validators, deadlines, pace, late answers."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from agent.fetch.pace import POLITE, UNPACED, Pace
from agent.fetch.polling import FORGET_AFTER_STEPS, Sources
from agent.messages import Answer, Get, Headers, NoAnswer
from agent.settings import Settings
from agent.transport.client import Client, Reply
from tests.support.devices import Device, answer, device, half_a_body, redirect
from tests.support.telling import answer_to

TURTLE = b"<#it> a <#Thing> ."


class Watch:
    """A monotonic clock that stands still until told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Steps:
    """Sources of a run whose steps are one Get each."""

    def __init__(self, client: Client, pace: Pace, status_container: str = "-") -> None:
        self.watch = Watch()
        self.sources = Sources(
            client, self.watch, pace=pace, is_status=lambda uri: uri.startswith(status_container)
        )

    async def step(self, uri: str, seconds: float = 0.0) -> Answer | NoAnswer:
        """Let ``seconds`` pass, then take a step."""
        self.watch.now += seconds
        self.sources.begin_step()
        return await answer_to(self.sources, Get(uri))

    async def first_answer(self, uri: str) -> Answer:
        """Take steps until one gets an answer."""
        for _ in range(2000):
            result = await self.step(uri)
            if isinstance(result, Answer):
                return result
            await asyncio.sleep(0.005)
        pytest.fail("no answer came")

    async def statuses(self, uri: str, *pauses: float) -> list[int | str]:
        """Take a step after each pause and return the statuses or reasons."""
        results = [await self.step(uri, pause) for pause in pauses]
        return [result.status if isinstance(result, Answer) else result.reason for result in results]


@pytest.fixture
async def here() -> AsyncIterator[Device]:
    async with device() as it:
        yield it


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    limits = Settings(
        allowed_hosts=frozenset({"127.0.0.1"}),
        step_deadline_s=0.15,
        request_timeout_s=20.0,
        requests_per_host=3,
    )
    async with Client(limits) as it:
        yield it


@pytest.fixture
async def unpaced(client: Client) -> AsyncIterator[Steps]:
    steps = Steps(client, UNPACED)
    yield steps
    await steps.sources.close()


@pytest.fixture
async def polite(client: Client, here: Device) -> AsyncIterator[Steps]:
    steps = Steps(client, POLITE, here.base + "/status/")
    yield steps
    await steps.sources.close()


def content(uri: str, *, etag: str = "", unchanged: bool = False) -> Answer:
    return Answer(uri, uri, 200, "text/turtle", etag, TURTLE, unchanged)


async def test_a_validator_is_sent_and_304_gives_the_kept_representation(
    here: Device, unpaced: Steps
) -> None:
    uri = here.does("/a", answer(etag='W/"1"'))
    assert await unpaced.step(uri) == content(uri, etag='W/"1"')
    assert await unpaced.step(uri) == content(uri, etag='W/"1"', unchanged=True)
    assert [asked.headers.get("if-none-match") for asked in here.asked] == [None, 'W/"1"']


async def test_a_new_representation_replaces_the_kept_one(here: Device, unpaced: Steps) -> None:
    uri = here.does("/a", answer(etag='"1"'), answer("new", etag='"2"'))
    await unpaced.step(uri)
    changed = await unpaced.step(uri)
    assert isinstance(changed, Answer)
    assert (changed.body, changed.etag, changed.unchanged) == (b"new", '"2"', False)
    assert await unpaced.step(uri) == Answer(uri, uri, 200, "text/turtle", '"2"', b"new", unchanged=True)


async def test_a_representation_is_kept_through_failures_but_not_used_for_them(
    here: Device, unpaced: Steps
) -> None:
    uri = here.does("/a", answer(etag='"1"'), answer("", status=503), half_a_body(), answer(etag='"1"'))
    assert await unpaced.statuses(uri, 0, 0, 0, 0) == [
        200,
        503,
        "the answer broke off",
        200,
    ]
    assert here.asked[-1].headers["if-none-match"] == '"1"'


async def test_without_a_validator_every_step_reads_anew(here: Device, unpaced: Steps) -> None:
    uri = here.does("/a", answer(headers={"Last-Modified": "Fri, 31 Dec 1999 23:59:59 GMT"}))
    assert [await unpaced.step(uri), await unpaced.step(uri)] == [content(uri), content(uri)]
    assert not any(
        "if-modified-since" in asked.headers or "if-none-match" in asked.headers for asked in here.asked
    )


async def test_a_validator_says_nothing_about_the_goal_of_another_redirect(
    here: Device, unpaced: Steps
) -> None:
    here.does("/b", answer(etag='"1"'))
    here.does("/c", answer("<#c> a <#C> .", etag='"1"'))
    uri = here.does("/a", redirect("/b"), redirect("/c"), redirect("/c"))
    first, second = await unpaced.step(uri), await unpaced.step(uri)
    assert isinstance(first, Answer)
    assert isinstance(second, Answer)
    assert (first.final_uri, first.body) == (here.base + "/b", TURTLE)
    assert (second.final_uri, second.body, second.unchanged) == (here.base + "/c", b"<#c> a <#C> .", False)


async def test_304_that_nobody_asked_for_is_a_failure(here: Device, unpaced: Steps) -> None:
    uri = here.does("/a", answer("", status=304))
    assert await unpaced.statuses(uri, 0) == ["the server answered 304, which was not asked for"]


async def test_without_a_pace_every_step_asks_again(here: Device, unpaced: Steps) -> None:
    uri = here.does("/a", answer("", status=500))
    assert await unpaced.statuses(uri, 0, 0, 0) == [500, 500, 500]
    assert len(here.asked) == 3


async def test_a_late_source_has_failed_and_is_not_asked_twice(here: Device, unpaced: Steps) -> None:
    uri = here.does("/a", here.hang(), answer())
    late = "still no answer to the request of an earlier step"
    assert await unpaced.statuses(uri, 0, 0, 0) == ["no answer within 0.15 s", late, late]
    assert len(here.asked) == 1


async def test_a_late_answer_makes_the_source_available_and_is_confirmed(
    here: Device, unpaced: Steps
) -> None:
    uri = here.does("/a", here.hang(), answer(etag='"late"'))
    assert await unpaced.statuses(uri, 0) == ["no answer within 0.15 s"]
    here.released.set()
    result = await unpaced.first_answer(uri)
    assert result == Answer(uri, uri, 200, "text/turtle", '"late"', b"<#late> a <#Answer> .", unchanged=True)
    assert [asked.headers.get("if-none-match") for asked in here.asked] == [None, '"late"']


async def test_a_black_hole_costs_little_however_many_documents_it_has(here: Device, unpaced: Steps) -> None:
    uris = [here.does(f"/{number}", here.hang()) for number in range(12)]
    unpaced.sources.begin_step()
    results = await asyncio.gather(*(answer_to(unpaced.sources, Get(uri)) for uri in uris))
    reasons = {result.reason for result in results if isinstance(result, NoAnswer)}
    assert reasons == {"its server leaves all requests unanswered", "no answer within 0.15 s"}
    assert 3 <= len(here.asked) < 6
    unpaced.sources.begin_step()
    assert await answer_to(unpaced.sources, Get(here.base + "/new")) == NoAnswer(
        here.base + "/new", "its server leaves all requests unanswered"
    )


async def test_a_slow_document_does_not_silence_its_server(here: Device, unpaced: Steps) -> None:
    slow, quick = here.does("/slow", here.hang()), [here.does(f"/{number}", answer()) for number in range(9)]
    unpaced.sources.begin_step()
    results = await asyncio.gather(*(answer_to(unpaced.sources, Get(uri)) for uri in (slow, *quick)))
    assert results == [NoAnswer(slow, "no answer within 0.15 s"), *map(content, quick)]


async def test_slow_documents_among_quick_ones_never_silence_their_server(
    here: Device, unpaced: Steps
) -> None:
    quick = here.does("/quick", answer())
    for number in range(5):
        slow = here.does(f"/slow/{number}", here.hang())
        assert await unpaced.statuses(slow, 0) == ["no answer within 0.15 s"]
        assert await unpaced.statuses(quick, 0) == [200]


async def test_a_silent_server_is_asked_again_when_all_its_requests_have_ended(
    here: Device, unpaced: Steps
) -> None:
    for number in range(3):
        assert await unpaced.statuses(here.does(f"/{number}", here.hang(half_a_body())), 0) == [
            "no answer within 0.15 s"
        ]
    new = here.does("/new", answer())
    assert await unpaced.statuses(new, 0) == ["its server leaves all requests unanswered"]
    here.released.set()
    assert (await unpaced.first_answer(new)).body == TURTLE


async def test_time_in_which_we_were_busy_ourselves_is_not_counted(here: Device, unpaced: Steps) -> None:
    uri = here.does("/a", here.hang())
    asked = asyncio.ensure_future(unpaced.step(uri))
    await here.arrived.wait()
    busy_until = time.monotonic() + 3 * unpaced.sources.deadline_s
    while time.monotonic() < busy_until:
        pass
    here.released.set()
    assert isinstance(await asked, Answer)


async def test_the_deadline_is_the_smallest_of_its_bounds(client: Client) -> None:
    assert Sources(client, Watch()).deadline_s == 0.15
    assert Sources(client, Watch(), interval_s=5.0).deadline_s == 0.15
    async with Client(Settings()) as usual:
        found = [Sources(usual, Watch(), interval_s=interval).deadline_s for interval in (0, 5.0, 1.0, 0.02)]
    assert found == [2.0, 2.0, 1.0, 0.5]


async def test_failures_are_left_alone_longer_and_longer(here: Device, polite: Steps) -> None:
    uri = here.does("/status/a", answer("", status=500))
    for asked, pause in enumerate((0, 1, 2, 4, 8, 16, 32, 60, 60), start=1):
        before = await polite.step(uri, pause - 0.5) if pause else None
        assert before is None or (isinstance(before, Answer) and before.status == 500)
        await polite.step(uri, 0.5)
        assert len(here.asked) == asked


async def test_a_failure_without_an_answer_says_when_it_is_asked_again(here: Device, polite: Steps) -> None:
    uri = here.does("/a", half_a_body(), answer())
    lost = "the answer broke off"
    assert await polite.statuses(uri, 0, 0.3, 0.7) == [lost, f"{lost}; asked again in 1 s", 200]


async def test_a_server_may_ask_for_more_patience(here: Device, polite: Steps) -> None:
    uri = here.does("/a", answer("", status=503, headers={"Retry-After": "20"}), answer())
    assert await polite.statuses(uri, 0, 19, 1) == [503, 503, 200]
    assert len(here.asked) == 2


async def test_an_answer_ends_the_row_of_failures(here: Device, polite: Steps) -> None:
    uri = here.does("/a", half_a_body(), half_a_body(), answer(), half_a_body(), answer())
    lost = "the answer broke off"
    assert await polite.statuses(uri, 0, 1, 2, 1, 1) == [lost, lost, 200, lost, 200]


async def test_the_minimum_period_reuses_the_answer_outside_the_status_container(
    here: Device, polite: Steps
) -> None:
    sensor, status = here.does("/sensor", answer()), here.does("/status/a", answer())
    assert await polite.step(sensor) == content(sensor)
    assert await polite.step(sensor, 0.9) == content(sensor, unchanged=True)
    assert await polite.step(sensor, 0.1) == content(sensor)
    assert await polite.statuses(status, 0, 0, 0) == [200, 200, 200]
    assert (len(here.methods("/sensor")), len(here.methods("/status/a"))) == (2, 3)


async def test_absence_is_no_failure(here: Device, polite: Steps) -> None:
    absent, gone = here.does("/status/a", answer("", status=404)), here.does("/b", answer("", status=410))
    assert await polite.statuses(absent, 0, 0, 0) == [404, 404, 404]
    assert await polite.statuses(gone, 0, 0.5, 0.5, 1) == [410, 410, 410, 410]
    assert (len(here.methods("/status/a")), len(here.methods("/b"))) == (3, 3)


async def test_a_document_that_the_agent_wrote_is_read_again_whatever_the_pace(
    here: Device, polite: Steps
) -> None:
    member, container = here.does("/c/a", answer(), half_a_body(), answer()), here.does("/c/", answer())
    await polite.statuses(container, 0)
    await polite.statuses(member, 0)
    polite.sources.wrote(member + "#it")
    assert await polite.statuses(member, 0, 0) == [
        "the answer broke off",
        "the answer broke off; asked again in 1 s",
    ]
    polite.sources.wrote(member)
    assert await polite.statuses(member, 0) == [200]
    assert await polite.statuses(container, 0) == [200]
    assert len(here.methods("/c/")) == 2


async def test_a_document_written_while_its_request_goes_on_is_read_again(
    here: Device, polite: Steps
) -> None:
    uri = here.does("/a", here.hang(), answer("new"))
    assert await polite.statuses(uri, 0) == ["no answer within 0.15 s"]
    polite.sources.wrote(uri)
    here.released.set()
    result = await polite.first_answer(uri)
    assert result.body == b"new"


async def test_sources_of_long_ago_are_forgotten(here: Device, unpaced: Steps) -> None:
    uri = here.does("/a", answer(etag='"1"'))
    await unpaced.step(uri)
    for _ in range(FORGET_AFTER_STEPS - 1):
        unpaced.sources.begin_step()
    await unpaced.step(uri)
    for _ in range(FORGET_AFTER_STEPS + 1):
        unpaced.sources.begin_step()
    await unpaced.step(uri)
    assert [asked.headers.get("if-none-match") for asked in here.asked] == [None, '"1"', None]


async def test_what_is_no_uri_has_failed_like_anything_else(unpaced: Steps) -> None:
    assert await unpaced.statuses("http://[::/", 0) == ["no request can be sent there: Invalid IPv6 URL"]
    assert await unpaced.statuses("urn:x?query=y", 0) == [
        "no request can be sent there: urn:x?query=y is no http or https URI"
    ]


async def test_a_confirmed_answer_is_one_object_however_often_it_is_confirmed(
    here: Device, unpaced: Steps
) -> None:
    uri = here.does("/a", answer(etag='"1"'))
    first, second, third = [await unpaced.step(uri) for _ in range(3)]
    assert first == content(uri, etag='"1"')
    assert second == content(uri, etag='"1"', unchanged=True)
    assert second is third


async def test_an_answer_that_is_used_again_is_one_object(here: Device, polite: Steps) -> None:
    uri = here.does("/sensor", answer())
    _, second, third = [await polite.step(uri, 0.1) for _ in range(3)]
    assert second == content(uri, unchanged=True)
    assert second is third
    assert len(here.asked) == 1


async def test_a_fault_of_ours_loses_no_document(here: Device, client: Client) -> None:
    class Broken(Client):
        async def get(self, uri: str, headers: Headers = (), validator: str = "") -> Reply:
            if uri.endswith("/broken"):
                raise ZeroDivisionError("of course")
            return await client.get(uri, headers, validator)

    uris = [here.does(f"/{name}", answer()) for name in ("a", "broken", "b", "c", "d")]
    sources = Sources(Broken(client.settings), Watch())
    results = await asyncio.gather(*(answer_to(sources, Get(uri)) for uri in uris))
    assert results == [
        NoAnswer(uri, "a fault in Milepost: ZeroDivisionError: of course")
        if uri.endswith("/broken")
        else content(uri)
        for uri in uris
    ]


async def test_what_is_abandoned_is_not_told_and_not_asked_for(here: Device, unpaced: Steps) -> None:
    """Three of the five are under way; late ones of earlier steps go on."""
    late = here.does("/late", here.hang())
    assert await unpaced.statuses(late, 0) == ["no answer within 0.15 s"]
    unpaced.sources.deadline_s = 600.0
    told: list[Answer | NoAnswer] = []
    for number in range(5):
        unpaced.sources.ask(Get(here.does(f"/{number}", here.hang())), told.append)
    while len(here.asked) < 4:
        here.arrived.clear()
        await here.arrived.wait()

    await unpaced.sources.abandon()

    here.released.set()
    assert (await unpaced.first_answer(late)).etag == '"late"'
    assert told == []
    assert [asked.path for asked in here.asked][:4] == ["/late", "/0", "/1", "/2"]
    assert {asked.path for asked in here.asked[4:]} == {"/late"}
