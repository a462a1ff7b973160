"""The members of containers are kept in order while they come and go, and not at all where that takes too much room."""

from ldp_server.paths import ancestors
from ldp_server.storage import Record
from ldp_server.storage.memberships import Memberships


def there(path: str, describes: str = "") -> dict[str, Record | None]:
    return {path: Record(path, 2, b"", describes=describes)}


def note(known: Memberships, records: dict[str, Record | None]) -> None:
    known.note(records, {container for path in records for container in (path, *ancestors(path))})


def test_members_stay_in_order_as_they_come_and_go() -> None:
    known = Memberships(1 << 20)
    known.keep("/c/", ["/c/b", "/c/d/"])
    for changed in (there("/c/a"), there("/c/e"), there("/c/c"), there("/c/b"), there("/c/d/x")):
        note(known, changed)
    assert known.of("/c/") == ["/c/a", "/c/b", "/c/c", "/c/d/", "/c/e"]
    note(known, {"/c/b": None, "/c/f": None, "/c/d/x": None, "/c/d/": None})
    assert known.of("/c/") == ["/c/a", "/c/c", "/c/e"]


def test_of_a_container_that_goes_nothing_is_known() -> None:
    known = Memberships(1 << 20)
    known.keep("/c/", ["/c/b"])
    note(known, {"/c/b": None, "/c/": None})
    assert known.of("/c/") is None
    note(known, {"/c/": Record("/c/", 5, b"")})
    assert known.of("/c/") is None


def test_who_goes_leaves_the_others() -> None:
    known = Memberships(1 << 20)
    known.keep("/", ["/a", "/b", "/c/"])
    note(known, {"/": Record("/", 3, b""), "/a": None, "/c/": None, "/d": None})
    assert known.of("/") == ["/b"]


def test_a_description_is_no_member() -> None:
    known = Memberships(1 << 20)
    known.keep("/", ["/p"])
    note(known, there("/p.meta", describes="/p"))
    note(known, {"/p": None, "/p.meta": None})
    assert known.of("/") == []


def test_who_becomes_a_description_is_no_member_any_more() -> None:
    known = Memberships(1 << 20)
    known.keep("/", ["/p.meta", "/q"])
    note(known, there("/p") | there("/p.meta", describes="/p"))
    assert known.of("/") == ["/p", "/q"]


def test_members_are_in_the_order_of_their_paths() -> None:
    names = ["a", "a/", "a!", "A", "ab", "a.b", "a%20", "0", "~", "a-"]
    known = Memberships(1 << 20)
    known.keep("/", [])
    for name in names:
        note(known, there("/" + name))
    assert known.of("/") == sorted("/" + name for name in names)


def test_what_is_returned_may_be_changed() -> None:
    known = Memberships(1 << 20)
    given = ["/a"]
    known.keep("/", given)
    given.append("/b")
    for members in (known.of("/"), known.of("/")):
        assert members == ["/a"]
        members.append("/c")


def test_a_container_that_takes_too_much_room_is_forgotten_until_it_is_kept_again() -> None:
    known = Memberships(8 * 1000)  # an eighth is for some six members
    known.keep("/c/", [f"/c/{number}" for number in range(6)])
    assert known.of("/c/") == [f"/c/{number}" for number in range(6)]
    note(known, there("/c/6"))
    assert known.of("/c/") is None
    note(known, there("/c/9"))
    note(known, {"/c/9": None})
    assert known.of("/c/") is None
    known.keep("/c/", ["/c/1"])
    assert known.of("/c/") == ["/c/1"]


def test_a_container_of_too_many_members_is_not_kept() -> None:
    known = Memberships(8 * 1000)
    known.keep("/c/", ["/c/1"])
    known.keep("/c/", [f"/c/{number}" for number in range(1000)])
    assert known.of("/c/") is None


def test_room_that_was_taken_is_free_again() -> None:
    known = Memberships(8 * 1000)
    known.keep("/c/", [])
    for number in range(1000):
        note(known, there(f"/c/{number}"))
        note(known, {f"/c/{number}": None})
    assert known.of("/c/") == []
    known.keep("/c/", [f"/c/{number}" for number in range(6)])
    assert known.of("/c/") == [f"/c/{number}" for number in range(6)]
