"""What a step is remembered by, so that it can be explained."""

from collections.abc import Iterable, Mapping, Sequence

from agent.gsm.asked import asked_sentries
from agent.gsm.evaluation import SentryValue as Value
from agent.gsm.why.snapshot import Heard, Intended, Snapshot
from agent.rdf.documents import Content, Outcome
from agent.rdf.terms import IRI, Term, Triple
from agent.reason.facts import Facts
from agent.runtime.report import RequestReport, StepReport
from agent.runtime.workflows import SentryValue, Workflows
from agent.vocab import AG

_FOR_STAGE = AG + "forStageInstance"


class Overhearing:
    """Workflows that remember what their sentries were asked on; everything is left to ``workflows``."""

    def __init__(self, workflows: Workflows) -> None:
        self.asked = Facts()
        self.outcomes: Mapping[str, Outcome] = {}
        self.values: dict[tuple[IRI, Term], Value] = {}
        self._workflows = workflows

    @property
    def protected(self) -> frozenset[str]:
        """Return the predicates that no rule with a variable as predicate may derive."""
        return self._workflows.protected

    def admit(self, content: Content) -> tuple[tuple[Triple, ...], int]:
        """Return the triples of a document that count, and how many do not."""
        return self._workflows.admit(content)

    def sources(self, facts: Facts) -> Iterable[str]:
        """Return the documents that sentries need."""
        return self._workflows.sources(facts)

    def conclude(
        self, facts: Facts, outcomes: Mapping[str, Outcome], instant: str
    ) -> tuple[list[Triple], Sequence[SentryValue]]:
        """Evaluate the sentries once, and keep the memory as it is now."""
        self.asked = Facts(facts.table)
        for predicate in facts.predicates():
            self.asked.copy_predicate(facts, predicate)
        self.outcomes = dict(outcomes)
        triples, values = self._workflows.conclude(facts, outcomes, instant)
        self.values = {
            key: Value(one.sentry, one.instance, one.value, one.reason, one.reads_time)  # type: ignore[arg-type]  # the port says only that the value is a text
            for key, one in zip(asked_sentries(self.asked), values, strict=True)
        }
        return triples, values

    def snapshot(self, instance: IRI, container: str, memory: Facts, report: StepReport) -> Snapshot:
        """Return what is known of ``instance`` after the step that ended with ``memory`` and ``report``."""
        return Snapshot(
            instance=instance,
            container=container,
            instant=report.instant,
            asked=self.asked,
            memory=memory,
            outcomes=self.outcomes,
            values=self.values,
            heard={get.uri: Heard(get.status, get.etag) for get in report.gets},
            intended=tuple(map(_intended, report.requests)),
        )


def _intended(request: RequestReport) -> Intended:
    stages = [
        value.value for name, value in request.annotations if name == _FOR_STAGE and isinstance(value, IRI)
    ]
    reason = request.reason or "it lost a clash" if request.outcome == "dropped" else ""
    documents = {uri for ground in request.grounds for uri, _ in ground.documents or ()}
    return Intended(
        request.method,
        request.uri,
        stages[0] if stages else "",
        reason,
        request.rules,
        tuple(sorted(documents)),
    )
