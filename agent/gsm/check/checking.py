"""All checks of a model, from the texts of its documents to findings in the order of the text."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from agent.errors import Finding, Place
from agent.gsm.check.graph import StageGraph
from agent.gsm.check.lifecycle import LifecycleCheck
from agent.gsm.check.model import Model, as_meant
from agent.gsm.check.questions import faults_of_sentries, faults_of_sources
from agent.gsm.check.references import described_elsewhere, without_dangling
from agent.gsm.check.requests import faults_of_requests
from agent.gsm.check.sentries import SentryReader
from agent.gsm.check.texts import ModelText, read_texts
from agent.gsm.check.vocabulary import without_unknown_terms
from agent.gsm.check.witness import WitnessSearch
from agent.n3.program import Pattern
from agent.n3.source import SourceText

MAX_FINDINGS = 1000
"""Nobody reads more; checking ends there."""

MAX_STATEMENTS = 10_000
"""Larger models are refused: checking compares parts with parts."""


def check_texts(texts: Sequence[ModelText], *, verbose: bool = False) -> tuple[Finding, ...]:
    """Return what is wrong with the model that ``texts`` are together, in the order of the texts and their lines.

    Severities are "error" (it cannot work so), "warning" (it is hardly meant so) and, with ``verbose``, "note". A fault
    is reported once: a misspelt term or reference counts as what was probably meant in all further checks. A text with
    faults in its syntax is reported for those alone, and so is everything else then, since what is missing is not known.
    """
    read = read_texts(texts)
    findings = list(read.findings)
    if not findings:
        found = _checked(texts, read.statements, read.sources, verbose=verbose)
        findings = list(islice(found, MAX_FINDINGS))
    order = {text.source: number for number, text in enumerate(texts)}
    return tuple(
        sorted(
            dict.fromkeys(findings),
            key=lambda each: (
                order.get(each.place.source, 0),
                each.place.line,
                each.place.column,
                each.code,
                each.message,
            ),
        )
    )


def _checked(
    texts: Sequence[ModelText],
    statements: Sequence[Pattern],
    sources: Mapping[str, SourceText],
    *,
    verbose: bool,
) -> Iterator[Finding]:
    if len(statements) > MAX_STATEMENTS:
        message = f"the model has {len(statements)} statements, {MAX_STATEMENTS} can be checked"
        yield Finding("error", "GSM049", message, Place(texts[0].source), "check its documents in parts")
        return
    known, misspelt = without_unknown_terms(statements, sources)
    yield from misspelt
    model, dangling = without_dangling(Model(as_meant(known), sources, [text.base for text in texts]))
    yield from dangling
    if not model.stages:
        hint = "name the document that describes the stages"
        yield Finding("error", "GSM011", "no stage is described here", Place(texts[0].source), hint)
    yield from _faults(model, verbose=verbose)


def _faults(model: Model, *, verbose: bool) -> Iterator[Finding]:
    from agent.gsm.check.shapes import faults_of_shape  # noqa: PLC0415  loads pyshacl, slower than all else

    graph = StageGraph(model)
    reader = SentryReader(model)
    search = WitnessSearch()
    lifecycle = LifecycleCheck(model, graph, reader, search)
    yield from graph.faults()
    yield from faults_of_shape(
        model, frozenset(each.triple.subject for circle in graph.circles for each in circle)
    )
    yield from faults_of_sources(model)
    yield from faults_of_requests(model)
    yield from faults_of_sentries(model, graph, reader, search)
    yield from lifecycle.faults()
    if verbose:
        yield from lifecycle.notes()
        yield from described_elsewhere(model)
