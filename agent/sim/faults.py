"""What can be wrong with a device: its connection, its answers, or what it says.

A fault belongs to the place, not to the device: the device behind it goes on as before.
"""

from typing import TypeAlias

from msgspec import Struct

from agent.rdf.terms import Literal


class Hang(Struct, frozen=True):
    """Takes requests and never answers."""

    def __str__(self) -> str:
        """Return what people notice."""
        return "never answers"


class ServerError(Struct, frozen=True):
    """Answers every request with ``status``."""

    status: int = 500

    def __str__(self) -> str:
        """Return what people notice."""
        return f"answers {self.status}"


class HalfDocument(Struct, frozen=True):
    """Promises its whole document, sends half of it and hangs up."""

    def __str__(self) -> str:
        """Return what people notice."""
        return "sends half a document"


class Says(Struct, frozen=True):
    """Answers with a state that is none of its domain, such as a text where a number belongs."""

    state: Literal

    def __str__(self) -> str:
        """Return what people notice."""
        return f'says "{self.state.lexical}"'


Fault: TypeAlias = Hang | ServerError | HalfDocument | Says

TEXT_FOR_A_NUMBER = Says(Literal("abc"))
