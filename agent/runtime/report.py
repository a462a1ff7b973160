"""What a step did, for people, traces and the loop: immutable values, complete when the step is over."""

from typing import Literal, TypeAlias

from msgspec import Struct

from agent.decide.updates import Clash
from agent.errors import Finding, MilepostError
from agent.messages import Headers
from agent.rdf.terms import Term
from agent.runtime.workflows import SentryValue

RequestOutcome: TypeAlias = Literal["confirmed", "refused", "unknown", "stopped", "dropped", "decided"]
"""Of a sent request: confirmed, refused, or unknown (no answer). Not sent: stopped (something before it failed),
dropped (lost a clash, or cannot be sent), decided (a dry run)."""

Quiet: TypeAlias = Literal["quiet", "busy", "unsettled"]
InstanceStatus: TypeAlias = Literal[
    "uninitialized", "active", "waiting", "blocked", "paused", "parked", "cancelled", "ended", "unread"
]
OVER: frozenset[InstanceStatus] = frozenset({"ended", "cancelled"})
"""The status of instances that are at their end."""


class GetReport(Struct, frozen=True):
    """A document of the step; ``status`` is None without an answer, ``reason`` says why it failed."""

    uri: str
    final_uri: str
    outcome: Literal["content", "gone", "failed"]
    status: int | None
    etag: str
    sha256: str
    reason: str = ""
    skipped: tuple[str, ...] = ()
    media_type: str = ""
    body: bytes | None = None


class Ground(Struct, frozen=True):
    """Why a request is sent: the rule, its variables, the documents that state what this rests on, with validators.

    ``documents`` is None if finding that out took too long.
    """

    rule: str
    binding: tuple[tuple[str, Term], ...]
    documents: tuple[tuple[str, str], ...] | None


class RequestReport(Struct, frozen=True):
    """A request of the step and what became of it; ``status`` is None without an answer.

    ``grounds`` are there if the plan keeps them and the request is not dropped.
    """

    instances: tuple[str, ...]
    method: str
    uri: str
    rules: tuple[str, ...]
    annotations: tuple[tuple[str, Term], ...]
    outcome: RequestOutcome
    status: int | None = None
    reason: str = ""
    sha256: str = ""
    location: str = ""
    headers: Headers = ()
    body: bytes | None = None
    grounds: tuple[Ground, ...] = ()


class InstanceReport(Struct, frozen=True):
    """An executed workflow instance as read in this step; ``active`` are its active stages below the root.

    ``waiting`` is an active instance with an active stage; ``unread`` one whose status nothing tells; ``paused`` and
    ``parked`` ones are known and kept from acting, a parked one for ``reason``; ``cancelled`` is one that ended so.
    ``obstacles`` are, of a blocked instance, the elements because of which it is, and what is the matter with each.
    """

    uri: str
    status: InstanceStatus
    active: tuple[str, ...] = ()
    obstacles: tuple[str, ...] = ()
    reason: str = ""


class StepReport(Struct, frozen=True):
    """One step. ``gets`` are sorted by URI, ``requests`` by their canonical text.

    ``quiet``: nothing was decided and everything is known ("quiet"); something was decided ("busy"); neither
    ("unsettled"), for ``quiet_reason``; of a quiet step it names sentries that read the time. ``left_out`` counts
    instantiations of rules that test absence while a document had failed, ``not_admitted`` statements of documents
    that had no say. ``failure`` is what ended the step before anything was sent; ``interrupted`` tells that a stop
    request did.
    """

    instant: str
    fresh_id: str
    gets: tuple[GetReport, ...] = ()
    facts: int = 0
    requests: tuple[RequestReport, ...] = ()
    clashes: tuple[Clash, ...] = ()
    findings: tuple[Finding, ...] = ()
    sentries: tuple[SentryValue, ...] = ()
    instances: tuple[InstanceReport, ...] = ()
    pending: tuple[str, ...] = ()
    left_out: int = 0
    not_admitted: int = 0
    quiet: Quiet = "unsettled"
    quiet_reason: str = ""
    failure: MilepostError | None = None
    interrupted: bool = False

    @property
    def blocked(self) -> tuple[str, ...]:
        """Return the instances that may not act because their status is not known."""
        return tuple(instance.uri for instance in self.instances if instance.status == "blocked")
