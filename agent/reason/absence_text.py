"""Why something is not known as text for people: each rule that could give it, what holds of it, what does not."""

from collections.abc import Iterator, Mapping

from agent.n3.write import Writer
from agent.rdf.terms import Formula, Triple
from agent.reason.absence import Absence, Attempt

_INDENT = " " * 4
_MOST_ATTEMPTS = 12


def absence_text(absence: Absence, prefixes: Mapping[str, str]) -> str:
    """Return ``absence`` as text; what explains a pattern that fails in a rule is indented below it."""
    return "".join(line + "\n" for line in _lines(absence, Writer(prefixes), ""))


def _lines(absence: Absence, writer: Writer, indent: str) -> Iterator[str]:
    yield f"{indent}nothing known is  {writer.triple(absence.pattern)} ."
    inner = indent + _INDENT
    for uri, became in absence.documents:
        yield f"{inner}{uri} {became}"
    if not absence.attempts:
        yield f"{inner}no rule gives it"
    for attempt in absence.attempts[:_MOST_ATTEMPTS]:
        yield from _attempt(attempt, writer, inner)
    if len(absence.attempts) > _MOST_ATTEMPTS:
        yield f"{inner}... and {len(absence.attempts) - _MOST_ATTEMPTS} more rules"


def _attempt(attempt: Attempt, writer: Writer, indent: str) -> Iterator[str]:
    yield f"{indent}rule {attempt.rule} could give it"
    inner = indent + _INDENT
    for triple in attempt.held:
        yield f"{inner}as {writer.triple(triple)}"
    times = f" ({attempt.reached} ways to get there)" if attempt.reached > 1 else ""
    yield f"{inner}but {_failure(attempt, writer)}{times}"
    if attempt.because is not None:
        yield from _lines(attempt.because, writer, inner + _INDENT)


def _failure(attempt: Attempt, writer: Writer) -> str:
    failing = attempt.failing
    match attempt.kind, failing:
        case "pattern", Triple():
            return f"nothing known is {writer.triple(failing)}"
        case "builtin", Triple():
            return f"not {writer.triple(failing)}"
        case "group", Triple() if isinstance(failing.object, Formula):
            return f"something matches {writer.term(failing.object)}"
        case "group", _:
            return "a negated group matches something"
        case "shape", _:
            return "a list or formula has another shape"
        case "head", Triple():
            return f"then it gives {writer.triple(failing)}"
        case "nothing", _:
            return "its body holds by now, and did not when it ran"
        case _:
            return "it answers questions and cannot be tried from here"
