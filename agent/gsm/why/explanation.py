"""What an explanation says: immutable values, the same for every form it is written in."""

from typing import Literal, TypeAlias

from msgspec import Struct

from agent.gsm.evaluation import Value

Kind: TypeAlias = Literal["instance", "stage", "guard", "milestone", "sentry"]
Role: TypeAlias = Literal["opens", "achieves", "invalidates", "asks"]
Status: TypeAlias = Literal[
    "unread", "blocked", "cancelled", "ended", "parked", "paused", "uninitialized", "waiting", "running"
]
AgeOf: TypeAlias = Literal["result", "modified", "read"]


class Document(Struct, frozen=True):
    """A document that was read. ``status`` is None without an answer, ``reason`` says why it failed.

    ``age_s`` is the age of what it says in seconds: since it was last modified, as its server says (``age_of``
    "modified"), or since it was read. ``failures`` and ``answered`` come from a trace: failures in a row, and the
    instant of the last step that could read it.
    """

    uri: str
    outcome: Literal["content", "gone", "failed"]
    status: int | None
    reason: str = ""
    etag: str = ""
    age_s: float = 0.0
    age_of: AgeOf = "read"
    failures: int = 0
    answered: str = ""


class Candidate(Struct, frozen=True):
    """Something that nearly matched a pattern, or did: whose value, the value, what is to be said about it.

    ``document`` says so, or ``rule`` derived it; ``age_s`` is the age of the value, if anything tells it.
    """

    name: str
    value: str
    remark: str = ""
    document: str = ""
    rule: str = ""
    age_s: float | None = None


class Part(Struct, frozen=True):
    """One pattern of a query, in its order.

    ``matches`` counts the solutions of all patterns up to and with this one, ``before`` those without it; None: not
    counted. ``is_bounded`` tells that counting ended at a limit. ``stops``: there are none any more. ``nearest`` are
    the nearest misses, ``more`` the number of further ones. ``branches`` are the groups inside, each explained alone.
    """

    number: str
    kind: str
    text: str
    matches: int | None = None
    before: int | None = None
    is_bounded: bool = False
    stops: bool = False
    nearest: tuple[Candidate, ...] = ()
    more: int = 0
    branches: "tuple[tuple[Part, ...], ...]" = ()


class Asked(Struct, frozen=True):
    """A query of a sentry, on one line, and its parts; ``example`` is a solution if there is one."""

    text: str
    parts: tuple[Part, ...] = ()
    example: tuple[Candidate, ...] = ()


class SentryView(Struct, frozen=True):
    """A sentry and its value; ``reason`` says why it is unknown or broken, ``rule`` what else than a query makes it true."""

    iri: str
    name: str
    label: str
    value: Value
    reason: str = ""
    rule: str = ""
    asked: tuple[Asked, ...] = ()


class Check(Struct, frozen=True):
    """A guard, or what a milestone waits for: true if one of its sentries is. ``is_latched``: true does not count now."""

    role: Role
    iri: str
    name: str
    label: str
    value: Value
    is_latched: bool = False
    sentries: tuple[SentryView, ...] = ()


class ElementView(Struct, frozen=True):
    """A stage, guard, milestone or sentry: its state, one sentence that says why, what it waits for.

    ``sends`` are the requests that a step would send for it now, ``notes`` further sentences.
    """

    kind: Kind
    iri: str
    name: str
    label: str
    state: str
    sentence: str
    checks: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()
    sends: tuple[str, ...] = ()


class Explanation(Struct, frozen=True):
    """Why things are as they are with ``instance`` at ``instant``; ``step`` is the last one of a trace, 0 without one.

    ``status`` is the instance's, ``reasons`` say why it does not act if it does not. An overview has all elements,
    without the parts of queries.
    """

    instance: str
    instant: str
    status: Status
    reasons: tuple[str, ...]
    is_overview: bool
    elements: tuple[ElementView, ...]
    documents: tuple[Document, ...]
    step: int = 0
