"""The cache of states is right about all it tells, keeps what is asked for, and stays within its room."""

from hypothesis import given
from hypothesis import strategies as st

from ldp_server.binaries import Binary
from ldp_server.storage import Record
from ldp_server.storage.record_cache import RecordCache, size_of

ROOM = 4000
PATHS = st.sampled_from([f"/{name}" for name in "abcdefgh"])
STATES = st.one_of(st.none(), st.sampled_from([0, 100, 900, 3000, 5000]))


def record(path: str, size: int | None, version: int = 1) -> Record | None:
    return None if size is None else Record(path, version, b"x" * size)


@given(st.lists(st.one_of(PATHS, st.dictionaries(PATHS, STATES, min_size=1, max_size=4)), max_size=40))
def test_what_it_tells_is_the_last_state_and_takes_no_more_than_its_room(
    steps: list[str | dict[str, int | None]],
) -> None:
    cache = RecordCache(ROOM)
    last: dict[str, Record | None] = {}
    for version, step in enumerate(steps):
        if isinstance(step, dict):
            states = {path: record(path, size, version) for path, size in step.items()}
            last |= states
            cache.keep(states)
        elif step in cache:
            assert cache.get(step) == last[step]
        else:
            assert cache.get(step) is None
        held = {path: state for path, state in last.items() if path in cache}
        assert size_of(held) <= ROOM


def test_what_is_asked_for_stays_and_what_is_not_goes() -> None:
    cache = RecordCache(ROOM)
    for name in ("used", "unused"):
        cache.keep({name: record(name, 100)})
    for number in range(40):
        cache.keep({str(number): record(str(number), 100)})
        assert cache.get("used") == record("used", 100)
    assert "unused" not in cache
    assert "39" in cache


def test_a_state_that_is_replaced_takes_no_room() -> None:
    cache = RecordCache(ROOM)
    cache.keep({"/other": record("/other", 100)})
    for version in range(1000):
        cache.keep({"/hot": record("/hot", 500, version)})
    assert cache.get("/other") == record("/other", 100)
    assert cache.get("/hot") == record("/hot", 500, 999)


def test_states_that_take_more_than_half_of_the_room_push_out_the_others() -> None:
    cache = RecordCache(ROOM)
    cache.keep({"/small": record("/small", 10), "/huge": record("/huge", 10)})
    cache.keep({"/huge": record("/huge", ROOM // 2)})
    assert "/small" not in cache
    assert "/huge" not in cache


def test_the_size_of_a_state_is_that_of_its_text_or_content_beside_its_path() -> None:
    nothing = size_of({"/a": None})
    assert size_of({"/a": Record("/a", 1, b"x" * 70)}) == nothing + 70
    assert size_of({"/a": Record("/a", 1, b"", Binary("image/png", 50, b"y" * 50, ""))}) == nothing + 50
    assert size_of({"/a": None, "/longer": None}) == 2 * nothing + 10
