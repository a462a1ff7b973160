"""What people ask of workflow instances: pause, resume, cancel, retry, done (ADR 0106).

Each is one mark in one document, written under If-Match; the rules in rules/gsm/marks.n3 carry it out. Nothing here
writes status. Asking twice is asking once.
"""

from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct

from agent.errors import Place, ProgramError, UsageError
from agent.gsm.terms import IS_CANCELLED, IS_DONE, IS_PARKED, IS_PAUSED, IS_RETRIED
from agent.rdf.documents import Content
from agent.rdf.terms import IRI, TRUE, Term, Triple
from agent.runtime.editing import Edit, edit_document, read_content, with_value, without
from agent.runtime.elements import HAS_STATE, IS_ACHIEVED, Element, find_element, read_elements
from agent.runtime.looking import read_outcome
from agent.runtime.targets import check_uri, find_targets, instances_in
from agent.transport.addresses import percent_encoded
from agent.transport.client import Client
from agent.vocab import GSM

ACTIVE = IRI(GSM + "active")
INACTIVE = IRI(GSM + "inactive")
UNINITIALIZED = IRI(GSM + "uninitialized")


class Asked(Struct, frozen=True):
    """What came of asking: ``said`` for people, and whether anything had to be written."""

    said: str
    is_new: bool


async def pause(client: Client, instance: str) -> Asked:
    """Keep every agent from sending anything for ``instance``."""

    def edit(root: "_Root") -> list[Triple] | None:
        root.refuse_if_over("paused")
        if root.has(IS_PAUSED, TRUE):
            return None
        return with_value(root.triples, root.iri, IS_PAUSED, TRUE)

    return await _on_root(client, instance, edit, "is paused", "is paused already")


async def resume(client: Client, instance: str) -> Asked:
    """Let agents go on with an instance that was paused or parked."""

    def edit(root: "_Root") -> list[Triple] | None:
        if root.has(IS_CANCELLED, TRUE):
            raise _wrong_state(root.iri.value, "it is cancelled", "Start a new instance with milepost start.")
        rest = without(root.triples, root.iri, IS_PAUSED, IS_PARKED)
        return None if len(rest) == len(root.triples) else rest

    return await _on_root(client, instance, edit, "goes on", "is neither paused nor parked")


async def cancel(client: Client, instance: str) -> Asked:
    """Let an agent close every stage of ``instance``, with no milestone achieved."""

    def edit(root: "_Root") -> list[Triple] | None:
        if root.has(IS_CANCELLED, TRUE):
            return None
        root.refuse_if_over("cancelled")
        return with_value(root.triples, root.iri, IS_CANCELLED, TRUE)

    return await _on_root(client, instance, edit, "is cancelled", "is cancelled already")


async def retry(client: Client, instance: str, name: str, container: str = "") -> Asked:
    """Let an agent send the tasks of the active stage called ``name`` once more."""
    one = await _elements(client, instance, container)
    stage = find_element(one.elements, name, "stage")
    if stage.iri == one.name:
        raise UsageError("GSM055", f"{stage.name} is the root, which has no tasks to send again")
    if not stage.tasks:
        raise _wrong_state(stage.name, "it has no task to send again", "Name a stage that has one.")

    def edit(content: Content) -> list[Triple] | None:
        if ACTIVE not in _values(content, stage.iri, HAS_STATE):
            raise _wrong_state(
                stage.name, "it is not active", "Tasks are sent again while their stage is active."
            )
        if TRUE in _values(content, stage.iri, IS_RETRIED):
            return None
        return with_value(content.triples, IRI(stage.iri), IS_RETRIED, TRUE)

    return await _on_element(client, one, stage, edit, "sends its tasks once more")


async def done(client: Client, instance: str, name: str, container: str = "") -> Asked:
    """Let an agent complete the active stage of the milestone called ``name`` by that milestone."""
    one = await _elements(client, instance, container)
    milestone = find_element(one.elements, name, "milestone")
    stage = find_element(one.elements, milestone.stage, "stage")

    def edit(content: Content) -> list[Triple] | None:
        if TRUE in _values(content, milestone.iri, IS_DONE):
            return None
        if stage.state != "active":
            if TRUE in _values(content, milestone.iri, IS_ACHIEVED):
                return None
            raise _wrong_state(
                milestone.name,
                f"its stage {stage.name} is not active",
                "A milestone is achieved while its stage is active.",
            )
        return with_value(content.triples, IRI(milestone.iri), IS_DONE, TRUE)

    return await _on_element(client, one, milestone, edit, "is done")


class _Root(Struct, frozen=True):
    """The document of an instance as read, and the IRI of the instance in it."""

    iri: IRI
    content: Content

    @property
    def triples(self) -> Sequence[Triple]:
        return self.content.triples

    def has(self, predicate: IRI, value: Term) -> bool:
        return value in _values(self.content, self.iri.value, predicate)

    def refuse_if_over(self, what: str) -> None:
        """Raise GSM056 if the instance is at its end, so that it cannot be ``what`` any more."""
        if self.has(IS_CANCELLED, TRUE):
            over = "it is cancelled"
        elif self.has(HAS_STATE, INACTIVE):
            over = "it has ended"
        else:
            return
        raise _wrong_state(self.iri.value, over, f"Only instances that have not ended can be {what}.")


async def _on_root(
    client: Client, instance: str, edit: Callable[[_Root], list[Triple] | None], did: str, had: str
) -> Asked:
    name = await _instance(client, instance)
    is_new = await edit_document(client, name, lambda content: edit(_Root(IRI(name), content)))
    return Asked(f"{name} {did if is_new else had}", is_new)


async def _on_element(client: Client, one: "_Instance", element: Element, edit: Edit, did: str) -> Asked:
    is_new = await edit_document(client, element.iri, edit)
    already = "" if is_new else " already"
    later = f", once {one.name} is resumed" if one.is_held else ""
    return Asked(f"{element.kind} {element.name} {did}{already}{later}", is_new)


async def _instance(client: Client, uri: str) -> str:
    """Return the IRI under which its document describes the instance ``uri``."""
    check_uri(uri, "It is what milepost start prints.")
    content = await read_content(client, uri)
    known = list(instances_in(content.triples))
    for name in (uri, percent_encoded(uri)):
        if name in known:
            return name
    hint = f"did you mean {known[0]}?" if known else "The URI of an instance has a fragment, such as #it."
    raise UsageError("GSM054", f"{uri} is no workflow instance", hint=hint)


class _Instance(Struct, frozen=True):
    """An instance that is set up: its IRI, its elements, whether it is paused or parked."""

    name: str
    elements: tuple[Element, ...]
    is_held: bool


async def _elements(client: Client, uri: str, container: str) -> _Instance:
    """Return the instance ``uri`` with its elements; GSM056 if it has none yet."""
    name = await _instance(client, uri)
    targets = await find_targets([name], partial(read_outcome, client), container)
    root = await read_content(client, name)
    if UNINITIALIZED in _values(root, name, HAS_STATE):
        raise _wrong_state(name, "it is not set up yet", f"Run it first: milepost run {name}")
    is_held = TRUE in _values(root, name, IS_PAUSED) or bool(_values(root, name, IS_PARKED))
    return _Instance(name, await read_elements(client, name, targets.instances[name]), is_held)


def _values(content: Content, subject: str, predicate: IRI) -> list[Term]:
    return [t.object for t in content.triples if t.subject == IRI(subject) and t.predicate == predicate]


def _wrong_state(what: str, why: str, hint: str) -> ProgramError:
    return ProgramError("GSM056", f"not possible: {why}", hint=hint, place=Place(what))
