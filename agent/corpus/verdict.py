"""What became of one file."""

from collections.abc import Callable
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from agent.clock import WallClock, lexical
from agent.errors import MilepostError, Place, counted
from agent.n3.builtins import Context
from agent.n3.load import read_program
from agent.n3.program import Program
from agent.reason.fixpoint import Reasoner
from agent.runtime.files import base_of, decode, read_bytes


class Kind(Enum):
    """How loading ended; the value is what people read."""

    LOADED = "loaded"
    REFUSED = "refused"
    TIME = "out of time"
    MEMORY = "out of memory"
    FAULT = "fault of ours"


class Verdict(Struct, frozen=True):
    """What became of a file: ``where`` is its name, with line and column if they are known; ``code`` is empty without an error."""

    kind: Kind
    where: str
    code: str = ""
    message: str = ""


Load = Callable[[str, str], Verdict]
"""Loads a file, given its path and the name that messages shall use."""


def load(path: str, name: str) -> Verdict:
    """Load the program ``path`` up to the point where it could run: parsed, checked, its rules prepared.

    Facts are left out, so nothing is derived from them.
    """
    try:
        program = read_program(decode(read_bytes(path), name), source=name, base=base_of(path))
        Reasoner(replace(program, facts=()), Context(lexical(WallClock().now()), "strict"))
    except MilepostError as error:
        return Verdict(Kind.REFUSED, str(error.place or Place(name)), error.code, error.message)
    except MemoryError:
        return Verdict(Kind.MEMORY, name)
    except Exception as error:  # noqa: BLE001  a fault of ours is one more thing to tell
        return Verdict(Kind.FAULT, name, "BUG001", f"{type(error).__name__}: {error}")
    return Verdict(Kind.LOADED, name, message=_size(program))


def _size(program: Program) -> str:
    parts = {
        "fact": program.facts,
        "derivation rule": program.derivations,
        "backward rule": program.backward,
        "rule of what must never be": program.inconsistencies,
        "request rule": program.requests,
        "warning": program.findings,
    }
    return ", ".join(counted(len(part), name) for name, part in parts.items() if part) or "nothing"
