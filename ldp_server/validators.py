"""Entity tags and the preconditions on them (RFC 9110, sections 8.8.3 and 13.1).

A tag is ``"<version>-<syntax>"``: the number of the commit that made the state, and the short name of the
syntax it is shown in (``bin`` for what is no RDF), with ``-minimal`` for a container without its members, ``-typed`` for a
document that is shown with a type that its author did not write. It is strong, comes from no clock, and is never given to two different states, also
not when data are lost and others take their place at the same address.
"""

import re
import secrets
from typing import Literal

from msgspec import Struct

from ldp_server.binaries import SHORT_NAME
from ldp_server.syntaxes import HTML, SYNTAXES

_TAG = re.compile(r'[\s,]*(?:(W/)?"([\x21\x23-\x7e\x80-\U0010ffff]*)"|\*)\s*(?=,|\Z)')
_OURS = re.compile(r"([1-9][0-9]{0,18})-([a-z]+)(?:-minimal|-typed)?")
_SHORT_NAMES = frozenset(syntax.short for syntax in (*SYNTAXES, HTML)) | {SHORT_NAME}


View = Literal["whole", "minimal", "typed"]
"""What is shown: all there is, of a container what is left without its members, or a document with its type."""


class Tags(Struct, frozen=True):
    """The value of If-Match or If-None-Match: ``any_state`` for ``*``, else tags as (opaque text, is weak)."""

    any_state: bool = False
    tags: tuple[tuple[str, bool], ...] = ()

    def names_state(self, version: int, *, weak: bool) -> bool:
        """Tell whether a tag is one of the state with this version, whatever the syntax; ``weak`` compares weakly."""
        if self.any_state:
            return True
        return any(_version(text) == version and (weak or not is_weak) for text, is_weak in self.tags)

    def names_tag(self, tag: str) -> bool:
        """Tell whether this very entity tag (with quotes) is named, comparing weakly."""
        return self.any_state or any(f'"{text}"' == tag for text, _ in self.tags)


class Precondition(Struct, frozen=True):
    """What a write asks of the present state; nothing by default."""

    match: Tags | None = None
    none_match: Tags | None = None

    def holds(self, version: int | None) -> bool:
        """Tell whether a write may go ahead on a resource with this version (None: it does not exist).

        If-Match with the tag of any syntax of the state is good; a weak tag never matches strongly.
        """
        if self.match is not None and (version is None or not self.match.names_state(version, weak=False)):
            return False
        if self.none_match is None or version is None:
            return True
        return not self.none_match.names_state(version, weak=True)


NO_PRECONDITION = Precondition()


def read_tags(header: str | None) -> Tags | None:
    """Return the tags of a header, or None without one; ``*`` anywhere means any state, other text nothing."""
    if header is None:
        return None
    found = []
    position = 0
    while match := _TAG.match(header, position):
        if match[2] is None:
            return Tags(any_state=True)
        found.append((match[2], match[1] is not None))
        position = match.end()
    return Tags(tags=tuple(found))


def first_version() -> int:
    """Return a number for the first state of new data, by chance: tags of data that were here before fit none."""
    return secrets.randbelow(1 << 40) + 1


def entity_tag(version: int, short: str, view: View = "whole") -> str:
    """Return the strong tag of the state with this version in the syntax of this short name."""
    return f'"{version}-{short}"' if view == "whole" else f'"{version}-{short}-{view}"'


def _version(text: str) -> int | None:
    ours = _OURS.fullmatch(text)
    return int(ours[1]) if ours and ours[2] in _SHORT_NAMES else None
