"""Both stores decide alike, and what they acknowledged is there."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ldp_server import MemoryStore, SqliteStore, Store, open_sqlite_store
from ldp_server.binaries import Binary
from ldp_server.documents import Draft
from ldp_server.paths import parent, slash_twin
from ldp_server.storage import Committed, Delete, Outcome, Post, Put, Reason, Record, Refusal, Write
from ldp_server.storage.rules import NO_RULES, Rules
from ldp_server.validators import Precondition, Tags
from tests.support.depth import depth

BASE = "http://h"
ANY = Tags(any_state=True)
ABSENT = Precondition(none_match=ANY)


def text(content: str) -> Draft:
    return Draft((content.encode(),))


def at(version: int) -> Precondition:
    return Precondition(match=Tags(tags=((f"{version}-ttl", False),)))


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    held: Store = (
        MemoryStore(first=1) if request.param == "memory" else open_sqlite_store(tmp_path / "data", first=1)
    )
    held.claim_base(BASE)
    yield held
    await held.close()


async def members(store: Store, path: str) -> list[str]:
    found = await store.read_listing(path)
    assert found is not None
    return found[1]


async def test_a_put_creates_the_containers_on_the_way(store: Store) -> None:
    assert await store.commit([Put("/a/b/c", text("x"))]) == [Committed("/a/b/c", 2, created=True)]
    assert await store.read("/a/b/c") == Record("/a/b/c", 2, b"x")
    assert await store.read_listing("/a/b/") == (Record("/a/b/", 2, b""), ["/a/b/c"])
    assert await store.read_listing("/") == (Record("/", 2, b""), ["/a/"])


async def test_outcomes_are_told_to_who_does_not_wait_for_them(store: Store) -> None:
    told: list[list[Outcome]] = []
    done = asyncio.Event()

    def tell(outcomes: list[Outcome]) -> None:
        told.append(outcomes)
        done.set()

    store.submit([Put("/a", text("x")), Put("/a/b", text("y"))], tell)
    await asyncio.wait_for(done.wait(), 20)
    assert told == [[Committed("/a", 2, created=True), Refusal(Reason.BELOW_DOCUMENT, "/a")]]
    await store.close()
    store.submit([Put("/b", text("x"))], tell)
    assert told[1:] == [[Refusal(Reason.FAILED, "/")]]


async def test_a_member_that_changes_leaves_the_listing_alone(store: Store) -> None:
    await store.commit([Put("/a/b", text("x"))])
    assert await store.commit([Put("/a/b", text("y"))]) == [Committed("/a/b", 3)]
    assert await store.read_listing("/a/") == (Record("/a/", 2, b""), ["/a/b"])
    assert await store.commit([Delete("/a/b")]) == [Committed("/a/b", 4)]
    assert await store.read_listing("/a/") == (Record("/a/", 4, b""), [])
    assert await store.read("/a/b") is None


async def test_writes_of_a_batch_are_independent_and_in_order(store: Store) -> None:
    outcomes = await store.commit(
        [
            Put("/a", text("1"), ABSENT),
            Put("/a", text("2"), ABSENT),
            Put("/a", text("3"), at(2)),
            Put("/a", text("4"), at(2)),
            Put("/a/b", text("5")),
            Put("/a/", text("6")),
            Delete("/b"),
            Delete("/b", Precondition(match=ANY)),
            Put("/b", text("7"), Precondition(match=ANY)),
            Delete("/"),
            Post("/a", text("8")),
            Post("/c/", text("9")),
            Put("/d/e", text("10")),
            Delete("/d/"),
        ]
    )
    assert outcomes == [
        Committed("/a", 2, created=True),
        Refusal(Reason.PRECONDITION, "/a"),
        Committed("/a", 3),
        Refusal(Reason.PRECONDITION, "/a"),
        Refusal(Reason.BELOW_DOCUMENT, "/a"),
        Refusal(Reason.SLASH_TWIN, "/a"),
        Refusal(Reason.ABSENT, "/b"),
        Refusal(Reason.PRECONDITION, "/b"),
        Refusal(Reason.PRECONDITION, "/b"),
        Refusal(Reason.ROOT, "/"),
        Refusal(Reason.NOT_A_CONTAINER, "/a"),
        Refusal(Reason.ABSENT, "/c/"),
        Committed("/d/e", 4, created=True),
        Refusal(Reason.NOT_EMPTY, "/d/"),
    ]
    assert await members(store, "/") == ["/a", "/d/"]


async def test_numbers_are_never_given_twice_even_to_a_container_made_anew(store: Store) -> None:
    draft = Draft((b"<", b">"))
    first = await store.commit(
        [Put("/c/", text("")), Put("/c/2", text("")), Post("/c/", draft), Post("/c/", draft)]
    )
    assert [outcome.path for outcome in first] == ["/c/", "/c/2", "/c/1", "/c/3"]
    await store.commit([Delete("/c/1"), Delete("/c/2"), Delete("/c/3"), Delete("/c/"), Put("/c/", text(""))])
    again = await store.commit(
        [Post("/c/", draft), Post("/c/", draft, "s"), Post("/c/", draft, "s", makes_container=True)]
    )
    assert [outcome.path for outcome in again] == ["/c/4", "/c/s", "/c/s-5/"]
    assert await store.read("/c/s-5/") == Record("/c/s-5/", 13, b"<s-5>")


async def test_a_name_that_a_container_has_is_taken(store: Store) -> None:
    outcomes = await store.commit(
        [Put("/box/", text("")), Post("/", text(""), "box"), Put("/1/", text("")), Post("/", text(""))]
    )
    assert [outcome.path for outcome in outcomes] == ["/box/", "/box-1", "/1/", "/2"]


async def test_a_container_put_must_agree_with_what_it_contains(store: Store) -> None:
    await store.commit([Put("/c/m", text("x"))])
    same, other = frozenset({BASE + "/c/m"}), frozenset({BASE + "/c/n"})
    outcomes = await store.commit(
        [
            Put("/c/", Draft((b"own",), same)),
            Put("/c/", Draft((b"lie",), other)),
            Put("/new/", Draft((b"",), other)),
            Put("/c/", text("none said")),
            Post("/c/", Draft((b"",), other)),
        ]
    )
    assert outcomes == [
        Committed("/c/", 3),
        Refusal(Reason.CONTAINMENT, "/c/"),
        Refusal(Reason.CONTAINMENT, "/new/"),
        Committed("/c/", 4),
        Refusal(Reason.CONTAINMENT, "/c/"),
    ]
    assert await store.read_listing("/c/") == (Record("/c/", 4, b"none said"), ["/c/m"])


async def test_no_member_gets_a_path_that_could_not_be_asked_for(store: Store) -> None:
    deep, long = "/" + "d/" * 63, "/" + ("y" * 250 + "/") * 8
    outcomes = await store.commit(
        [
            Put(deep, text("")),
            Post(deep, text("")),
            Post(deep, text(""), makes_container=True),
            Put(long, text("")),
            Post(long, text(""), "z" * 100),
            Post(long, text("")),
        ]
    )
    assert outcomes == [
        Committed(deep, 2, created=True),
        Committed(deep + "1", 3, created=True),
        Refusal(Reason.NO_ROOM, deep),
        Committed(long, 4, created=True),
        Refusal(Reason.NO_ROOM, long),
        Committed(long + "1", 5, created=True),
    ]


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
async def test_new_data_do_not_repeat_the_versions_of_data_that_are_gone(kind: str, tmp_path: Path) -> None:
    versions = []
    for life in range(2):
        store: Store = MemoryStore() if kind == "memory" else open_sqlite_store(tmp_path / str(life))
        store.claim_base(BASE)
        [done] = await store.commit([Put("/a", text(str(life)))])
        assert isinstance(done, Committed)
        versions.append(done.version)
        await store.close()
    assert versions[0] != versions[1]


async def test_a_closed_store_refuses(store: Store) -> None:
    await store.close()
    assert await store.commit([Delete("/a")]) == [Refusal(Reason.FAILED, "/")]
    await store.close()


async def test_what_was_acknowledged_is_there_after_a_restart(tmp_path: Path) -> None:
    first = open_sqlite_store(tmp_path, first=1)
    first.claim_base(BASE)
    await first.commit([Post("/", Draft((b"<", b">"))), Put("/a/b", text("x"))])
    await first.close()
    second = open_sqlite_store(tmp_path, first=1)
    second.claim_base(BASE)
    assert await second.read_listing("/") == (Record("/", 3, b""), ["/1", "/a/"])
    assert await second.read("/1") == Record("/1", 2, b"<1>")
    assert await second.commit([Post("/", text(""))]) == [Committed("/2", 4, created=True)]
    await second.close()


# Memory and SQLite are the same store.

PATHS = st.sampled_from(
    ["/", "/a", "/a/", "/a/b", "/a/b/", "/a/b/c", "/a/b.meta", "/a/1", "/a/1/", "/2", "/b/"]
)
CONDITIONS = st.one_of(
    st.just(Precondition()),
    st.just(ABSENT),
    st.just(Precondition(match=ANY)),
    st.integers(1, 12).map(at),
)
RULES = st.sampled_from([NO_RULES, NO_RULES, Rules(requires_match=True), Rules(keeps_names=True)])
DRAFTS: st.SearchStrategy[Draft | Binary] = st.one_of(
    st.sampled_from(["", "x", "y"]).map(text),
    st.sampled_from([Binary("image/png", 1, b"p"), Binary("text/plain", 0)]),
)
CLAIMS = st.frozensets(st.sampled_from([BASE + "/a/1", BASE + "/a/b"]), max_size=2)
WRITES: st.SearchStrategy[Write] = st.one_of(
    st.builds(Put, PATHS, DRAFTS, CONDITIONS, RULES),
    st.builds(Put, st.just("/a/"), st.builds(Draft, st.just((b"z",)), CLAIMS), CONDITIONS),
    st.builds(
        Post,
        PATHS,
        st.sampled_from([Draft((b"<", b">")), Binary("image/png", 1, b"q")]),
        st.sampled_from(["", "1", "b"]),
        st.booleans(),
        CONDITIONS,
        RULES,
    ),
    st.builds(Delete, PATHS, CONDITIONS, RULES),
)
EVERY_PATH = ["/", "/a", "/a/", "/a/b", "/a/b/", "/a/b/c", "/2", "/b/", "/a.meta", "/a/b.meta", "/2.meta"]
EVERY_PATH += [f"/a/{n}{end}" for n in range(1, 20) for end in ("", ".meta")]


async def history(store: Store, batches: list[list[Write]]) -> list[object]:
    store.claim_base(BASE)
    seen: list[object] = []
    for batch in batches:
        outcomes: list[Outcome] = await store.commit(batch)
        records = [await store.read(path) for path in EVERY_PATH]
        listings = [await store.read_listing(path) for path in EVERY_PATH]
        kept = [await store.was_deleted(path) for path in EVERY_PATH]
        seen += [outcomes, records, listings, kept]
        present = {record.path for record in records if record}
        assert not {slash_twin(path) for path in present} & present
        for listing in filter(None, listings):
            assert all(parent(member) == listing[0].path for member in listing[1])
    await store.close()
    return seen


@settings(max_examples=depth(30, 1500))
@given(st.lists(st.lists(WRITES, max_size=6), max_size=6))
@example([[Post("/", Binary("image/png", 1, b"q"), "b", makes_container=True)]])
def test_memory_and_sqlite_give_the_same_history(batches: list[list[Write]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        durable = asyncio.run(history(SqliteStore(Path(folder), first=1), batches))
    assert asyncio.run(history(MemoryStore(first=1), batches)) == durable
