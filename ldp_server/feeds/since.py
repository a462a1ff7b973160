"""What changed in a container since a number: the log folded into one change a member."""

import asyncio
from collections.abc import Sequence

from msgspec import Struct

from ldp_server.paths import is_container
from ldp_server.storage.changes import Change, ChangeKind
from ldp_server.storage.port import Store

_OFF_LOOP = 1000
"""From so many changes on they are folded outside the event loop."""


class MemberChange(Struct, frozen=True):
    """What became of a member, or of the container's own triples, since the number that was asked about.

    ``version`` is that of the present state; of a member container it is the subtree version, as ``is_subtree`` tells,
    of a removed member the number of the commit that removed it.
    """

    path: str
    kind: ChangeKind
    version: int
    is_subtree: bool = False


class Since(Struct, frozen=True):
    """What changed in ``container`` after the commit ``number``; to go on, ask again with ``sequence``."""

    container: str
    number: int
    sequence: int
    changes: tuple[MemberChange, ...] = ()


class HistoryGoneError(Exception):
    """The log does not reach back to the number, or the number is of other data: read everything anew."""


async def read_since(store: Store, container: str, number: int) -> Since | None:
    """Return what changed, or None if there is no such container; raise HistoryGoneError."""
    subtree = await store.read_subtree(container)
    if subtree is None:
        return None
    log = store.log
    if number > log.sequence or (number < subtree and number < log.horizon):
        raise HistoryGoneError
    if number >= subtree:
        return Since(container, number, number)
    changes = log.after(number)
    if len(changes) > _OFF_LOOP:
        return await asyncio.to_thread(_since, container, number, changes)
    return _since(container, number, changes)


def _since(container: str, number: int, changes: Sequence[Change]) -> Since:
    below = [change for change in changes if change.path.startswith(container)]
    return Since(container, number, below[-1].number if below else number, fold_changes(container, below))


class _Course(Struct):
    """What the log says of one member: the first and the last thing that happened to it itself, if anything did."""

    first: ChangeKind | None = None
    last: ChangeKind | None = None
    number: int = 0


def fold_changes(container: str, changes: Sequence[Change]) -> tuple[MemberChange, ...]:
    """Return what became of each direct member of ``container``, from changes at or below it, the latest last.

    A member that came and went again is not named, one that went and came again has changed. A change further down
    is a change of the member container that it is below. The container is named itself when its own triples changed,
    and so is a description that changed while what it describes stayed.
    """
    courses: dict[str, _Course] = {}
    descriptions: dict[str, Change] = {}
    listing = 0
    for change in changes:
        member = _member_towards(container, change.path)
        if change.describes and member == change.path:
            descriptions[change.describes] = change
            continue
        if change.kind is ChangeKind.REMOVED:
            descriptions.pop(change.path, None)
        course = courses.get(member)
        if course is None:
            course = courses[member] = _Course()
        course.number = change.number
        if member == change.path:
            course.first = course.first or change.kind
            course.last = change.kind
            if member == container or change.kind is not ChangeKind.CHANGED:
                listing = change.number
    folded = [MemberChange(container, ChangeKind.CHANGED, listing)] if courses.pop(container, None) else []
    folded += filter(None, (_folded(member, course) for member, course in courses.items()))
    told = {change.path for change in folded}
    described = (change for change in descriptions.values() if change.path not in told)
    folded += (MemberChange(change.path, ChangeKind.CHANGED, change.number) for change in described)
    return tuple(sorted(folded, key=lambda change: (change.version, change.path)))


def _member_towards(container: str, path: str) -> str:
    """Return the member of ``container`` that is ``path`` or lies above it; the container itself is its own."""
    slash = path.find("/", len(container))
    return path if slash < 0 else path[: slash + 1]


def _folded(member: str, course: _Course) -> MemberChange | None:
    was, is_there = course.first is not ChangeKind.CREATED, course.last is not ChangeKind.REMOVED
    if not was and not is_there:
        return None
    kind = ChangeKind.CHANGED if was and is_there else ChangeKind.REMOVED if was else ChangeKind.CREATED
    return MemberChange(member, kind, course.number, is_container(member))
