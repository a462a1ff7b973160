"""Troubles are told once when they begin and once when they end."""

from agent.errors import ClashError
from agent.gsm.evaluation import SentryValue
from agent.rdf.terms import IRI, Literal, Triple
from agent.runtime.report import GetReport, InstanceReport, RequestOutcome, RequestReport, StepReport
from agent.sim.chronicle import Labels
from agent.sim.troubles import Troubles
from agent.vocab import AG, RDFS

SIREN = "http://a.example/siren"
SENTRY = "http://a.example/model#siren-on"
CERTAIN = "http://a.example/model#certain"
OTHER = "http://a.example/model#other"
INSTANCE = "http://a.example/runs/1#it"
LABELS = Labels(
    frozenset(
        [
            Triple(IRI(SENTRY), IRI(AG + "source"), IRI(SIREN)),
            Triple(IRI(CERTAIN), IRI(AG + "source"), IRI(SIREN)),
            Triple(IRI(SENTRY), IRI(RDFS + "label"), Literal("siren on")),
        ]
    )
)
FINE = StepReport("", "")


def failed(reason: str) -> StepReport:
    return StepReport(
        "",
        "",
        gets=(GetReport(SIREN, SIREN, "failed", None, "", "", reason),),
        sentries=(
            SentryValue(SENTRY, INSTANCE, "unknown"),
            SentryValue(OTHER, INSTANCE, "unknown"),
            SentryValue(CERTAIN, INSTANCE, "true"),
        ),
    )


def test_a_source_that_fails_is_told_with_the_sentries_that_ask_it_and_then_kept_quiet() -> None:
    troubles = Troubles(LABELS)
    told = [
        troubles.news(report) for report in (FINE, failed("refused"), failed("still refused"), FINE, FINE)
    ]
    assert told == [
        [],
        [f'{SIREN} failed: refused; so "siren on" cannot be known'],
        [],
        [f"{SIREN} answers again"],
        [],
    ]


def test_a_document_read_in_part_a_broken_sentry_and_a_blocked_instance_are_told() -> None:
    report = StepReport(
        "",
        "",
        gets=(GetReport(SIREN, SIREN, "content", 200, "", "", skipped=("line 3: no IRI", "line 4")),),
        sentries=(SentryValue(OTHER, INSTANCE, "broken"),),
        instances=(InstanceReport(INSTANCE, "blocked"),),
    )
    troubles = Troubles(LABELS)
    assert (troubles.news(report), troubles.news(FINE)) == (
        [
            f"{SIREN} was read in part: line 3: no IRI",
            f'the sentry "other" ({OTHER}) is broken',
            f"{INSTANCE} is blocked: not all of its status is known",
        ],
        [
            f"{SIREN} is read in full again",
            f'the sentry "other" ({OTHER}) is whole again',
            f"{INSTANCE} goes on",
        ],
    )


def test_mishaps_are_told_every_time() -> None:
    def request(outcome: RequestOutcome, status: int | None = None, reason: str = "") -> RequestReport:
        return RequestReport((INSTANCE,), "PUT", SIREN, (), (), outcome, status, reason)

    report = StepReport(
        "",
        "",
        requests=(request("confirmed", 204), request("refused", 503), request("unknown", reason="broke off")),
        failure=ClashError("ASM001", "two bodies"),
    )
    told = [f"PUT {SIREN} refused: status 503", f"PUT {SIREN} unknown: broke off", "error ASM001  two bodies"]
    troubles = Troubles(LABELS)
    assert [troubles.news(report), troubles.news(report)] == [told, told]
