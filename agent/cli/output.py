"""Triples written for people and other programs."""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from agent.cli.forms import form_of, graph_text
from agent.errors import UsageError
from agent.rdf.terms import Triple

if TYPE_CHECKING:
    from agent.runtime.report import StepReport

WriteStep: TypeAlias = "Callable[[int, StepReport, Mapping[str, float]], None]"
"""Writes the line of a step: its number, its report, the milliseconds of its phases."""


def save_triples(triples: Iterable[Triple], name: str) -> None:
    """Write ``triples`` to the file ``name`` in the form of its ending; else as N-Triples, or N3 if they need it."""
    save_pieces(graph_text(triples, {}, form_of(name)), name)


def save_bytes(content: bytes, name: str) -> None:
    """Write ``content`` to the file ``name``: all of it or, raising USE004, nothing."""
    _save([content], name)


def save_pieces(pieces: Iterable[str], name: str) -> None:
    """Write the text that comes in ``pieces`` to the file ``name``: all of it or, raising USE004, nothing."""
    _save(map(str.encode, pieces), name)


def _save(pieces: Iterable[bytes], name: str) -> None:
    path = Path(os.path.realpath(name))
    try:
        if path.exists() and not path.is_file():
            _write(path, pieces)  # a pipe or a device
        else:
            _replace(path, pieces)
    except OSError as error:
        raise _unwritable(name, error.strerror) from None


def _write(path: Path, pieces: Iterable[bytes]) -> None:
    with path.open("wb") as stream:
        stream.writelines(pieces)


def _replace(path: Path, pieces: Iterable[bytes]) -> None:
    """Let the file have ``pieces``, which are written beside it first: nobody ever sees half of them."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        _write(draft, pieces)
        if path.exists():
            shutil.copymode(path, draft)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def check_writable(*names: str) -> None:
    """Raise USE004 for the first of the files that plainly cannot be written; an empty name is none."""
    for name in filter(None, names):
        if Path(name).is_dir():
            raise _unwritable(name, "it is a folder")
        if not Path(name).parent.is_dir():
            raise _unwritable(name, "its folder does not exist")


@contextmanager
def opened_trace(name: str, *, bodies: bool) -> "Iterator[WriteStep]":
    """Open the file ``name`` and hand out what writes steps to it, or what does nothing if the name is empty.

    USE004 when the file cannot be opened, and when a line cannot be written.
    """
    from agent.runtime.trace import TraceWriter

    if not name:
        yield lambda *_: None
        return
    try:
        stream = Path(name).open("w", encoding="utf-8")  # noqa: SIM115  closed below; only opening it is told here
    except OSError as error:
        raise _unwritable(name, error.strerror) from None
    writer = TraceWriter(stream, bodies)

    def write(number: int, report: "StepReport", ms: Mapping[str, float]) -> None:
        try:
            writer.write(number, report, ms)
        except OSError as error:
            raise _unwritable(name, error.strerror) from None

    try:
        yield write
    finally:
        with suppress(OSError):  # only of a line that could not be written, which was told
            stream.close()


def _unwritable(name: str, why: str | None) -> UsageError:
    return UsageError("USE004", f"{name} cannot be written: {why}")
