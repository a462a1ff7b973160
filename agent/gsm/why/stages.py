"""Why a stage or a guard is as it is, in a sentence."""

from collections.abc import Iterator, Sequence

from agent.gsm.terms import IS_RETRIED
from agent.gsm.why.explanation import Check, ElementView
from agent.gsm.why.model import Element
from agent.gsm.why.sentries import clock
from agent.gsm.why.sight import Sight, capital, names, title, worded
from agent.rdf.terms import IRI, TRUE, Literal, Term, Triple, document_of
from agent.vocab import AG

_ACTIVATION = IRI(AG + "activation")
_OPENED = {"0": "never opened", "1": "opened once"}
_MAY_ACTIVATE = IRI(AG + "mayActivate")


def view_stage(sight: Sight, element: Element, *, is_brief: bool = False) -> ElementView:
    """Return what is to be said of a stage; ``is_brief``: its guards and what closes it, whatever its state."""
    node = sight.model.instance_of(element)
    state = sight.state(node)
    checks: list[Check] = []
    if state != "active" or is_brief:
        checks += [sight.guard_check(one, node) for one in sight.guards(element.stage)]
    if state == "active":
        closing = [sight.milestone_check(one, "achieves") for one in sight.milestones(element.stage)]
        checks += closing
        because = _why_active(sight, closing)
    else:
        because = _why_not_active(sight, element, node, checks)
    return ElementView(
        "stage",
        element.iri,
        element.name,
        element.label,
        state,
        f"{capital(title(element, 'stage'))} is {state} {because}",
        tuple(checks),
        tuple(_notes(sight, element, node, state)),
        sight.sends(node),
    )


def view_guard(sight: Sight, element: Element) -> ElementView:
    """Return what is to be said of a guard."""
    stage = sight.stage(element.stage)
    node = sight.model.instance_of(stage)
    check = sight.guard_check(element, node)
    state = sight.state(node)
    if state == "active":
        because = "already"
    else:
        guards = [sight.guard_check(one, node, brief=True) for one in sight.guards(element.stage)]
        because = _why_not_active(sight, stage, node, guards).removesuffix(".")
    sentence = f"{capital(title(element, 'guard'))} {worded(check.value)}; {title(stage, 'stage')} is {state} {because}."
    return ElementView(
        "guard",
        element.iri,
        element.name,
        element.label,
        check.value,
        sentence,
        (check,),
        (),
        sight.sends(node),
    )


def _why_not_active(sight: Sight, element: Element, node: Term | None, guards: Sequence[Check]) -> str:
    if sight.idle:
        return f"because {sight.idle}."
    true = [one for one in guards if one.value == "true"]
    above = _closed_above(sight, element.stage)
    if above is not None:
        also = f", though {names(true, 'guard')}" if true else ""
        state = sight.state(sight.model.instance_of(above))
        return f"because {title(above, 'stage')} above it is {state}{also}."
    if not guards:
        return "because it has no guard."
    opening = [one for one in true if not one.is_latched]
    if opening:
        return _why_not_yet(sight, node, opening)
    if true:
        return f"because {names(true, 'guard')} but latched: a milestone of the stage is achieved."
    if all(one.value in {"unknown", "broken"} for one in guards):
        return "because no guard is known to be true."
    return "because no guard is true."


def _why_not_yet(sight: Sight, node: Term | None, opening: Sequence[Check]) -> str:
    held = next((one.reason for one in sight.intended(node) if one.reason), "")
    if held:
        return f"although {names(opening, 'guard')}: what would open it is held back ({held})."
    if node is None or Triple(node, _MAY_ACTIVATE, TRUE) not in sight.memory:
        return f"although {names(opening, 'guard')}: the lifecycle does not let it open now."
    return f"until the next step opens it: {names(opening, 'guard')}."


def _why_active(sight: Sight, closing: Sequence[Check]) -> str:
    if sight.idle:
        return f"and stays so: {sight.idle}."
    true = [one for one in closing if one.value == "true"]
    if true:
        return (
            f"until the next step closes it: {names(true, 'milestone').replace(' is true', ' is reached')}."
        )
    if not closing:
        return "and has no milestone that could close it."
    return "because none of its milestones is achieved."


def _notes(sight: Sight, element: Element, node: Term | None, state: str) -> Iterator[str]:
    if node is None:
        return
    history = sight.snapshot.history
    opened = history.opened.get(document_of(node.value)) if history and isinstance(node, IRI) else None
    count = sight.memory.value(node, _ACTIVATION)
    times = count.lexical[:12] if isinstance(count, Literal) and count.lexical.isdecimal() else ""
    is_root = element.node == sight.model.root
    if state == "active" and opened:
        yield f"Active since step {opened[0]} · {clock(opened[1])}."
    elif opened:
        yield f"Last time any guard of this stage was true: step {opened[0]} · {clock(opened[1])}."
    elif history and not is_root:
        yield "Last time any guard of this stage was true: never in this trace."
    if times and not is_root:
        yield f"It has {_OPENED.get(times, f'opened {times} times')}."
    if Triple(node, IS_RETRIED, TRUE) in sight.memory:
        yield "Somebody asked for another try of it."


def _closed_above(sight: Sight, stage: Term) -> Element | None:
    """Return the nearest stage above ``stage`` that is not active."""
    seen = {stage}
    above = sight.model.parent(stage)
    while above is not None and above not in seen:
        seen.add(above)
        element = sight.stage(above)
        if sight.state(sight.model.instance_of(element)) != "active":
            return element
        above = sight.model.parent(above)
    return None
