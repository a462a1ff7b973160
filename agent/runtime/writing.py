"""The write phase: one update set on its way out, request by request."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from agent.decide.bodies import Entity
from agent.decide.request import Request
from agent.decide.sending import Sending, is_done
from agent.decide.updates import Drop, UpdateSet
from agent.messages import NotWritten, Send, Written
from agent.runtime.report import RequestReport


class Writing:
    """The sending of one update set; ``entities`` has what goes on the wire, by key of the request."""

    def __init__(self, updates: UpdateSet, entities: Mapping[str, Entity], *, keep_bodies: bool) -> None:
        self._requests = updates.accepted
        self._entities = [entities[request.key] for request in updates.accepted]
        self._sending = Sending(updates.accepted)
        self._keep_bodies = keep_bodies
        self._open: set[int] = set()
        self._reports = [self._decided(position) for position in range(len(self._requests))]
        self._dropped = [_dropped(drop) for drop in updates.drops]

    @property
    def is_complete(self) -> bool:
        """Tell whether every request is answered, given up or stopped."""
        return self._sending.is_over

    @property
    def reports(self) -> tuple[RequestReport, ...]:
        """Return what became of every request, accepted ones first."""
        reports = list(self._reports)
        for position, state in enumerate(self._sending.states):
            if state == "stopped":
                reports[position] = replace(
                    reports[position], outcome="stopped", reason="something that goes before it failed"
                )
        return (*reports, *self._dropped)

    def start(self) -> list[Send]:
        """Return the requests to send first."""
        return self._sends(self._sending.start())

    def answered(self, event: Written | NotWritten) -> list[Send]:
        """Take the answer to a Send and return the requests to send now; other events change nothing."""
        if event.id not in self._open:
            return []
        self._open.remove(event.id)
        report = self._reports[event.id]
        if isinstance(event, NotWritten):
            done = False
            self._reports[event.id] = replace(report, outcome="unknown", reason=event.reason)
        else:
            done = is_done(self._requests[event.id], event.status)
            self._reports[event.id] = replace(
                report,
                outcome="confirmed" if done else "refused",
                status=event.status,
                location=event.location,
            )
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

    def _decided(self, position: int) -> RequestReport:
        entity = self._entities[position]
        return replace(
            _report(self._requests[position]),
            sha256=hashlib.sha256(entity.body or b"").hexdigest(),
            headers=entity.headers,
            body=entity.body if self._keep_bodies else None,
        )


def _report(request: Request) -> RequestReport:
    return RequestReport(
        instances=request.instances,
        method=request.method,
        uri=request.uri,
        rules=request.rules,
        annotations=request.annotations,
        outcome="decided",
    )


def _dropped(drop: Drop) -> RequestReport:
    reason = drop.reason
    if drop.against is not None:
        reason += f" with {drop.against.method} {drop.against.uri} of {', '.join(drop.against.rules)}"
    return replace(_report(drop.request), outcome="dropped", reason=reason)
