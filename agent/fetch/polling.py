"""Sources: documents that are asked for again and again, politely and without waiting for the slow ones.

A step waits for a source until its deadline. Later the source has failed in that step; the request goes on outside,
and until it ends every further step takes the source as failed at once. Its answer makes the source available
again: the next step asks anew, conditionally.

Kept representations are confirmed by their validator (If-None-Match) in every step; they are used without asking
only within the minimum period, which does not bind documents of the status container, and never for a document
that the agent wrote since. Last-Modified is no validator here: two changes within a second would look like none.
"""

import asyncio
import math
from collections.abc import Callable, Coroutine
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from agent.fetch.answers import answer_from
from agent.fetch.origins import Origin
from agent.fetch.pace import UNPACED, Pace
from agent.messages import Answer, Get, Headers, NoAnswer
from agent.rdf.endpoints import GraphQuery, graph_query_of
from agent.rdf.terms import document_of
from agent.settings import origin_of
from agent.transport.client import Client, NoReplyError, Reply
from agent.transport.errands import Errand, fault_of
from agent.transport.patience import Patience

FORGET_AFTER_STEPS = 100
"""A source that no step has asked for this long is forgotten, with what was kept of it."""

SHORTEST_WAIT_S = 0.5
"""What a source has inside a step however short the interval is: a busy machine answers late, and is not broken."""

Result: TypeAlias = Answer | NoAnswer
Tell: TypeAlias = Callable[[Result], None]
"""Who is told of a result."""


class _Source(Struct):
    """What is known about one document.

    ``kept`` has a validator, and ``confirmed`` is what a 304 makes of it; ``last`` is what the last request brought.
    """

    headers: Headers
    origin: Origin
    query: GraphQuery | None
    kept: Answer | None = None
    confirmed: Answer | None = None
    last: Result | None = None
    asked_at: float = -math.inf
    not_before: float = -math.inf
    failures: int = 0
    written: bool = False
    late: "asyncio.Task[None] | None" = None
    last_step: int = 0


class Sources:
    """The documents of a run; ``monotonic`` is a time in seconds that never goes back.

    ``interval_s`` is the time between steps (0: none). It bounds the deadline of a source inside a step together with
    the time-outs of the client's settings, but not below ``SHORTEST_WAIT_S``. ``is_status`` tells which documents belong to the status container.
    """

    def __init__(
        self,
        client: Client,
        monotonic: Callable[[], float],
        *,
        pace: Pace = UNPACED,
        interval_s: float = 0.0,
        is_status: Callable[[str], bool] = lambda _uri: False,
    ) -> None:
        settings = client.settings
        own_pace_s = max(interval_s, SHORTEST_WAIT_S) if interval_s else math.inf
        self._patience: Patience[_Asking] = Patience(
            min(settings.step_deadline_s, settings.request_timeout_s, own_pace_s), self._give_up
        )
        self._client = client
        self._monotonic = monotonic
        self._pace = pace
        self._is_status = is_status
        self._sources: dict[str, _Source] = {}
        self._origins: dict[str, Origin] = {}
        self._step = 0

    @property
    def deadline_s(self) -> float:
        """The time that a source has inside a step."""
        return self._patience.seconds

    @deadline_s.setter
    def deadline_s(self, seconds: float) -> None:
        self._patience.seconds = seconds

    def begin_step(self) -> None:
        """Take note that a new step begins, and forget sources of long ago."""
        self._step += 1
        if self._step % FORGET_AFTER_STEPS:
            return
        for uri in [uri for uri, source in self._sources.items() if self._is_long_ago(source)]:
            del self._sources[uri]

    def wrote(self, uri: str) -> None:
        """Take note that the agent wrote to ``uri``: it and its container are asked for anew whatever the pace."""
        document = document_of(uri)
        container = document.rstrip("/").rpartition("/")[0] + "/"
        for written in (document, container):
            source = self._sources.get(written)
            if source is not None:
                source.written = True

    def ask(self, get: Get, tell: Tell) -> None:
        """Have ``tell`` called once with the answer to ``get`` as of this step, at the deadline at the latest.

        What needs no request is told at once. Whatever is wrong with the world, or with us, is told as NoAnswer.
        """
        source = self._source(get)
        known = self._without_asking(source, get.uri)
        if known is None:
            source.origin.lane.add(_Asking(self, source, get, tell))
        else:
            tell(known)

    async def abandon(self) -> None:
        """Give up what this step still waits for, and wait until it has ended; nobody is told."""
        for origin in self._origins.values():
            await origin.lane.clear()

    async def close(self) -> None:
        """Give up the requests that still go on."""
        await self.abandon()
        self._patience.close()
        late = [source.late for source in self._sources.values() if source.late is not None]
        for request in late:
            request.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def carry_out(self, asking: "_Asking") -> None:
        """Ask, and tell the answer unless the step has stopped waiting for it."""
        uri, source = asking.get.uri, asking.source
        if source.origin.is_silent:
            asking.tell(NoAnswer(uri, "its server leaves all requests unanswered"))
            return
        self._patience.begin(asking)
        in_time = False
        result: Result
        try:
            result = await self._ask(source, asking.get)
        except Exception as error:  # noqa: BLE001  a step that waits for a lost answer would never end
            result = NoAnswer(uri, fault_of(error))
        finally:
            in_time = self._patience.end(asking)
        if in_time:
            asking.tell(result)

    def _give_up(self, asking: "_Asking") -> None:
        """Let a request go on outside the step that it is too late for."""
        source = asking.source
        source.late = source.origin.lane.leave(asking)
        source.origin.left_waiting(source.late)
        asking.tell(NoAnswer(asking.get.uri, f"no answer within {self.deadline_s:g} s"))

    def _source(self, get: Get) -> _Source:
        source = self._sources.get(get.uri)
        if source is None or source.headers != get.headers or self._is_long_ago(source):
            query = graph_query_of(get.uri)
            source = self._sources[get.uri] = _Source(get.headers, self._origin(get.uri), query)
        source.last_step = self._step
        return source

    def _is_long_ago(self, source: _Source) -> bool:
        return source.last_step < self._step - FORGET_AFTER_STEPS and source.late is None

    def _origin(self, uri: str) -> Origin:
        try:
            name = origin_of(uri)
        except ValueError:
            name = ""
        origin = self._origins.get(name)
        if origin is None:
            origin = self._origins[name] = Origin(self._client.settings.requests_per_host)
        return origin

    def _without_asking(self, source: _Source, uri: str) -> Result | None:
        """Return what is to be said about a source that is not to be asked now, or None."""
        if source.late is not None:
            if not source.late.done():
                return NoAnswer(uri, "still no answer to the request of an earlier step")
            source.late = None
        if source.written or source.last is None:
            return None
        now = self._monotonic()
        if now < source.not_before:
            return _again_in(source.last, source.not_before - now)
        if now - source.asked_at < self._pace.min_period_s and not self._is_status(uri):
            source.last = _unchanged(source.last)
            return source.last
        return None

    async def _ask(self, source: _Source, get: Get) -> Result:
        source.written = False
        source.asked_at = self._monotonic()
        reply: Reply | None = None
        result: Result
        try:
            if source.query is not None:
                from agent.fetch.sparql_source import ask_endpoint  # noqa: PLC0415  loads rdflib, which most runs spare

                result = await ask_endpoint(self._client, get.uri, source.query)
            else:
                reply = await self._reply(source, get)
                result = self._read(source, get.uri, reply)
            source.origin.answered()
        except NoReplyError as error:
            result = NoAnswer(get.uri, error.reason)
        self._remember(source, result, reply)
        return result

    async def _reply(self, source: _Source, get: Get) -> Reply:
        kept = source.kept
        if kept is None:
            return await self._client.get(get.uri, get.headers)
        reply = await self._client.get(get.uri, get.headers, kept.etag)
        if reply.status == 304 and reply.uri != kept.final_uri:
            # The redirect leads elsewhere now; a validator says nothing about another resource.
            return await self._client.get(get.uri, get.headers)
        return reply

    def _read(self, source: _Source, uri: str, reply: Reply) -> Result:
        if reply.status == 304:
            if source.kept is None:
                return NoAnswer(uri, "the server answered 304, which was not asked for")
            if source.confirmed is None:
                source.confirmed = replace(source.kept, unchanged=True)
            return source.confirmed
        result = answer_from(uri, reply)
        if isinstance(result, Answer) and result.status in (200, 404, 410):
            source.kept = result if result.status == 200 and result.etag else None
            source.confirmed = None
        return result

    def _remember(self, source: _Source, result: Result, reply: Reply | None) -> None:
        source.last = result
        if isinstance(result, Answer) and (result.status < 300 or result.status in (404, 410)):
            source.failures = 0
            source.not_before = -math.inf
            return
        source.failures += 1
        retry_after = "" if reply is None else reply.headers.get("retry-after", "")
        source.not_before = self._monotonic() + self._pace.delay_s(source.failures, retry_after)


class _Asking(Errand):
    """A Get of this step that needs a request."""

    __slots__ = ("get", "source", "sources", "tell")

    def __init__(self, sources: Sources, source: _Source, get: Get, tell: Tell) -> None:
        super().__init__()
        self.sources = sources
        self.source = source
        self.get = get
        self.tell = tell

    def run(self) -> Coroutine[None, None, None]:
        return self.sources.carry_out(self)


def _unchanged(result: Result) -> Result:
    if isinstance(result, NoAnswer) or result.unchanged:
        return result
    return replace(result, unchanged=True)


def _again_in(result: Result, seconds: float) -> Result:
    if isinstance(result, Answer):
        return _unchanged(result)
    return NoAnswer(result.uri, f"{result.reason}; asked again in {math.ceil(seconds)} s")
