"""An explanation as text for a terminal: one sentence, the guards with their dots, the patterns with their counts."""

import re
from collections.abc import Iterable, Iterator, Sequence

from agent.errors import counted, printable
from agent.gsm.evaluation import Value
from agent.gsm.why.explanation import (
    Asked,
    Candidate,
    Check,
    Document,
    ElementView,
    Explanation,
    Part,
    SentryView,
)
from agent.gsm.why.naming import and_more, cut_front, cut_short, document_name, duration
from agent.gsm.why.sentries import clock
from agent.gsm.why.snapshot import TIMES
from agent.rdf.terms import document_of

DOTS: dict[Value, str] = {"true": "●", "not true": "○", "unknown": "?", "broken": "!"}
_SHOUTS: dict[Value, str] = {
    "true": "TRUE",
    "not true": "NOT TRUE",
    "unknown": "CAN'T KNOW",
    "broken": "BROKEN",
}
_WIDTH = 78
_TEXT_WIDTH = 64
_VALUE_WIDTH = 26
_MAX_LINES = 400
_MAX_LINE = 240
_MOST_DOCUMENTS = 24
_ELEMENT = re.compile(r"\.[0-9a-f]{16}")
_TESTS = frozenset({"filter", "exists", "absent", "tail"})
_ROLES = {"opens": "", "asks": "", "achieves": " achieving sentry", "invalidates": " invalidating sentry"}


def to_text(explanation: Explanation) -> str:
    """Return ``explanation`` for a terminal, ending in a line break; what came from outside is printable."""
    lines = list(_lines(explanation))
    if len(lines) > _MAX_LINES:
        lines = [*lines[: _MAX_LINES - 1], f"{and_more(len(lines) - _MAX_LINES + 1)} lines"]
    return "".join(f"{printable(cut_line(line))}\n" for line in lines)


def cut_line(line: str) -> str:
    """Return ``line`` without line breaks, cut where it is longer than anybody reads."""
    line = line.replace("\n", " ").rstrip()
    return line if len(line) <= _MAX_LINE else line[: _MAX_LINE - 1] + "…"


def _lines(explanation: Explanation) -> Iterator[str]:
    when = f"read {clock(explanation.instant)}"
    if explanation.step:
        when = f"after step {explanation.step} · {when}"
    if explanation.is_overview:
        yield _headline(f"Instance {explanation.instance} is {_status(explanation)}.", when)
        yield from (f"  {reason}" for reason in explanation.reasons)
        yield from _overview(explanation.elements)
    for element in () if explanation.is_overview else explanation.elements:
        yield _headline(element.sentence, when)
        yield from (f"  {reason}" for reason in explanation.reasons)
        for check in element.checks:
            yield from _check(check)
        yield from element.notes
        yield from _sends(element)
    yield from _documents(explanation)


def _headline(sentence: str, when: str) -> str:
    return f"{sentence:<{_WIDTH}} {when}"


def _status(explanation: Explanation) -> str:
    words = {"waiting": "running, with an active stage", "running": "running, with no active stage inside"}
    return words.get(
        explanation.status, {"uninitialized": "not set up yet"}.get(explanation.status, explanation.status)
    )


def _overview(elements: Sequence[ElementView]) -> Iterator[str]:
    width = max((len(_called(one.name, one.label)) for one in elements), default=0)
    for one in elements:
        checks = (check for check in one.checks if check.sentries or check.role != "invalidates")
        dots = ", ".join(f"{DOTS[check.value]} {_short(one, check)}" for check in checks)
        name = _called(one.name, one.label)
        indent = "" if one.kind == "stage" else "  "
        yield f" {one.state:<11} {indent}{one.kind:<{12 - len(indent)}}{name:<{min(width, 50)}}  {dots}"


def _short(element: ElementView, check: Check) -> str:
    """Return how one line calls a check of ``element``."""
    latched = " (latched)" if check.is_latched else ""
    role = _ROLES[check.role].strip()
    if element.kind == "milestone":
        return role
    return f"{cut_short(check.name or check.label or 'one without a name', 40)} {role}".rstrip() + latched


def _called(name: str, label: str) -> str:
    quoted = f'"{cut_short(label, 60)}"' if label and label != name else ""
    return f"{cut_short(name, 60)} {quoted}".strip()


def _check(check: Check) -> Iterator[str]:
    sentries = check.sentries
    label = check.label or (sentries[0].label if len(sentries) == 1 else "")
    head = f" {DOTS[check.value]} {_called(check.name, label) or check.role}{_ROLES[check.role]} — {_SHOUTS[check.value]}"
    if check.is_latched:
        head += ", and latched: a milestone of the stage is achieved"
    if len(sentries) == 1 and sentries[0].reason:
        head += f": {sentries[0].reason}"
    if not sentries:
        head += ": it has no sentry"
    yield head
    for sentry in sentries:
        if len(sentries) > 1:
            reason = f": {sentry.reason}" if sentry.reason else ""
            yield f"   {DOTS[sentry.value]} {_called(sentry.name, sentry.label)} — {_SHOUTS[sentry.value]}{reason}"
        yield from _sentry(sentry)


def _sentry(sentry: SentryView) -> Iterator[str]:
    for asked in sentry.asked:
        yield f"     {asked.text}"
        yield from _parts(asked.parts, "     ")
        if sentry.value == "true" or not any(part.stops for part in asked.parts):
            yield from _example(asked)
    if sentry.rule:
        yield f"     true by {sentry.rule}"


def _example(asked: Asked) -> Iterator[str]:
    if asked.example:
        yield "     for example:"
        yield from _candidates(asked.example, 0, " " * 10)


def _parts(parts: Sequence[Part], indent: str) -> Iterator[str]:
    width = min(_TEXT_WIDTH, max((len(part.text) for part in parts), default=0))
    for part in parts:
        text = cut_short(part.text, _TEXT_WIDTH)
        stop = "       ← stops here" if part.stops else ""
        yield f"{indent}{part.number:<2} {text:<{width}}  {_count(part)}{stop}"
        yield from _candidates(part.nearest, part.more, indent + " " * 5)
        for number, branch in enumerate(part.branches, 1):
            if len(part.branches) > 1 and part.kind == "union":
                yield f"{indent}   branch {number} of {len(part.branches)}:"
            yield from _parts(branch, indent + "   ")


def _count(part: Part) -> str:
    if part.kind == "rule":
        return "could derive it, and does not"
    if part.kind == "untried":
        return "not tried"
    if part.matches is None:
        return "not reached" if part.before == 0 else "not counted"
    if part.kind in _TESTS and part.before is not None:
        first = "the first " if part.is_bounded else ""
        return f"{part.matches:,} of {first}{part.before:,}"
    more = "or more " if part.is_bounded and part.matches else ""
    return f"{part.matches:,} {more}{'match' if part.matches == 1 else 'matches'}"


def _candidates(candidates: Iterable[Candidate], more: int, indent: str) -> Iterator[str]:
    shown = list(candidates)
    names = min(24, max((len(one.name) for one in shown), default=0))
    values = min(_VALUE_WIDTH, max((len(one.value) for one in shown), default=0))
    for one in shown:
        yield f"{indent}{one.name:<{names}}  {one.value:<{values}}   {_said(one)}"
    if more:
        yield f"{indent}{and_more(more)}"


def _said(candidate: Candidate) -> str:
    origin = ""
    if candidate.document and not (candidate.value == "—" and candidate.remark):
        origin = f"From {document_name(candidate.document)}"
    elif candidate.document:
        origin = f"({document_name(candidate.document)})"
    elif candidate.rule:
        origin = f"By {cut_front(candidate.rule, 80)}"
    if origin and candidate.age_s is not None:
        origin += f", {duration(candidate.age_s)} old"
    joint = " " if origin.startswith("(") else ". "
    return joint.join(text for text in (candidate.remark, origin) if text)


def _sends(element: ElementView) -> Iterator[str]:
    if element.sends:
        yield "The next step would send:"
        yield from (f"  {request}" for request in element.sends)


def _documents(explanation: Explanation) -> Iterator[str]:
    failed = [one for one in explanation.documents if one.outcome == "failed" or one.reason]
    well = [one for one in explanation.documents if one not in failed]
    status = [one for one in well if _keeps_status(one, explanation.instance)]
    others = [one for one in well if one not in status]
    yield ""
    yield f"Read {counted(len(explanation.documents), 'document')}, {len(failed) or 'none'} in trouble:"
    shown = [*failed, *others]
    for document in shown[:_MOST_DOCUMENTS]:
        yield f"  {document_name(document.uri)}  {_outcome(document)}"
    if len(shown) > _MOST_DOCUMENTS:
        yield f"  {and_more(len(shown) - _MOST_DOCUMENTS)}"
    if status:
        yield f"  and {len(status)} with the status of the instance"


def _keeps_status(document: Document, instance: str) -> bool:
    """Tell whether a document that was read is that of a stage or milestone of ``instance``, as set-up names them."""
    own = document_of(instance)
    return document.outcome == "content" and _ELEMENT.fullmatch(document.uri.removeprefix(own)) is not None


def _outcome(document: Document) -> str:
    status = f" {document.status}" if document.status else ""
    words = [f"{document.outcome}{status}"]
    if document.reason:
        times = f" {document.failures}{TIMES}" if document.failures > 1 else ""
        words.append(f"{document.reason}{times}")
    if document.answered:
        words.append(f"last answered {clock(document.answered)}")
    if document.age_of == "modified":
        words.append(f"changed {duration(document.age_s)} ago")
    if document.etag:
        words.append(f"ETag {cut_short(document.etag, 40)}")
    return ", ".join(words)
