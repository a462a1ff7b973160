"""Why each request of a step is sent: rule, values of its variables, and the documents that its proof rests on.

Found after the decision, on the final memory, and only for a run that writes this down.
"""

from collections.abc import Iterable, Mapping

from agent.decide.request import Edge, Request
from agent.errors import BudgetError
from agent.n3.program import RequestRule
from agent.rdf.documents import Content, Outcome
from agent.reason.incremental.run_reasoner import RunReasoner
from agent.reason.proof import Proofs
from agent.runtime.report import Ground


def find_grounds(
    requests: Iterable[Request],
    rules: Iterable[RequestRule],
    reasoner: RunReasoner,
    outcomes: Mapping[str, Outcome],
) -> dict[str, tuple[Ground, ...]]:
    """Return why each of ``requests`` is sent, by its key; one ground for each rule and unit that asks for it."""
    by_name = {rule.name: rule for rule in rules}
    found: dict[str, tuple[Ground, ...]] = {}
    proofs: Proofs | None = None
    for request in requests:
        proofs = proofs or reasoner.proofs(tells_why_read=False)
        grounds = [_ground(edge, by_name[edge.rule], proofs, outcomes) for edge in request.edges]
        found[request.key] = tuple(dict.fromkeys(grounds))
    return found


def _ground(edge: Edge, rule: RequestRule, proofs: Proofs, outcomes: Mapping[str, Outcome]) -> Ground:
    binding = edge.binding or {}
    try:
        step = proofs.ground(rule, binding)
    except BudgetError:
        step = None
    if step is None:
        return Ground(rule.name, tuple(sorted(binding.items())), None)
    uris = sorted(proofs.sources(step.premises))
    return Ground(rule.name, step.binding, tuple((uri, _validator(outcomes.get(uri))) for uri in uris))


def _validator(outcome: Outcome | None) -> str:
    return outcome.etag if isinstance(outcome, Content) else ""
