"""What decisions are going to ask about is foreseen, and what is not foreseen is asked all the same."""

from pathlib import Path

from ldp_server import open_sqlite_store
from ldp_server.documents import Draft
from ldp_server.storage import Committed, Delete, Patch, Post, Put, Write
from ldp_server.storage.foresight import targets

EMPTY = Draft((b"",))


def test_members_of_one_batch_are_expected_under_the_names_they_get_one_after_the_other() -> None:
    writes: list[Write] = [
        Put("/a", EMPTY),
        Post("/c/", EMPTY),
        Post("/d/", EMPTY),
        Post("/c/", EMPTY, slug="s"),
        Post("/c/", EMPTY),
        Delete("/b/"),
        Patch("/p", lambda _: b""),
    ]
    assert list(targets(writes, {"/c/": 7, "/d/": 0}.__getitem__)) == [
        "/a",
        "/c/8",
        "/d/1",
        "/c/s",
        "/c/9",
        "/b/",
        "/p",
    ]


async def test_a_name_that_the_file_has_and_a_slash_twin_there_are_found(tmp_path: Path) -> None:
    store = open_sqlite_store(tmp_path, first=1)
    store.claim_base("http://h")
    await store.commit([Put("/c/1", EMPTY), Put("/c/2/", EMPTY), Put("/c/s/", EMPTY)])
    await store.close()
    again = open_sqlite_store(tmp_path)
    again.claim_base("http://h")
    posts = [Post("/c/", EMPTY), Post("/c/", EMPTY, slug="s")]
    assert await again.commit([*posts, Put("/c/1", EMPTY)]) == [
        Committed("/c/3", 5, created=True),
        Committed("/c/s-4", 6, created=True),
        Committed("/c/1", 7),
    ]
    await again.close()
