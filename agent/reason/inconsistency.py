"""Inconsistencies: what rules whose head is false find in memory, as an author reads it (ADR 0112)."""

from collections.abc import Iterable, Mapping

from agent.errors import Finding, ProgramError
from agent.n3.program import Inconsistency
from agent.n3.write import BODY_BLANK, show
from agent.rdf.terms import Term, spelling

MOST_SHOWN = 3


def inconsistencies(
    contradictions: Iterable[tuple[Inconsistency, Mapping[str, Term]]], prefixes: Mapping[str, str]
) -> tuple[Finding, ...]:
    """Return one finding (severity "error") for each rule, with its first bindings in the order of their text."""
    found: dict[str, tuple[Inconsistency, list[Mapping[str, Term]]]] = {}
    for rule, binding in contradictions:
        found.setdefault(rule.name, (rule, []))[1].append(binding)
    return tuple(_finding(rule, bindings, prefixes) for rule, bindings in found.values())


def _finding(rule: Inconsistency, bindings: list[Mapping[str, Term]], prefixes: Mapping[str, str]) -> Finding:
    bindings.sort(key=lambda binding: [(name, spelling(binding[name])) for name in sorted(binding)])
    shown = [text for binding in bindings[:MOST_SHOWN] if (text := _shown(binding, prefixes))]
    others = len(bindings) - MOST_SHOWN
    if others > 0:
        shown.append(f"and {others} more")
    where = f" for {'; '.join(shown)}" if shown else ""
    return Finding(
        "error",
        "ASM031",
        f"inconsistency: the body of rule {rule.name} holds{where}",
        rule.place,
        "its head is false, so this must never be: correct the data, or the rule",
    )


def _shown(binding: Mapping[str, Term], prefixes: Mapping[str, str]) -> str:
    names = [name for name in sorted(binding) if not name.startswith(BODY_BLANK)]
    return ", ".join(f"?{name} = {show(binding[name], prefixes)}" for name in names)


def refuse(findings: tuple[Finding, ...]) -> None:
    """Raise the inconsistencies among ``findings`` as one ``ProgramError``, if there are any."""
    errors = [
        ProgramError(finding.code, finding.message, place=finding.place, hint=finding.hint)
        for finding in findings
        if finding.severity == "error"
    ]
    if errors:
        first, *others = errors
        first.others = tuple(others)
        raise first
