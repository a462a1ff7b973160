"""Heads of requests in parts around what may be another one each time: the name of a document, and the tag of a state."""

import re

Key = tuple[bytes, ...]
"""A head, whole or in parts around what may be another one."""

_NAMED = re.compile(rb"((?:GET|PUT|PATCH) /(?>(?:[A-Za-z0-9_~-]++/)*))([A-Za-z0-9_~-]{1,255})(?= )")
"""The beginning of the head of a request about a document where nothing in the path can be spelt in two ways.

Neither slash nor dot is in the name, so the container alone says whose it is: a service's, or the server's own.
"""
_TAG = rb'("[1-9][0-9]{0,18}-[a-z]{1,9}(?:-[a-z]{1,9})?")(?=\r\n)'
_MATCH = re.compile(rb"\r\nIf-Match: " + _TAG)
_NONE_MATCH = re.compile(rb"\r\nIf-None-Match: " + _TAG)


Cut = tuple[Key, bytes, bytes]
"""A head in parts around the plain name that its target ends in and its tag, and both; whole without such a name."""


def cut(head: bytes) -> Cut:
    """Cut a head around its name and one tag: that of If-None-Match where it reads, that of If-Match where it writes.

    A head may have more tags beside it. Then a write under the first one alone holds less often, and what it refuses goes
    the careful way; such reads are not known at all.
    """
    named = _NAMED.match(head)
    if named is None:
        return (head,), b"", b""
    rest = head[named.end() :]
    tagged = (_NONE_MATCH if head.startswith(b"GET ") else _MATCH).search(rest)
    if tagged is None:
        return (named[1], rest), named[2], b""
    return (named[1], rest[: tagged.start(1)], rest[tagged.end(1) :]), named[2], tagged[1]
