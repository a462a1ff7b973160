"""A listing that is read while others write shows the members of the very state whose version it has."""

import asyncio
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ldp_server import SqliteStore
from ldp_server.binaries import Binary
from ldp_server.documents import Draft
from ldp_server.paths import parent
from ldp_server.storage import Delete, Post, Put, Record, Write
from ldp_server.storage.changes import Change, ChangeKind
from tests.support.depth import depth

BASE = "http://h"
CONTAINERS = ["/", "/a/", "/a/b/", "/c/"]
PATHS = st.sampled_from(["/a/", "/a/1", "/a/2", "/a/b/", "/a/b/3", "/a/b/4", "/c/", "/c/5", "/d"])
CONTENTS = st.sampled_from([Draft((b"",)), Binary("image/png", 1, b"q")])
WRITES = st.one_of(
    st.builds(Put, PATHS, CONTENTS),
    st.builds(Delete, PATHS),
    st.builds(Post, st.sampled_from(CONTAINERS), CONTENTS, makes_container=st.booleans()),
)
STEPS = st.lists(st.lists(st.one_of(WRITES, st.sampled_from(CONTAINERS)), max_size=8), max_size=8)
"""What is done together: writes, and listings of containers."""


def members_at(changes: list[Change], container: str, version: int) -> list[str]:
    """Return the members as they follow from all changes up to a version."""
    there: set[str] = set()
    for change in changes:
        if change.number > version or change.path == "/" or parent(change.path) != container:
            continue
        (there.discard if change.kind is ChangeKind.REMOVED else there.add)(change.path)
    return sorted(there)


async def listings(
    store: SqliteStore, steps: list[list[Write | str]]
) -> list[tuple[Record, list[str]] | None]:
    store.claim_base(BASE)
    seen: list[tuple[Record, list[str]] | None] = []

    async def do(asked: Write | str) -> None:
        if isinstance(asked, str):
            seen.append(await store.read_listing(asked))
        else:
            await store.commit([asked])

    for together in steps:
        await asyncio.gather(*map(do, together))
    await asyncio.gather(*map(do, CONTAINERS))
    await store.close()
    return seen


@settings(max_examples=depth(40, 3000))
@given(STEPS)
def test_listings_show_the_members_of_their_version(steps: list[list[Write | str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder), first=1)
        seen = asyncio.run(listings(store, steps))
        changes = [*store.log.after(0)]
    for record, members in filter(None, seen):
        told = [change for change in changes if not change.describes]
        assert members == members_at(told, record.path, record.version)
