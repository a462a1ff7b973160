"""What a run tells: a table for each manifest and kind, every failure with its reason, and EARL for machines."""

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from agent.rdf.notation import term_text
from agent.rdf.terms import IRI, XSD_DATETIME, Literal
from tests.conformance.n3.expected import key_of
from tests.conformance.n3.judging import Verdict
from tests.conformance.n3.workers import Task

Judged: TypeAlias = Sequence[tuple[Task, Verdict]]

_EARL = "http://www.w3.org/ns/earl#"
_PRODUCT = "https://w3id.org/milepost"


def table(judged: Judged) -> str:
    """Return passed and all tests for each manifest, kind and numeric mode, with those only we can judge apart."""
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for task, verdict in judged:
        row = (task.case.manifest, task.case.kind, key_of(task).numeric)
        counts[(*row, "all")] += 1
        counts[(*row, "passed")] += verdict.passed
        counts[(*row, "own")] += verdict.own
    rows = sorted({(manifest, kind, numeric) for manifest, kind, numeric, _ in counts})
    lines = [
        f"{'manifest':<32} {'kind':<16} {'numeric':<7} {'passed':>6} {'of':>5}  judged by our own parser"
    ]
    for row in rows:
        passed, every, own = (counts[(*row, name)] for name in ("passed", "all", "own"))
        lines.append(f"{row[0]:<32} {row[1]:<16} {row[2]:<7} {passed:>6} {every:>5}  {own or ''}".rstrip())
    return "\n".join([*lines, *_sums(judged)])


def figures(judged: Judged) -> dict[str, tuple[int, int]]:
    """Return passed and all tests of the parser, and of the reasoner in each numeric mode."""
    every: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    for task, verdict in judged:
        mode = key_of(task).numeric
        name = "parser" if mode == "-" else f"reasoner, numeric {mode}"
        every[name] += 1
        passed[name] += verdict.passed
    return {name: (passed[name], every[name]) for name in sorted(every)}


def failures(judged: Judged) -> str:
    """Return every failure with its reason and what is known about it."""
    lines = []
    for task, verdict in judged:
        if not verdict.passed:
            test, numeric = key_of(task)
            lines.append(f"FAIL {test}{'' if numeric == '-' else f' ({numeric})'}: {verdict.reason}")
            lines += [f"     {line}" for line in verdict.detail.splitlines()[:12]]
    return "\n".join(lines)


def earl(judged: Judged, base: str, instant: str) -> str:
    """Return the verdicts as EARL 1.0 in Turtle, as of ``instant``; test names are IRIs below ``base``."""
    lines = [
        f"@prefix earl: <{_EARL}> .",
        "@prefix doap: <http://usefulinc.com/ns/doap#> .",
        "@prefix dct: <http://purl.org/dc/terms/> .",
        "@prefix milepost: <https://w3id.org/milepost/agent#> .",
        "",
        f'<{_PRODUCT}> a doap:Project, earl:TestSubject, earl:Software ; doap:name "Milepost" .',
    ]
    date = term_text(Literal(instant, XSD_DATETIME))
    for task, verdict in judged:
        test, numeric = key_of(task)
        mode = f' ; milepost:numeric "{numeric}"' if numeric != "-" else ""
        outcome = "passed" if verdict.passed else "failed"
        lines.append(
            f"[] a earl:Assertion ; earl:assertedBy <{_PRODUCT}> ; earl:subject <{_PRODUCT}> ; "
            f"earl:test {term_text(IRI(base + test))} ; earl:mode earl:automatic{mode} ; "
            f"earl:result [ a earl:TestResult ; earl:outcome earl:{outcome} ; dct:date {date} ] ."
        )
    return "\n".join([*lines, ""])


def _sums(judged: Judged) -> list[str]:
    own = [verdict for task, verdict in judged if verdict.own and task.case.kind != "reasoning"]
    lines = ["", *(f"{name}: {passed} of {every}" for name, (passed, every) in figures(judged).items())]
    if own:
        passed = sum(verdict.passed for verdict in own)
        lines.append(f"judged by our own parser, within these: {passed} of {len(own)} evaluation results")
    return lines
