"""The text of a stream of server-sent events (HTML standard, section 9.2)."""

import json
from collections.abc import Sequence

from ldp_server.feeds.answers import ACTIVITY
from ldp_server.storage.changes import Change

RETRY_MS = 1000


def write_changes(changes: Sequence[Change], base: str) -> bytes:
    """Return an event a change; the last one of a commit names the commit, so that who resumes misses nothing of it."""
    events = []
    for place, change in enumerate(changes):
        is_last = place + 1 == len(changes) or changes[place + 1].number != change.number
        fields = {"type": ACTIVITY[change.kind], "object": base + change.path, "sequence": change.number}
        events.append((f"id: {change.number}\n" if is_last else "") + f"data: {json.dumps(fields)}\n\n")
    return "".join(events).encode()


def write_ready(sequence: int) -> bytes:
    """Return the event that tells that from the commit ``sequence`` on every change will be told."""
    return f"retry: {RETRY_MS}\nid: {sequence}\nevent: ready\ndata: {json.dumps({'sequence': sequence})}\n\n".encode()


def write_resync(sequence: int) -> bytes:
    """Return the event that tells that changes before ``sequence`` are lost."""
    return f"id: {sequence}\nevent: resync\ndata: {json.dumps({'sequence': sequence})}\n\n".encode()


def write_pulse(sequence: int) -> bytes:
    """Return a comment that shows that the stream lives; it moves the number to resume from and is no event."""
    return f": nothing new\nid: {sequence}\n\n".encode()
