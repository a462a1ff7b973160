"""What a write does to the state: decided in one place, for every store, without doing it.

``decide`` reads the state through a ``View`` and returns either a refusal or a plan of row changes. It
runs inside the commit, so what it has read cannot change before the plan is carried out.
"""

from collections.abc import Collection
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from ldp_server.binaries import Binary, description_path, first_description
from ldp_server.documents import Draft
from ldp_server.names import candidate_names
from ldp_server.paths import ancestors, fits, is_container, parent, slash_twin
from ldp_server.storage.changes import Change, ChangeKind
from ldp_server.storage.port import Committed, Delete, Patch, Post, Put, Reason, Record, Refusal, Write
from ldp_server.storage.rules import Rules
from ldp_server.validators import Precondition


class View(Protocol):
    """The state as a decision sees it."""

    def record(self, path: str) -> Record | None:
        """Return the resource at ``path``, or None."""

    def rules_out(self, path: str) -> bool:
        """Tell whether it is certain that nothing is at ``path``, nor at its slash twin: quicker than to ask for both."""

    def has_members(self, path: str) -> bool:
        """Tell whether the container at ``path`` has a member."""

    def members(self, path: str) -> Collection[str]:
        """Return the paths of the members of a container."""

    def counter(self, path: str) -> int:
        """Return the last number this container gave out as a name, 0 at first, even if it was deleted since."""

    def is_kept_name(self, path: str) -> bool:
        """Tell whether a resource at ``path`` was deleted and left its name behind."""


class Plan(Struct, frozen=True, gc=False):
    """The changes that carry out one write, all or none of them.

    ``saved`` are new states of resources, ``touched`` is the container whose listing changes and that stays as
    it is otherwise, ``removed`` a resource that goes, with its description after it, ``counter`` a number
    that was given out, ``dropped`` the file of a content that is gone, ``kept_names`` the names of resources that go
    and are not used again.
    """

    done: Committed
    saved: tuple[Record, ...] = ()
    touched: Record | None = None
    removed: tuple[str, ...] = ()
    counter: tuple[str, int] | None = None
    dropped: str = ""
    kept_names: tuple[str, ...] = ()

    def changes(self) -> list[Change]:
        """Return what the log says of this write; listings, and descriptions that come or go, follow from the members."""
        done, saved = self.done, self.saved
        if not saved:
            return [Change(done.version, self.removed[0], ChangeKind.REMOVED)]
        kind = ChangeKind.CREATED if done.created else ChangeKind.CHANGED
        if len(saved) == 1:
            return [Change(done.version, done.path, kind, done.describes)]
        return sorted(Change(done.version, record.path, kind) for record in saved if not record.describes)


def decide(write: Write, view: View, version: int, base: str) -> Plan | Refusal:
    """Return what ``write`` does if it is the commit with number ``version``; ``base`` begins every IRI."""
    if isinstance(write, Put):
        return _decide_put(write, view, version, base)
    if isinstance(write, Post):
        return _decide_post(write, view, version, base)
    if isinstance(write, Patch):
        return _decide_patch(write, view, version, base)
    return _decide_delete(write, view, version)


def left_over(write: Write) -> str:
    """Return the file of the content that a refused ``write`` brought, which nobody needs, or nothing."""
    held = write.draft if isinstance(write, Put | Post) else None
    return held.file if isinstance(held, Binary) else ""


def _decide_put(put: Put, view: View, version: int, base: str) -> Plan | Refusal:
    present = None if view.rules_out(put.path) else view.record(put.path)
    if not _holds(put.precondition, present):
        return Refusal(Reason.PRECONDITION, put.path)
    if (refusal := _check_rules(put, present, view)) is not None:
        return refusal
    claims = _claims(put.draft)
    if claims and claims != {base + member for member in view.members(put.path)}:
        return Refusal(Reason.CONTAINMENT, put.path)
    saved = _state(put.path, version, put.draft, "")
    if put.rules.forbid(base + put.path, present.text if present else b"", saved.text):
        return Refusal(Reason.READ_ONLY, put.path)
    if present is None:
        return _create(saved, view, base, put.rules)
    if (present.binary is None) != (saved.binary is None):
        return Refusal(Reason.OTHER_KIND, put.path)
    if present.describes:
        saved = replace(saved, describes=present.describes)
    done = Committed(put.path, version, describes=present.describes)
    return Plan(done, saved=(saved,), dropped=_file(present))


def _decide_patch(patch: Patch, view: View, version: int, base: str) -> Plan | Refusal:
    """Plan a change of triples; If-Match is not required, a patch can say itself what it builds upon."""
    present = view.record(patch.path)
    if not _holds(patch.precondition, present):
        return Refusal(Reason.PRECONDITION, patch.path)
    if present is None and (refusal := _check_name(patch, view)) is not None:
        return refusal
    if present is not None and present.binary is not None:
        return Refusal(Reason.NOT_RDF, patch.path)
    made = patch.change(present)
    if isinstance(made, Refusal):
        return made
    if patch.rules.forbid(base + patch.path, present.text if present else b"", made):
        return Refusal(Reason.READ_ONLY, patch.path)
    if present is None:
        return _create(Record(patch.path, version, made), view, base, patch.rules)
    done = Committed(patch.path, version, describes=present.describes)
    return Plan(done, saved=(replace(present, version=version, text=made),))


def _check_rules(put: Put, present: Record | None, view: View) -> Refusal | None:
    if present is not None:
        is_open = put.rules.requires_match and put.precondition.match is None
        return Refusal(Reason.UNCONDITIONAL, put.path) if is_open else None
    return _check_name(put, view)


def _check_name(write: Put | Patch, view: View) -> Refusal | None:
    for path in (write.path, *ancestors(write.path)) if write.rules.keeps_names else ():
        if view.record(path) is not None:
            return None
        if view.is_kept_name(path):
            return Refusal(Reason.GONE, path)
    return None


def _create(new: Record, view: View, base: str, rules: Rules) -> Plan | Refusal:
    """Plan a new resource and the containers above it that are missing (Solid Protocol, section 5.3)."""
    if not view.rules_out(new.path) and view.record(slash_twin(new.path)) is not None:
        return Refusal(Reason.SLASH_TWIN, slash_twin(new.path))
    if new.binary is not None and is_container(new.path):
        return Refusal(Reason.OTHER_KIND, new.path)
    if new.binary is not None and _is_taken(description_path(new.path), view, rules):
        return Refusal(Reason.DESCRIPTION_TAKEN, description_path(new.path))
    missing: list[Record] = []
    for container in ancestors(new.path):
        if (present := view.record(container)) is not None:
            done = Committed(new.path, new.version, created=True)
            return Plan(
                done,
                saved=(*missing, *_with_description(new, base)),
                touched=_moved(present, new.version),
            )
        if view.record(slash_twin(container)) is not None:
            return Refusal(Reason.BELOW_DOCUMENT, slash_twin(container))
        missing.append(Record(container, new.version, b""))
    return Refusal(Reason.ABSENT, "/")


def _decide_post(post: Post, view: View, version: int, base: str) -> Plan | Refusal:
    above, draft = post.container, post.draft
    container = view.record(above)
    if container is None:
        return Refusal(Reason.ABSENT, above)
    if not is_container(above):
        return Refusal(Reason.NOT_A_CONTAINER, above)
    if not post.precondition.holds(container.version):
        return Refusal(Reason.PRECONDITION, above)
    is_content = isinstance(draft, Binary)
    if post.makes_container and is_content:
        return Refusal(Reason.OTHER_KIND, above)
    if _claims(draft):
        return Refusal(Reason.CONTAINMENT, above)
    before = view.counter(above)
    names = candidate_names(post.slug, before)
    name, counter = next(names)
    while _is_taken_for(post, path := above + name, view):
        name, counter = next(names)
    if post.makes_container:
        path += "/"
    if not fits(description_path(path) if is_content else path):
        return Refusal(Reason.NO_ROOM, above)
    saved = _state(path, version, draft, name)
    if post.rules.forbid(base + path, b"", saved.text):
        return Refusal(Reason.READ_ONLY, above)
    return Plan(
        Committed(path, version, created=True),
        saved=_with_description(saved, base),
        touched=_moved(container, version),
        counter=(above, counter) if counter != before else None,
    )


def _decide_delete(delete: Delete, view: View, version: int) -> Plan | Refusal:
    present = view.record(delete.path)
    if not _holds(delete.precondition, present):
        return Refusal(Reason.PRECONDITION, delete.path)
    if present is None:
        return Refusal(Reason.ABSENT, delete.path)
    above = None if delete.path == "/" else view.record(parent(delete.path))
    if above is None:
        return Refusal(Reason.ROOT, "/")
    if is_container(delete.path) and view.has_members(delete.path):
        return Refusal(Reason.NOT_EMPTY, delete.path)
    if present.describes:
        return Refusal(Reason.DESCRIPTION, delete.path)
    gone = (delete.path,) if present.binary is None else (delete.path, description_path(delete.path))
    return Plan(
        Committed(delete.path, version),
        touched=_moved(above, version),
        removed=gone,
        dropped=_file(present),
        kept_names=gone if delete.rules.keeps_names else (),
    )


def _moved(container: Record, version: int) -> Record:
    return Record(container.path, version, container.text)


def _state(path: str, version: int, draft: Draft | Binary, name: str) -> Record:
    if isinstance(draft, Binary):
        return Record(path, version, b"", draft)
    return Record(path, version, draft.named(name))


def _with_description(new: Record, base: str) -> tuple[Record, ...]:
    if new.binary is None:
        return (new,)
    text = first_description(base + new.path)
    return new, Record(description_path(new.path), new.version, text, describes=new.path)


def _is_taken_for(post: Post, path: str, view: View) -> bool:
    """Tell whether a new member cannot have this path, given without a final slash; content needs one for its description."""
    if isinstance(post.draft, Binary) and _is_taken(description_path(path), view, post.rules):
        return True
    return _is_taken(path, view, post.rules)


def _is_taken(path: str, view: View, rules: Rules) -> bool:
    """Tell whether a resource has this path, with or without its final slash, or had it and the name is kept."""
    if not view.rules_out(path) and (
        view.record(path) is not None or view.record(slash_twin(path)) is not None
    ):
        return True
    return rules.keeps_names and (view.is_kept_name(path) or view.is_kept_name(slash_twin(path)))


def _claims(draft: Draft | Binary) -> frozenset[str]:
    return frozenset() if isinstance(draft, Binary) else draft.claims


def _file(record: Record) -> str:
    return record.binary.file if record.binary else ""


def _holds(precondition: Precondition, present: Record | None) -> bool:
    return precondition.holds(present.version if present else None)
