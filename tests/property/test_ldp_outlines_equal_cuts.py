"""The digits of a text are found by what stands around them exactly when cutting it at its digits finds them."""

import re
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from ldp_server.alike import Outline, around
from tests.support.depth import depth

DIGITS = re.compile(rb"([0-9][0-9]*)")
TEXTS = st.lists(
    st.sampled_from([b"a", b"ab", b" ", b"1", b"20", b"0", b"b1b", b"\xc3\xa9"]), max_size=9
).map(b"".join)


def found_by_cutting(pieces: Sequence[bytes], closed: set[int], text: bytes) -> list[bytes] | None:
    """Return the open digits of ``text`` if it has the same pieces, and the same closed digits."""
    others = DIGITS.split(text)
    if others[::2] != pieces[::2]:
        return None
    digits, expected = others[1::2], pieces[1::2]
    if any(digits[number] != expected[number] for number in closed):
        return None
    return [run for number, run in enumerate(digits) if number not in closed]


@given(st.data(), TEXTS)
@settings(max_examples=depth(300, 20_000), deadline=None)
def test_an_outline_finds_what_a_cut_finds(data: st.DataObject, text: bytes) -> None:
    pieces = DIGITS.split(text)
    closed = data.draw(st.sets(st.integers(0, max(0, len(pieces) // 2 - 1)))) if len(pieces) > 1 else set()
    outline = Outline(around(pieces, closed))
    others = [
        DIGITS.sub(lambda _run: data.draw(st.sampled_from([b"7", b"20", b"007"])), text),
        data.draw(TEXTS),
    ]
    for other in (text, *others):
        assert outline.values(other) == found_by_cutting(pieces, closed, other)
