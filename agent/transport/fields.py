"""Header fields of an answer as text that people can read and that can be sent back."""

import re
from collections.abc import Iterator, Mapping

from multidict import CIMultiDictProxy

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class LegibleFields(Mapping[str, str]):
    """The fields of an answer by lower-case name, with a question mark for each byte that is not UTF-8.

    A validator with such bytes, or with control characters, is left out: it could not be sent back. Of a field that
    comes several times the last counts. Most fields are never looked at, so each is made legible when it is.
    """

    __slots__ = ("_fields",)

    def __init__(self, fields: CIMultiDictProxy[str]) -> None:
        self._fields = fields

    def __getitem__(self, name: str) -> str:
        values = self._fields.getall(name)
        value = values[-1]
        legible = value if value.isascii() else value.encode("utf-8", "replace").decode()
        if name == "etag" and (legible != values[0] or _CONTROL.search(legible)):
            raise KeyError(name)
        return legible

    def __iter__(self) -> Iterator[str]:
        names = dict.fromkeys(name.lower() for name in self._fields)
        return (name for name in names if name != "etag" or name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)
