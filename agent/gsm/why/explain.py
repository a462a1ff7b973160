"""Explains one element of an instance, or all of them in a line each."""

from agent.gsm.why.documents import documents_of_step
from agent.gsm.why.explanation import ElementView, Explanation
from agent.gsm.why.milestones import view_milestone, view_sentry
from agent.gsm.why.model import Element, Model
from agent.gsm.why.sight import Sight
from agent.gsm.why.snapshot import Snapshot
from agent.gsm.why.stages import view_guard, view_stage
from agent.gsm.why.states import status_of


def explain(snapshot: Snapshot, element: str = "") -> Explanation:
    """Return why ``element``, an IRI, a local name or a label, is as it is; without it, an overview of the instance.

    UsageError GSM080 if the model has no such element, or several.
    """
    model = Model(snapshot)
    status, reasons = status_of(snapshot, model)
    sight = Sight(snapshot, model, status, in_full=bool(element))
    if element:
        found = model.find(element)
    else:
        found = [one for one in model.elements() if one.kind in {"stage", "milestone"}]
    history = snapshot.history
    return Explanation(
        instance=snapshot.instance.value,
        instant=snapshot.instant,
        status=status,
        reasons=reasons,
        is_overview=not element,
        elements=tuple(_view(sight, one, is_brief=not element) for one in dict.fromkeys(found)),
        documents=documents_of_step(snapshot),
        step=history.step if history else 0,
    )


def _view(sight: Sight, element: Element, *, is_brief: bool) -> ElementView:
    match element.kind:
        case "stage":
            return view_stage(sight, element, is_brief=is_brief)
        case "guard":
            return view_guard(sight, element)
        case "milestone":
            return view_milestone(sight, element)
        case _:
            return view_sentry(sight, element)
