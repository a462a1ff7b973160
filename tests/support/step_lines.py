"""What a step came to, as a line: that of the trace with bodies, and what is reported beyond it."""

import re
from collections.abc import Iterable
from hashlib import sha256

from agent.rdf.serialise import term_text
from agent.rdf.terms import Triple
from agent.runtime.report import StepReport
from agent.runtime.trace import Line, trace_line

_MINTED = re.compile(
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
)


def line_of(number: int, report: StepReport) -> Line:
    """Return what a step came to."""
    line = trace_line(number, report, {}, bodies=True)
    for request in line["requests"]:
        # Under this key validators are numbered.
        request["headers"] = [
            {"etag": value} if name == "If-Match" else [name, value] for name, value in request["headers"]
        ]
    line |= {
        "sentries": sorted(map(repr, report.sentries)),
        "instances": sorted(map(repr, report.instances)),
        # Texts that are no numbers are told in each step, or when they are met for the first time (ADR 0117).
        "findings": sorted(str(one) for one in report.findings if one.code != "N3035"),
        "pending": list(report.pending),
        "counts": [report.left_out, report.not_admitted],
        "end": [report.quiet, report.quiet_reason, report.interrupted],
    }
    return line


def digest(memory: Iterable[Triple]) -> str:
    """Return a hash of ``memory``, what is minted left out."""
    lines = [" ".join(map(term_text, triple)) for triple in memory]
    text = "\n".join(sorted(_MINTED.sub("*", line) for line in lines))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
