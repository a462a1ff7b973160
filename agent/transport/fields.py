"""Header fields of an answer as text that people can read and that can be sent back."""

import re
from collections.abc import Iterator, Mapping
from typing import TypeVar, overload

from multidict import CIMultiDictProxy

Other = TypeVar("Other")

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
        value = self.get(name)
        if value is None:
            raise KeyError(name)
        return value

    @overload
    def get(self, name: str, /) -> str | None: ...

    @overload
    def get(self, name: str, /, default: str | Other) -> str | Other: ...

    def get(self, name: str, /, default: str | Other | None = None) -> str | Other | None:
        """Return the field ``name``, or ``default`` if it is not there: most often, so that is made cheap."""
        values = self._fields.getall(name, None)
        if values is None:
            return default
        value = values[-1]
        legible = value if value.isascii() else value.encode("utf-8", "replace").decode()
        if name == "etag" and (legible != values[0] or _CONTROL.search(legible)):
            return default
        return legible

    def __iter__(self) -> Iterator[str]:
        names = dict.fromkeys(name.lower() for name in self._fields)
        return (name for name in names if name != "etag" or name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)
