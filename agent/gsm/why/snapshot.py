"""What an explanation is made from: one step that was read and decided, and sent nothing."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from msgspec import Struct, field

from agent.gsm.evaluation import SentryValue
from agent.n3.program import Program
from agent.rdf.documents import Content, Outcome
from agent.rdf.terms import IRI, Literal, Term, Triple
from agent.reason.facts import Facts
from agent.vocab import PROV

TIMES = "\N{MULTIPLICATION SIGN}"
_RESULT_TIMES = (
    IRI("http://www.w3.org/ns/sosa/resultTime"),
    IRI("http://www.w3.org/ns/ssn/resultTime"),
    IRI("https://saref.etsi.org/core/hasTimestamp"),
    IRI(PROV + "generatedAtTime"),
)


class Heard(Struct, frozen=True):
    """How a document was answered: the status, None without an answer, and the instant it was last modified, or ""."""

    status: int | None
    etag: str = ""
    modified: str = ""


class Intended(Struct, frozen=True):
    """A request that the step would send, or would not for ``reason``; a task is for the stage instance ``task_of``.

    ``rules`` ask for it, and ``documents`` state what that rests on.
    """

    method: str
    uri: str
    task_of: str = ""
    reason: str = ""
    rules: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


class History(Struct, frozen=True):
    """What the trace of a run tells, up to its last ``step`` at ``instant``.

    ``failures`` counts, by document, the steps in a row at the end that could not read it; ``answered`` has the
    instant of the last step that could. ``opened`` has, by document of a stage instance, step and instant of its
    last activation.
    """

    step: int
    instant: str
    failures: Mapping[str, int] = field(default_factory=dict)
    answered: Mapping[str, str] = field(default_factory=dict)
    opened: Mapping[str, tuple[int, str]] = field(default_factory=dict)


class Snapshot(Struct):
    """One step of ``instance``. ``asked`` is the memory that sentries were asked on, ``memory`` the final one.

    ``values`` are those of the sentries of running instances, as the step found them. ``program`` and ``given`` are
    what the user added to the lifecycle.
    """

    instance: IRI
    container: str
    instant: str
    asked: Facts
    memory: Facts
    outcomes: Mapping[str, Outcome]
    values: Mapping[tuple[IRI, Term], SentryValue] = field(default_factory=dict)
    heard: Mapping[str, Heard] = field(default_factory=dict)
    intended: tuple[Intended, ...] = ()
    program: Program = field(default_factory=Program)
    given: frozenset[Triple] = frozenset()
    history: History | None = None
    _said: dict[Triple, str] | None = None

    def document_of(self, triple: Triple) -> str:
        """Return a document that says ``triple``, or ""."""
        if self._said is None:
            self._said = {}
            for content in self._contents():
                for said in content.triples:
                    self._said.setdefault(said, content.uri)
        return self._said.get(triple, "")

    def rule_of(self, triple: Triple) -> str:
        """Return the name of what else than a document gave ``triple``: an input, or rules that may have; or ""."""
        if triple in self.given or triple in self.program.facts:
            return "the facts that were given"
        rules = [
            rule.name
            for rule in self.program.derivations
            if any(_fits(pattern.triple, triple) for pattern in rule.head)
        ]
        return " or ".join(rules[:3])

    def times_failed(self, uri: str) -> str:
        """Return how often in a row a document failed, with that of this step, if a trace tells more than once."""
        times = 1 if self.history is None else self.history.failures.get(uri, 0) + 1
        return f" {times}{TIMES}" if times > 1 else ""

    def age_of(self, subject: Term) -> float | None:
        """Return how old what ``subject`` says is, by its own result time; None if nothing plain tells."""
        now = seconds_of(self.instant)
        for predicate in _RESULT_TIMES:
            times = list(self.asked.objects(subject, predicate))
            if len(times) == 1 and isinstance(times[0], Literal):
                then = seconds_of(times[0].lexical)
                if then is not None and now is not None:
                    return max(0.0, now - then)
        return None

    def _contents(self) -> Iterator[Content]:
        yield from (outcome for outcome in self.outcomes.values() if isinstance(outcome, Content))


def seconds_of(text: str) -> float | None:
    """Return the xsd:dateTime ``text`` in seconds since 1970; None if it is none or has no time zone."""
    if len(text) > 40:
        return None
    try:
        instant = datetime.fromisoformat(text)
        return instant.astimezone(UTC).timestamp() if instant.tzinfo else None
    except (ValueError, OverflowError):
        return None


def _fits(head: Triple, triple: Triple) -> bool:
    """Tell whether a head may have become ``triple``: variables and new nodes become anything."""
    pairs = zip(head, triple, strict=True)
    return all(not isinstance(part, IRI | Literal) or part == term for part, term in pairs)
