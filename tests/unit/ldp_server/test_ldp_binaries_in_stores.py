"""Stores keep content of any kind: with a description each, in the row or in a file, and no file is left over."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ldp_server import MemoryStore, SqliteStore, Store, open_sqlite_store
from ldp_server.binaries import Binary
from ldp_server.documents import Draft
from ldp_server.storage import Committed, Delete, Post, Put, Reason, Record, Refusal, database
from ldp_server.storage.changes import Change, ChangeKind
from ldp_server.validators import Precondition, Tags

BASE = "http://h"
PNG = Binary("image/png", 3, b"png")
RDF = Draft((b"x",))
ABSENT = Precondition(none_match=Tags(any_state=True))


def description(path: str, version: int) -> Record:
    text = (
        f"<{BASE}{path}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
        " <http://www.w3.org/ns/ldp#NonRDFSource> .\n"
    )
    return Record(path + ".meta", version, text.encode(), describes=path)


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    held: Store = MemoryStore(first=1) if request.param == "memory" else open_sqlite_store(tmp_path, first=1)
    held.claim_base(BASE)
    yield held
    await held.close()


async def uncached(store: Store, path: str) -> Record | None:
    """Return what the file of a durable store says, whatever is in its cache."""
    if isinstance(store, SqliteStore):
        return await store._ask(lambda reader: database.record(reader, path))
    return await store.read(path)


def filed(store: Store, content: bytes) -> Binary:
    incoming = store.contents.create()
    incoming.write(content)
    incoming.finish()
    return Binary("video/mp4", len(content), file=incoming.name)


async def test_the_log_tells_what_a_description_that_changed_is_about_and_names_none_that_came_or_went(
    store: Store,
) -> None:
    await store.commit([Put("/a/p", PNG), Put("/a/p.meta", RDF), Put("/a/p", PNG), Delete("/a/p")])
    assert [*store.log.after(0)] == [
        Change(2, "/a/", ChangeKind.CREATED),
        Change(2, "/a/p", ChangeKind.CREATED),
        Change(3, "/a/p.meta", ChangeKind.CHANGED, "/a/p"),
        Change(4, "/a/p", ChangeKind.CHANGED),
        Change(5, "/a/p", ChangeKind.REMOVED),
    ]


async def test_content_and_its_description_come_and_go_together(store: Store) -> None:
    assert await store.commit([Put("/a/p", PNG)]) == [Committed("/a/p", 2, created=True)]
    for read in (store.read, lambda path: uncached(store, path)):
        assert await read("/a/p") == Record("/a/p", 2, b"", PNG)
        assert await read("/a/p.meta") == description("/a/p", 2)
    assert await store.read_listing("/a/") == (Record("/a/", 2, b""), ["/a/p"])
    outcomes = await store.commit(
        [
            Put("/a/p", Binary("Text/Plain; charset=x", 0)),
            Put("/a/p.meta", RDF),
            Delete("/a/p.meta"),
            Delete("/a/"),
        ]
    )
    assert outcomes == [
        Committed("/a/p", 3),
        Committed("/a/p.meta", 4, describes="/a/p"),
        Refusal(Reason.DESCRIPTION, "/a/p.meta"),
        Refusal(Reason.NOT_EMPTY, "/a/"),
    ]
    assert await uncached(store, "/a/p") == Record("/a/p", 3, b"", Binary("Text/Plain; charset=x", 0))
    assert await uncached(store, "/a/p.meta") == Record("/a/p.meta", 4, b"x", describes="/a/p")
    assert await store.commit([Delete("/a/p")]) == [Committed("/a/p", 5)]
    assert [await uncached(store, path) for path in ("/a/p", "/a/p.meta")] == [None, None]
    assert await store.read_listing("/a/") == (Record("/a/", 5, b""), [])


async def test_a_resource_stays_of_its_kind(store: Store) -> None:
    outcomes = await store.commit(
        [
            Put("/p", PNG),
            Put("/p", RDF),
            Put("/p.meta", PNG),
            Put("/r", RDF),
            Put("/r", PNG),
            Put("/", PNG),
            Put("/c/", PNG),
            Post("/", PNG, "c", makes_container=True),
            Put("/p/below", RDF),
            Put("/p.meta/below", RDF),
        ]
    )
    assert outcomes == [
        Committed("/p", 2, created=True),
        Refusal(Reason.OTHER_KIND, "/p"),
        Refusal(Reason.OTHER_KIND, "/p.meta"),
        Committed("/r", 3, created=True),
        Refusal(Reason.OTHER_KIND, "/r"),
        Refusal(Reason.OTHER_KIND, "/"),
        Refusal(Reason.OTHER_KIND, "/c/"),
        Refusal(Reason.OTHER_KIND, "/"),
        Refusal(Reason.BELOW_DOCUMENT, "/p"),
        Refusal(Reason.BELOW_DOCUMENT, "/p.meta"),
    ]
    assert await store.read_listing("/") == (Record("/", 3, b""), ["/p", "/r"])


async def test_a_name_whose_description_is_taken_is_not_given(store: Store) -> None:
    outcomes = await store.commit(
        [
            Put("/p.meta", RDF),
            Put("/q.meta/", RDF),
            Put("/p", PNG),
            Post("/", PNG, "p"),
            Post("/", PNG, "q"),
            Post("/", RDF, "p"),
        ]
    )
    assert outcomes == [
        Committed("/p.meta", 2, created=True),
        Committed("/q.meta/", 3, created=True),
        Refusal(Reason.DESCRIPTION_TAKEN, "/p.meta"),
        Committed("/p-1", 4, created=True),
        Committed("/q-2", 5, created=True),
        Committed("/p", 6, created=True),
    ]
    assert await store.read("/p-1.meta") == description("/p-1", 4)


async def test_a_file_goes_with_the_commit_that_drops_it_and_with_a_refused_write(store: Store) -> None:
    first, second, third, fourth, late = (filed(store, bytes([n]) * 9) for n in range(5))
    await store.commit([Put("/a", first), Put("/b", second), Put("/c", third)])
    outcomes = await store.commit([Put("/a", fourth), Put("/b", late, ABSENT), Delete("/c")])
    assert outcomes == [Committed("/a", 5), Refusal(Reason.PRECONDITION, "/b"), Committed("/c", 6)]
    after = filed(store, b"too late")
    folder = store.contents.folder
    left = {file.name for file in folder.iterdir()}
    await store.close()
    assert await store.commit([Put("/d", after)]) == [Refusal(Reason.FAILED, "/")]
    if isinstance(store, MemoryStore):
        assert (left, folder.exists()) == ({second.file, fourth.file, after.file}, False)
    else:
        assert {file.name for file in folder.iterdir()} == {second.file, fourth.file}
