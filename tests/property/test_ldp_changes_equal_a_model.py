"""Change log, subtree versions and ``since`` of both stores against a model that remembers every state."""

import asyncio
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ldp_server import MemoryStore, SqliteStore, Store
from ldp_server.binaries import Binary
from ldp_server.documents import Draft
from ldp_server.feeds.since import HistoryGoneError, MemberChange, read_since
from ldp_server.paths import ancestors, is_container, parent
from ldp_server.storage import Committed, Delete, Outcome, Post, Put, Write
from ldp_server.storage.changes import ChangeKind
from tests.support.depth import depth

BASE = "http://h"
FIRST = 5
LOG_BYTES = 12 * 160
"""Room for a dozen changes, so that the log forgets within a test."""

PATHS = st.sampled_from(
    ["/", "/a", "/a/", "/a/b", "/a/b/", "/a/b/c", "/a/1", "/d/", "/d/e/f", "/d/e/g", "/ab"]
)
DRAFTS = st.sampled_from([b"", b"x", b"y"]).map(lambda text: Draft((text,)))
WRITES: st.SearchStrategy[Write] = st.one_of(
    st.builds(Put, PATHS, DRAFTS),
    st.builds(Put, PATHS, DRAFTS),
    st.builds(Put, st.just("/a/p"), st.sampled_from([Binary("image/png", 1, b"p"), Draft((b"x",))])),
    st.builds(Put, st.just("/a/p.meta"), DRAFTS),
    st.builds(Delete, st.just("/a/p")),
    st.builds(Post, PATHS, st.just(Draft((b"<", b">"))), st.sampled_from(["", "b"]), st.booleans()),
    st.builds(Delete, PATHS),
)


@dataclass
class Model:
    """Every state there was, and which paths each commit touched."""

    states: dict[int, dict[str, int]] = field(default_factory=lambda: {FIRST: {"/": FIRST}})
    touched: list[tuple[int, str]] = field(default_factory=lambda: [(FIRST, "/")])
    described: int = 0
    """The number of the last change of the only description there can be."""

    @property
    def sequence(self) -> int:
        return max(self.states)

    @property
    def now(self) -> dict[str, int]:
        return self.states[self.sequence]

    def take_in(self, write: Write, outcome: Outcome) -> None:
        if not isinstance(outcome, Committed):
            return
        number, state = outcome.version, dict(self.now)
        assert number == self.sequence + 1
        if isinstance(write, Delete):
            del state[outcome.path]
            paths = [outcome.path]
            self.described = 0 if outcome.path == "/a/p" else self.described
        elif not outcome.created and outcome.path not in state:
            paths = [outcome.path]
            self.described = number
        else:
            paths = [outcome.path, *(above for above in ancestors(outcome.path) if above not in state)]
            state |= dict.fromkeys(paths, number)
        self.states[number] = state
        self.touched += [(number, path) for path in paths]

    def subtree(self, container: str) -> int:
        return max(number for number, path in self.touched if path.startswith(container))

    def is_touched(self, below: str, after: int) -> bool:
        return any(number > after and path.startswith(below) for number, path in self.touched)

    def changes(self, container: str, since: int) -> dict[str, ChangeKind]:
        """Return what became of the members by comparing two states."""
        before, now = self.states[since], self.now
        found = {}
        for path in (before.keys() | now.keys()) - {"/"}:
            if parent(path) != container:
                continue
            if path not in now:
                found[path] = ChangeKind.REMOVED
            elif path not in before:
                found[path] = ChangeKind.CREATED
            elif before[path] != now[path] or (is_container(path) and self.is_touched(path, since)):
                found[path] = ChangeKind.CHANGED
        if container == "/a/" and self.described > since:
            found.setdefault("/a/p.meta", ChangeKind.CHANGED)
        return found

    def members(self, container: str, number: int) -> set[str]:
        return {path for path in self.states[number] if path != "/" and parent(path) == container}


async def check(store: Store, model: Model) -> list[object]:
    """Check every container and every number, and return the answers."""
    seen: list[object] = [store.log.sequence, store.log.horizon]
    for container in filter(is_container, ["/", "/a/", "/a/b/", "/d/", "/d/e/", "/ab/", "/a/1/"]):
        subtree = await store.read_subtree(container)
        assert subtree == (model.subtree(container) if container in model.now else None)
        for number in range(FIRST - 1, model.sequence + 2):
            try:
                answer = await read_since(store, container, number)
            except HistoryGoneError:
                assert subtree is not None
                assert number > model.sequence or number < min(subtree, store.log.horizon)
                seen.append("gone")
                continue
            seen.append(answer)
            assert (answer is None) == (subtree is None)
            if answer is not None and subtree is not None:
                assert answer.sequence == max(number, subtree)
                check_answer(model, container, number, answer.changes)
    return seen


def check_answer(model: Model, container: str, number: int, changes: Sequence[MemberChange]) -> None:
    told = {change.path: change.kind for change in changes if change.path != container}
    assert told == model.changes(container, number)
    listed = model.members(container, number)
    listed |= {path for path, kind in told.items() if kind is ChangeKind.CREATED}
    listed -= {path for path, kind in told.items() if kind is ChangeKind.REMOVED}
    assert listed == model.members(container, model.sequence)
    itself = any(change.path == container for change in changes)
    assert itself == (model.now[container] > number)
    for change in changes:
        if change.kind is not ChangeKind.REMOVED and change.path != container:
            own = model.now.get(change.path, model.described)
            assert change.version == (model.subtree(change.path) if is_container(change.path) else own)


async def history(
    open_store: Callable[[], Store], batches: list[list[Write]], *, restarts: bool
) -> list[object]:
    """Play the batches, checking after each, and return the answers."""
    store, model = open_store(), Model()
    store.claim_base(BASE)
    seen: list[object] = []
    for batch in batches:
        for write, outcome in zip(batch, await store.commit(batch), strict=True):
            model.take_in(write, outcome)
        seen.append(await check(store, model))
        if restarts:
            held = store.log.after(0)
            await store.close()
            store = open_store()
            store.claim_base(BASE)
            assert list(store.log.after(0))[-len(held) :] == list(held)
            await check(store, model)
    await store.close()
    return seen


BATCHES = st.lists(st.lists(WRITES, max_size=10), max_size=5)


@settings(max_examples=depth(20, 1500))
@given(BATCHES)
def test_both_stores_tell_what_changed(batches: list[list[Write]]) -> None:
    in_memory = MemoryStore(first=FIRST, log_bytes=LOG_BYTES)
    told = asyncio.run(history(lambda: in_memory, batches, restarts=False))
    with tempfile.TemporaryDirectory() as folder:
        durable = SqliteStore(Path(folder), first=FIRST, log_bytes=LOG_BYTES)
        assert asyncio.run(history(lambda: durable, batches, restarts=False)) == told


@settings(max_examples=depth(12, 800))
@given(BATCHES)
def test_a_restart_loses_nothing_of_the_log(batches: list[list[Write]]) -> None:
    with tempfile.TemporaryDirectory() as folder:

        def reopen() -> Store:
            return SqliteStore(Path(folder), first=FIRST, log_bytes=LOG_BYTES)

        asyncio.run(history(reopen, batches, restarts=True))
