"""The write phase: one update set on its way out, request by request."""

import hashlib
from collections.abc import Mapping

from msgspec import Struct

from agent.decide.bodies import Entity
from agent.decide.sending import Sending, is_done
from agent.decide.updates import Drop, UpdateSet
from agent.messages import NotWritten, Send, Written
from agent.runtime.report import Ground, RequestOutcome, RequestReport


class _Answer(Struct, frozen=True):
    """What came back for a request."""

    outcome: RequestOutcome
    status: int | None = None
    reason: str = ""
    location: str = ""


_NO_GROUNDS: Mapping[str, tuple[Ground, ...]] = {}
_DECIDED = _Answer("decided")
_STOPPED = _Answer("stopped", reason="something that goes before it failed")


class Writing:
    """The sending of one update set; ``entities`` has what goes on the wire, ``grounds`` why, by key of the request."""

    def __init__(
        self,
        updates: UpdateSet,
        entities: Mapping[str, Entity],
        *,
        keep_bodies: bool,
        grounds: Mapping[str, tuple[Ground, ...]] = _NO_GROUNDS,
    ) -> None:
        self._grounds = grounds
        self._requests = updates.accepted
        self._entities = [entities[request.key] for request in updates.accepted]
        self._sending = Sending(updates.accepted)
        self._keep_bodies = keep_bodies
        self._open: set[int] = set()
        self._answers: dict[int, _Answer] = {}
        self._drops = updates.drops

    @property
    def is_complete(self) -> bool:
        """Tell whether every request is answered, given up or stopped."""
        return self._sending.is_over

    def reports(self) -> tuple[RequestReport, ...]:
        """Return what became of every request, accepted ones first."""
        sent = [self._report(position) for position in range(len(self._requests))]
        return (*sent, *map(_dropped, self._drops))

    def start(self) -> list[Send]:
        """Return the requests to send first."""
        return self._sends(self._sending.start())

    def answered(self, event: Written | NotWritten) -> list[Send]:
        """Take the answer to a Send and return the requests to send now; other events change nothing."""
        if event.id not in self._open:
            return []
        self._open.remove(event.id)
        if isinstance(event, NotWritten):
            done = False
            self._answers[event.id] = _Answer("unknown", reason=event.reason)
        else:
            done = is_done(self._requests[event.id], event.status)
            outcome: RequestOutcome = "confirmed" if done else "refused"
            self._answers[event.id] = _Answer(outcome, event.status, location=event.location)
        return self._sends(self._sending.answered(event.id, done=done))

    def _sends(self, positions: list[int]) -> list[Send]:
        self._open.update(positions)
        return [
            Send(
                position,
                self._requests[position].method,
                self._requests[position].uri,
                self._entities[position].headers,
                self._entities[position].body,
            )
            for position in positions
        ]

    def _report(self, position: int) -> RequestReport:
        stopped = self._sending.states[position] == "stopped"
        answer = _STOPPED if stopped else self._answers.get(position, _DECIDED)
        request, entity = self._requests[position], self._entities[position]
        return RequestReport(
            instances=request.instances,
            method=request.method,
            uri=request.uri,
            rules=request.rules,
            annotations=request.annotations,
            outcome=answer.outcome,
            status=answer.status,
            reason=answer.reason,
            sha256=hashlib.sha256(entity.body or b"").hexdigest(),
            location=answer.location,
            headers=entity.headers,
            body=entity.body if self._keep_bodies else None,
            grounds=self._grounds.get(request.key, ()),
        )


def _dropped(drop: Drop) -> RequestReport:
    request = drop.request
    reason = drop.reason
    if drop.against is not None:
        reason += f" with {drop.against.method} {drop.against.uri} of {', '.join(drop.against.rules)}"
    return RequestReport(
        instances=request.instances,
        method=request.method,
        uri=request.uri,
        rules=request.rules,
        annotations=request.annotations,
        outcome="dropped",
        reason=reason,
    )
