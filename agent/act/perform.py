"""Unsafe requests: one Send goes out once, and what became of it is said."""

from collections.abc import Callable, Coroutine
from typing import TypeAlias

from agent.messages import NotWritten, Send, Written
from agent.settings import origin_of
from agent.transport.client import Client, NoReplyError
from agent.transport.errands import Errand, Lane, fault_of
from agent.transport.patience import Patience

Tell: TypeAlias = Callable[[Written | NotWritten], None]
"""Who is told what became of a Send."""


class Performer:
    """Carries out the writes of a step, a bounded number at a time per origin.

    The step waits for the writes that ``is_awaited`` names (all, if not said) as long as the client does. For others,
    the tasks of workflows, it waits ``step_deadline_s`` of the settings: a dead device holds no step. What is late
    goes on outside the step until ``close``.
    """

    def __init__(self, client: Client, *, is_awaited: Callable[[str], bool] = lambda _: True) -> None:
        self._client = client
        self._is_awaited = is_awaited
        self._lanes: dict[str, Lane] = {}
        self._awaited: set[_Sending] = set()
        self._patience: Patience[_Sending] = Patience(client.settings.step_deadline_s, self._give_up)

    def perform(self, send: Send, tell: Tell) -> None:
        """Send one request, and have ``tell`` called once with what became of it, never at once.

        307 and 308 are followed with the same method and body; other redirects are the answer. Nothing is repeated
        here: the next step decides again. Whatever is wrong with the world, or with us, is told as NotWritten.
        """
        sending = _Sending(self, send, tell)
        if self._is_awaited(send.uri):
            self._awaited.add(sending)
        else:
            self._patience.begin(sending)
        self._lane(send.uri).add(sending)

    async def abandon(self) -> None:
        """Give up the writes that this step still has to wait for, and wait until they have ended; nobody is told."""
        for sending in tuple(self._awaited):
            self._awaited.discard(sending)
            await self._lane(sending.send.uri).withdraw(sending)

    async def close(self) -> None:
        """Give up what is late, and wait until it has ended."""
        self._patience.close()
        for lane in self._lanes.values():
            await lane.clear()

    async def carry_out(self, sending: "_Sending") -> None:
        """Send, and tell the outcome unless the step has stopped waiting for it."""
        send = sending.send
        is_open = False
        outcome: Written | NotWritten
        try:
            reply = await self._client.request(send.method, send.uri, send.headers, send.body)
            outcome = Written(send.id, reply.status, reply.location(), reply.headers.get("etag", ""))
        except NoReplyError as error:
            outcome = NotWritten(send.id, error.reason)
        except Exception as error:  # noqa: BLE001  a step that waits for a lost outcome would never end
            outcome = NotWritten(send.id, fault_of(error))
        finally:
            is_open = sending in self._awaited or self._patience.end(sending)
            self._awaited.discard(sending)
        if is_open:
            sending.tell(outcome)

    def _give_up(self, sending: "_Sending") -> None:
        reason = f"no answer within {self._patience.seconds:g} s; the step does not wait longer"
        sending.tell(NotWritten(sending.send.id, reason))

    def _lane(self, uri: str) -> Lane:
        try:
            origin = origin_of(uri)
        except ValueError:
            origin = ""
        lane = self._lanes.get(origin)
        if lane is None:
            lane = self._lanes[origin] = Lane(self._client.settings.requests_per_host)
        return lane


class _Sending(Errand):
    """A Send of this step."""

    __slots__ = ("performer", "send", "tell")

    def __init__(self, performer: Performer, send: Send, tell: Tell) -> None:
        super().__init__()
        self.performer = performer
        self.send = send
        self.tell = tell

    def run(self) -> Coroutine[None, None, None]:
        return self.performer.carry_out(self)
