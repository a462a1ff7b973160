"""Parts of a content: one range of bytes (RFC 9110, section 14)."""

import re

from ldp_server.faults import Problem

_RANGE = re.compile(r"bytes\s*+=\s*+([0-9]{0,18})\s*+-\s*+([0-9]{0,18})\s*+", re.IGNORECASE)


def read_range(header: str | None, size: int) -> tuple[int, int] | None:
    """Return first and last position of the bytes that a Range header asks for, or None for all of them.

    Several ranges, other units and what cannot be read mean all bytes, as a server may answer them. Raises LDP051
    for a range without a byte in a content of ``size`` bytes.
    """
    match = _RANGE.fullmatch(header or "")
    if not match or not (match[1] or match[2]) or (match[1] and match[2] and int(match[1]) > int(match[2])):
        return None
    if match[1]:
        first, last = int(match[1]), min(int(match[2] or size), size - 1)
    else:
        first, last = max(0, size - int(match[2])), size - 1
    if first > last:
        detail = f"The content has {size} bytes; the range asks for bytes behind its end."
        raise Problem("LDP051", detail, headers={"Content-Range": f"bytes */{size}"})
    return first, last
