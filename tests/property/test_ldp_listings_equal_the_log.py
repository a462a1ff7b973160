"""A listing that is read while others write shows the members of the very state whose version it has, and no old one."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from ldp_server import SqliteStore
from ldp_server.binaries import Binary
from ldp_server.documents import Draft
from ldp_server.paths import place
from ldp_server.storage import Delete, Patch, Post, Put, Record, Write
from ldp_server.storage.changes import Change, ChangeKind
from tests.support.depth import depth

BASE = "http://h"
CONTAINERS = ["/", "/a/", "/a/b/", "/c/"]
PATHS = st.sampled_from(
    ["/a/", "/a/1", "/a/1.meta", "/a/2", "/a/b/", "/a/b/3", "/a/b/A", "/a/b/a!", "/c/", "/c/5", "/d"]
)


class BrokenDraft(Draft, frozen=True):
    """What makes a write fail, and those with it be written one by one."""

    def named(self, name: str) -> bytes:
        raise RuntimeError(name)


def patched(_: Record | None) -> bytes:
    return b"p"


PICTURE = Binary("image/png", 1, b"q")
CONTENTS = st.sampled_from([Draft((b"",)), Draft((b"x",)), PICTURE, BrokenDraft((b"",))])
WRITES = st.one_of(
    st.builds(Put, PATHS, CONTENTS),
    st.builds(Delete, PATHS),
    st.builds(Patch, PATHS, st.just(patched)),
    st.builds(
        Post,
        st.sampled_from(CONTAINERS),
        CONTENTS,
        st.sampled_from(["", "A", "1"]),
        makes_container=st.booleans(),
    ),
)
Asked = Sequence[Write] | str
STEPS = st.lists(
    st.lists(st.one_of(st.lists(WRITES, max_size=3), st.sampled_from(CONTAINERS)), max_size=8), max_size=8
)
"""What is done together: commits, and listings of containers."""


class Seen(Struct):
    """A listing, and the number of the last commit that was visible when it was asked for."""

    sequence: int
    container: Record
    members: list[str]


def members_at(changes: list[Change], container: str, version: int) -> list[str]:
    """Return the members as they follow from all changes up to a version."""
    there: set[str] = set()
    for change in changes:
        if change.number > version or place(change.path)[0] != container:
            continue
        (there.discard if change.kind is ChangeKind.REMOVED else there.add)(change.path)
    return sorted(there)


def last_move(changes: list[Change], container: str, sequence: int) -> int:
    """Return the number of the last commit up to ``sequence`` that is to be seen in a listing."""
    return max(
        (change.number for change in changes if change.number <= sequence and shows(container, change)),
        default=0,
    )


def shows(container: str, change: Change) -> bool:
    """Tell whether a change is to be seen in the listing of a container: its own, or that of who its members are."""
    comes_or_goes = change.kind is not ChangeKind.CHANGED
    return change.path == container or (comes_or_goes and place(change.path)[0] == container)


async def listings(store: SqliteStore, steps: Sequence[Sequence[Asked]]) -> list[Seen]:
    store.claim_base(BASE)
    seen: list[Seen] = []

    async def do(asked: Asked) -> None:
        if isinstance(asked, str):
            sequence = store.log.sequence
            if (found := await store.read_listing(asked)) is not None:
                seen.append(Seen(sequence, *found))
        else:
            await store.commit(asked)

    for together in steps:
        await asyncio.gather(*map(do, together))
    await asyncio.gather(*map(do, CONTAINERS))
    await store.close()
    return seen


@settings(max_examples=depth(60, 3000))
@given(STEPS, st.sampled_from([4_000, 1 << 26]))
@example(
    [[[Put("/a/1.meta", Draft((b"x",)))]], ["/a/"], [[Delete("/a/1.meta"), Put("/a/1", PICTURE)]]], 1 << 26
)
def test_listings_show_the_members_of_their_version(
    steps: Sequence[Sequence[Asked]], cached_bytes: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder), first=1, cached_bytes=cached_bytes)
        seen = asyncio.run(listings(store, steps))
        changes = [change for change in store.log.after(0) if not change.describes]
    for listing in seen:
        path, version = listing.container.path, listing.container.version
        assert listing.members == members_at(changes, path, version)
        assert version >= last_move(changes, path, listing.sequence)
