"""Rules of a server on writes: both stores heed them inside the commit, and without them nothing changes."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ldp_server import MemoryStore, Store, open_sqlite_store
from ldp_server.documents import Draft
from ldp_server.storage import Committed, Delete, Post, Put, Reason, Refusal
from ldp_server.storage.rules import Rules
from ldp_server.validators import NO_PRECONDITION, Precondition, Tags

BASE = "http://h"
KEEPS = Rules(keeps_names=True)
MATCH = Rules(requires_match=True)
EVEN = Rules(read_only=frozenset({"http://v/kept"}))
ANY = Precondition(match=Tags(any_state=True))


def text(content: str) -> Draft:
    return Draft((content.encode(),))


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    held: Store = (
        MemoryStore(first=1) if request.param == "memory" else open_sqlite_store(tmp_path / "data", first=1)
    )
    held.claim_base(BASE)
    yield held
    await held.close()


async def test_the_name_of_what_was_deleted_is_not_used_again(store: Store) -> None:
    await store.commit([Put("/a/b", text("x")), Put("/a/c/", text("")), Delete("/a/b", rules=KEEPS)])
    await store.commit([Delete("/a/c/", rules=KEEPS), Delete("/a/", rules=KEEPS)])

    outcomes = await store.commit(
        [
            Put("/a/b", text("y"), rules=KEEPS),
            Put("/a/new", text("y"), rules=KEEPS),
            Put("/b", text("y"), rules=KEEPS),
        ]
    )

    assert outcomes == [
        Refusal(Reason.GONE, "/a/b"),
        Refusal(Reason.GONE, "/a/"),
        Committed("/b", 7, created=True),
    ]
    assert [await store.was_deleted(path) for path in ("/a/b", "/a/c/", "/a/", "/b", "/")] == [
        True,
        True,
        True,
        False,
        False,
    ]


async def test_a_slug_whose_name_was_deleted_gets_another_one(store: Store) -> None:
    await store.commit([Put("/a", text("x")), Put("/c/", text(""))])
    await store.commit([Delete("/a", rules=KEEPS), Delete("/c/", rules=KEEPS)])

    outcomes = await store.commit(
        [
            Post("/", text("y"), "a", rules=KEEPS),
            Post("/", text("y"), "c", rules=KEEPS),
            Post("/", text("y"), "a"),
        ]
    )

    assert [outcome.path for outcome in outcomes] == ["/a-1", "/c-2", "/a"]


async def test_without_the_rule_nothing_is_kept(store: Store) -> None:
    await store.commit([Put("/a", text("x")), Delete("/a")])

    assert not await store.was_deleted("/a")
    assert await store.commit([Put("/a", text("y"), rules=KEEPS)]) == [Committed("/a", 4, created=True)]


async def test_what_is_there_is_replaced_under_if_match_only(store: Store) -> None:
    create = Precondition(none_match=Tags(any_state=True))
    unlike = Precondition(none_match=Tags(tags=(("9-ttl", False),)))

    outcomes = await store.commit(
        [
            Put("/a", text("x"), rules=MATCH),
            Put("/a", text("y"), rules=MATCH),
            Put("/a", text("y"), create, MATCH),
            Put("/a", text("y"), unlike, MATCH),
            Put("/a", text("y"), ANY, MATCH),
            Put("/a", text("z")),
            Delete("/a", rules=MATCH),
        ]
    )

    assert outcomes == [
        Committed("/a", 2, created=True),
        Refusal(Reason.UNCONDITIONAL, "/a"),
        Refusal(Reason.PRECONDITION, "/a"),
        Refusal(Reason.UNCONDITIONAL, "/a"),
        Committed("/a", 3),
        Committed("/a", 4),
        Committed("/a", 5),
    ]


async def test_a_read_only_property_keeps_its_values(store: Store) -> None:
    kept = '<http://h/a> <http://v/kept> "1" .\n'
    other = '<http://h/a> <http://v/other> "1" .\n<http://h/b> <http://v/kept> "1" .\n'
    await store.commit([Put("/a", text(kept))])

    outcomes = await store.commit(
        [
            Put("/a", text(other + kept), NO_PRECONDITION, EVEN),
            Put("/a", text(other), NO_PRECONDITION, EVEN),
            Put("/a", text(kept.replace('"1"', '"2"')), NO_PRECONDITION, EVEN),
            Put("/n", text('<http://h/n> <http://v/kept> "1" .\n'), NO_PRECONDITION, EVEN),
            Post("/", Draft((b"<http://h/", b'> <http://v/kept> "1" .\n')), "p", rules=EVEN),
            Put("/n", text(other), NO_PRECONDITION, EVEN),
        ]
    )

    assert outcomes == [
        Committed("/a", 3),
        Refusal(Reason.READ_ONLY, "/a"),
        Refusal(Reason.READ_ONLY, "/a"),
        Refusal(Reason.READ_ONLY, "/n"),
        Refusal(Reason.READ_ONLY, "/"),
        Committed("/n", 4, created=True),
    ]


async def test_names_are_kept_over_a_restart(tmp_path: Path) -> None:
    first = open_sqlite_store(tmp_path, first=1)
    await first.commit([Put("/a", text("x")), Delete("/a", rules=KEEPS)])
    await first.close()

    second = open_sqlite_store(tmp_path)
    try:
        assert await second.was_deleted("/a")
        assert await second.commit([Put("/a", text("y"), rules=KEEPS)]) == [Refusal(Reason.GONE, "/a")]
    finally:
        await second.close()
