"""Why a milestone or a sentry is as it is, in a sentence."""

from agent.gsm.terms import IS_DONE
from agent.gsm.why.explanation import Check, ElementView
from agent.gsm.why.model import Element
from agent.gsm.why.sight import Sight, capital, title, worded
from agent.rdf.terms import TRUE, Triple


def view_milestone(sight: Sight, element: Element) -> ElementView:
    """Return what is to be said of a milestone: what would achieve it, or invalidate it."""
    node = sight.model.instance_of(element)
    state = sight.achievement(node)
    check = sight.milestone_check(element, "invalidates" if state == "achieved" else "achieves")
    because = _why_achieved(sight, check) if state == "achieved" else _why_not_achieved(sight, element, check)
    is_done = node is not None and Triple(node, IS_DONE, TRUE) in sight.memory
    return ElementView(
        "milestone",
        element.iri,
        element.name,
        element.label,
        state,
        f"{capital(title(element, 'milestone'))} is {state} {because}",
        (check,),
        ("Somebody reported it as done.",) if is_done else (),
        sight.sends(node),
    )


def view_sentry(sight: Sight, element: Element) -> ElementView:
    """Return what is to be said of a sentry by itself."""
    view = sight.sentry(element.node)
    check = Check("asks", element.iri, element.name, element.label, view.value, sentries=(view,))
    sentence = f"{capital(title(element, 'sentry'))} {worded(view.value)}."
    return ElementView("sentry", element.iri, element.name, element.label, view.value, sentence, (check,))


def _why_achieved(sight: Sight, check: Check) -> str:
    if sight.idle:
        return f"and stays so: {sight.idle}."
    if not check.sentries:
        return "and nothing can invalidate it but the next opening of its stage."
    if check.value == "true":
        return "until the next step invalidates it: its invalidating sentry is true."
    return "because no invalidating sentry of it is true."


def _why_not_achieved(sight: Sight, element: Element, check: Check) -> str:
    if sight.idle:
        return f"because {sight.idle}."
    if not check.sentries:
        return "because it has no achieving sentry."
    stage = sight.stage(element.stage)
    state = sight.state(sight.model.instance_of(stage))
    if state != "active":
        also = ", though its achieving sentry is true" if check.value == "true" else ""
        return f"because {title(stage, 'stage')} is {state}: milestones are achieved in active stages{also}."
    if check.value == "true":
        return "until the next step achieves it: its achieving sentry is true."
    return "because no achieving sentry of it is true."
