"""What a check is: a clause of LDP 1.0, the request that is sent, what has to come back, and the code that judges it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Level = Literal["MUST", "SHOULD", "MAY"]
Kind = Literal["container", "document", "binary"]

RDF_SOURCES: tuple[Kind, ...] = ("container", "document")
EVERY_KIND: tuple[Kind, ...] = ("container", "document", "binary")


class NotMetError(Exception):
    """The answer is not what the clause asks for; the text says what came."""


class LeftOutError(Exception):
    """The check does not apply, because the server does not offer or does not restrict what it is about."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """What the suite has to be told about a server.

    ``read_only`` is a property that clients may not change, ``unknown`` one that the server may decide not to store.
    """

    read_only: str = ""
    unknown: str = "http://example.com/ns#comment"


@dataclass(frozen=True, slots=True)
class Subject:
    """A resource that checks work on, the container it is in (or is), and what their OPTIONS allowed at first.

    Checks believe the ``Allow`` of OPTIONS and nothing else.
    """

    kind: Kind
    uri: str
    container: str
    allowed: frozenset[str]
    allowed_on_container: frozenset[str]
    parameters: Parameters

    def needs(self, *methods: str) -> None:
        """Leave the check out if OPTIONS did not allow one of the methods."""
        for method in methods:
            if method not in self.allowed:
                raise LeftOutError(f"Allow on OPTIONS does not name {method}")

    def needs_post(self) -> None:
        """Leave the check out if OPTIONS did not allow POST to the container."""
        if "POST" not in self.allowed_on_container:
            raise LeftOutError("Allow on OPTIONS of the container does not name POST")


@dataclass(frozen=True, slots=True)
class Check:
    """One check; ``number`` is a letter for the kind of resource and the place in the table, such as C2."""

    number: str
    level: Level
    kinds: tuple[Kind, ...]
    clause: str
    request: str
    expects: str
    judge: Callable[[Subject], None]


Judge = Callable[[Subject], None]


def check(
    checks: list[Check],
    number: str,
    level: Level,
    kinds: tuple[Kind, ...],
    clause: str,
    *,
    request: str,
    expects: str,
) -> Callable[[Judge], Judge]:
    """Return a decorator that adds the function it decorates to ``checks``."""

    def add(judge: Judge) -> Judge:
        checks.append(Check(number, level, kinds, clause, request, expects, judge))
        return judge

    return add


def expect(holds: object, otherwise: str) -> None:
    """Raise NotMetError with the text ``otherwise`` unless ``holds``."""
    if not holds:
        raise NotMetError(otherwise)
