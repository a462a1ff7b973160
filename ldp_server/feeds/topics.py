"""What a client wants to be told about: the query of a stream."""

from urllib.parse import parse_qsl

from msgspec import Struct

from ldp_server.faults import Problem
from ldp_server.feeds.questions import NUMBER, read_number
from ldp_server.paths import canonical_path

PATH = "/.milepost/changes"


class Watch(Struct, frozen=True):
    """The paths whose changes are wanted, of containers with everything below, after the commit ``since`` (None: now)."""

    topics: frozenset[str]
    since: int | None = None


def read_watch(query: str | None, last_event_id: str | None, base: str, max_topics: int) -> Watch:
    """Return what is wanted, or raise LDP060 (not well-formed) or LDP002 (an unusable path).

    A topic is a path, or an IRI of this server. A client that resumes sends Last-Event-ID, which counts more than a
    ``since`` in its URL; what is no number in it is of other data and resumes nowhere (0).
    """
    try:
        fields = parse_qsl(query or "", keep_blank_values=True, max_num_fields=max_topics + 1)
    except ValueError:
        raise _too_many(max_topics) from None
    topics = frozenset(_topic(value, base) for name, value in fields if name == "topic")
    numbers = [value for name, value in fields if name == "since"]
    if not topics or len(numbers) > 1 or {name for name, _ in fields} - {"topic", "since"}:
        raise Problem(
            "LDP060", "A stream is asked for with ?topic=PATH, once or more, and perhaps since=NUMBER."
        )
    if len(topics) > max_topics:
        raise _too_many(max_topics)
    since = read_number(numbers[0]) if numbers else None
    if last_event_id is not None:
        since = int(last_event_id) if NUMBER.fullmatch(last_event_id) else 0
    return Watch(topics, since)


def _too_many(max_topics: int) -> Problem:
    return Problem(
        "LDP060", f"A stream has at most {max_topics} topics; a container stands for all below it."
    )


def _topic(text: str, base: str) -> str:
    path = text.removeprefix(base)
    if not path.startswith("/"):
        raise Problem("LDP060", f"The topic {text[:200]!r} is neither a path nor an IRI of this server.")
    return canonical_path(path)
