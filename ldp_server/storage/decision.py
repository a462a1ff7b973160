"""What a write does to the state: decided in one place, for every store, without doing it.

``decide`` reads the state through a ``View`` and returns either a refusal or a plan of row changes. It
runs inside the commit, so what it has read cannot change before the plan is carried out.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from ldp_server.names import candidate_names
from ldp_server.paths import ancestors, fits, is_container, parent, slash_twin
from ldp_server.storage.port import Committed, Delete, Post, Put, Reason, Record, Refusal, Write
from ldp_server.validators import Precondition


class View(Protocol):
    """The state as a decision sees it."""

    def record(self, path: str) -> Record | None:
        """Return the resource at ``path``, or None."""

    def has_members(self, path: str) -> bool:
        """Tell whether the container at ``path`` has a member."""

    def members(self, path: str) -> Collection[str]:
        """Return the paths of the members of a container."""

    def counter(self, path: str) -> int:
        """Return the last number this container gave out as a name, 0 at first, even if it was deleted since."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The changes that carry out one write, all or none of them.

    ``saved`` are new states of resources, ``touched`` containers whose listing changes and that stay as
    they are otherwise, ``removed`` a resource that goes, ``counter`` a number that was given out.
    """

    done: Committed
    saved: tuple[Record, ...] = ()
    touched: str | None = None
    removed: str | None = None
    counter: tuple[str, int] | None = None


def decide(write: Write, view: View, version: int, base: str) -> Plan | Refusal:
    """Return what ``write`` does if it is the commit with number ``version``; ``base`` begins every IRI."""
    match write:
        case Put():
            return _decide_put(write, view, version, base)
        case Post():
            return _decide_post(write, view, version)
        case Delete():
            return _decide_delete(write, view, version)


def _decide_put(put: Put, view: View, version: int, base: str) -> Plan | Refusal:
    present = view.record(put.path)
    if not _holds(put.precondition, present):
        return Refusal(Reason.PRECONDITION, put.path)
    if put.draft.claims and put.draft.claims != {base + member for member in view.members(put.path)}:
        return Refusal(Reason.CONTAINMENT, put.path)
    saved = Record(put.path, version, put.draft.named(""))
    if present is not None:
        return Plan(Committed(put.path, version), saved=(saved,))
    return _create(saved, view)


def _create(new: Record, view: View) -> Plan | Refusal:
    """Plan a new resource and the containers above it that are missing (Solid Protocol, section 5.3)."""
    if view.record(slash_twin(new.path)) is not None:
        return Refusal(Reason.SLASH_TWIN, slash_twin(new.path))
    missing: list[Record] = []
    for container in ancestors(new.path):
        if view.record(container) is not None:
            done = Committed(new.path, new.version, created=True)
            return Plan(done, saved=(*missing, new), touched=container)
        if view.record(slash_twin(container)) is not None:
            return Refusal(Reason.BELOW_DOCUMENT, slash_twin(container))
        missing.append(Record(container, new.version, b""))
    return Refusal(Reason.ABSENT, "/")


def _decide_post(post: Post, view: View, version: int) -> Plan | Refusal:
    container = view.record(post.container)
    if container is None:
        return Refusal(Reason.ABSENT, post.container)
    if not is_container(post.container):
        return Refusal(Reason.NOT_A_CONTAINER, post.container)
    if not _holds(post.precondition, container):
        return Refusal(Reason.PRECONDITION, post.container)
    if post.draft.claims:
        return Refusal(Reason.CONTAINMENT, post.container)
    before = view.counter(post.container)
    name, counter = next(
        (name, counter)
        for name, counter in candidate_names(post.slug, before)
        if view.record(post.container + name) is None and view.record(post.container + name + "/") is None
    )
    path = post.container + name + ("/" if post.makes_container else "")
    if not fits(path):
        return Refusal(Reason.NO_ROOM, post.container)
    return Plan(
        Committed(path, version, created=True),
        saved=(Record(path, version, post.draft.named(name)),),
        touched=post.container,
        counter=(post.container, counter) if counter != before else None,
    )


def _decide_delete(delete: Delete, view: View, version: int) -> Plan | Refusal:
    present = view.record(delete.path)
    if not _holds(delete.precondition, present):
        return Refusal(Reason.PRECONDITION, delete.path)
    if present is None:
        return Refusal(Reason.ABSENT, delete.path)
    if delete.path == "/":
        return Refusal(Reason.ROOT, "/")
    if is_container(delete.path) and view.has_members(delete.path):
        return Refusal(Reason.NOT_EMPTY, delete.path)
    return Plan(Committed(delete.path, version), touched=parent(delete.path), removed=delete.path)


def _holds(precondition: Precondition, present: Record | None) -> bool:
    return precondition.holds(present.version if present else None)
