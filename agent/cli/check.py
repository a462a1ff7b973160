"""``milepost check``: what is wrong with a workflow model, before anything runs."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

from agent.cli.console import echo
from agent.cli.parameters import Argument, Option

if TYPE_CHECKING:
    from agent.errors import Finding


def check(
    models: Annotated[
        list[str], Argument(metavar="MODEL...", help="Files, globs and URLs, checked as one model.")
    ],
    as_json: Annotated[bool, Option("--json", help="Print the findings as JSON.")] = False,
    verbose: Annotated[
        bool, Option("--verbose", "-v", help="Also print what is right but often read otherwise.")
    ] = False,
) -> int:
    """Check workflow models in Turtle: what cannot work, and what is hardly meant so.

    Finds terms and references that do not exist, stages that never open, milestones that are never achieved, requests
    that cannot be sent, sentries that cannot be asked, guards that fire again and again, and more. Nothing is run and
    nothing but the models is read. Exit code 1 if there are errors, 0 with warnings only.
    """
    from agent.cli.retrieval import retrieve
    from agent.runtime.checking import check_models

    findings = check_models(models, retrieve, verbose=verbose)
    echo(as_json_text(findings) if as_json else as_text(findings))
    return 1 if any(finding.severity == "error" for finding in findings) else 0


def as_text(findings: "Sequence[Finding]") -> str:
    """Return the findings as people read them, and a summary."""
    from agent.errors import describe_finding

    if not findings:
        return "No findings."
    width = max(len(str(finding.place)) for finding in findings)
    return "\n".join([*(describe_finding(finding, width) for finding in findings), _summary(findings)])


def as_json_text(findings: "Iterable[Finding]") -> str:
    """Return the findings as JSON: an array of objects, one line each."""
    rows = [
        {
            "severity": finding.severity,
            "code": finding.code,
            "source": finding.place.source,
            "line": finding.place.line,
            "column": finding.place.column,
            "end_column": finding.place.end_column,
            "message": finding.message,
            "hint": finding.hint,
        }
        for finding in findings
    ]
    return "[" + ",".join(f"\n{json.dumps(row)}" for row in rows) + "\n]"


def _summary(findings: "Sequence[Finding]") -> str:
    from agent.errors import counted

    counts = [
        counted(count, severity)
        for severity in ("error", "warning", "note")
        if (count := sum(finding.severity == severity for finding in findings))
    ]
    return f"{', '.join(counts)}. Rules explained: milepost explain {findings[0].code}"
