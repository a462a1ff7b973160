"""Range headers: one range of bytes, or all of them (RFC 9110, section 14)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_server.faults import Problem
from ldp_server.ranges import read_range


@pytest.mark.parametrize(
    ("header", "size", "expected"),
    [
        ("bytes=0-0", 10, (0, 0)),
        ("bytes=2-5", 10, (2, 5)),
        ("Bytes = 2 - 99", 10, (2, 9)),
        ("bytes=9-", 10, (9, 9)),
        ("bytes=-3", 10, (7, 9)),
        ("bytes=-99", 10, (0, 9)),
        (None, 10, None),
        ("", 10, None),
        ("bytes=-", 10, None),
        ("bytes=5-2", 10, None),
        ("bytes=0-1,4-5", 10, None),
        ("lines=0-1", 10, None),
        ("bytes=a-b", 10, None),
        ("bytes=0-" + "9" * 30, 10, None),
        ("bytes=\u0661-", 10, None),
    ],
)
def test_a_range_is_cut_to_the_content_and_what_is_no_single_range_is_passed_over(
    header: str | None, size: int, expected: tuple[int, int] | None
) -> None:
    assert read_range(header, size) == expected


@pytest.mark.parametrize(
    ("header", "size"), [("bytes=10-", 10), ("bytes=-0", 10), ("bytes=0-", 0), ("bytes=-1", 0)]
)
def test_a_range_without_a_byte_is_refused_and_tells_the_size(header: str, size: int) -> None:
    with pytest.raises(Problem) as refused:
        read_range(header, size)
    assert (refused.value.status, refused.value.headers) == (416, {"Content-Range": f"bytes */{size}"})


@given(st.text(alphabet="bytes=-,0123456789 ", max_size=20), st.integers(0, 30))
def test_a_range_is_always_inside_the_content(header: str, size: int) -> None:
    try:
        part = read_range("bytes=" + header, size)
    except Problem:
        part = None
    assert part is None or 0 <= part[0] <= part[1] < size
