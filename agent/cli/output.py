"""Triples written for people and other programs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from agent.errors import UsageError
from agent.n3.write import Writer
from agent.rdf.serialise import to_ntriples
from agent.rdf.terms import Term, Triple

if TYPE_CHECKING:
    from agent.runtime.report import StepReport

WriteStep: TypeAlias = "Callable[[int, StepReport, Mapping[str, float]], None]"
"""Writes the line of a step: its number, its report, the milliseconds of its phases."""

N3_ENDINGS = (".n3", ".ttl")
N_TRIPLES_ENDINGS = (".nt",)


def save_triples(
    triples: Sequence[Triple],
    name: str,
    *,
    lone: Sequence[Term] = (),
    prefixes: Mapping[str, str] | None = None,
) -> None:
    """Write ``triples``, and terms that stand alone, to the file ``name``; USE004 if that is impossible.

    N3 if ``name`` ends so, or if the content needs it; else sorted N-Triples.
    """
    plain = None if lone or name.endswith(N3_ENDINGS) else _ntriples(triples)
    if plain is None and name.endswith(N_TRIPLES_ENDINGS):
        raise UsageError(
            "USE004",
            f"{name} cannot hold rules, variables, lists or literal subjects",
            hint="Give the file a name that ends in .n3.",
        )
    save_bytes((_n3(triples, lone, prefixes or {}) if plain is None else plain).encode(), name)


def save_bytes(content: bytes, name: str) -> None:
    """Write ``content`` to the file ``name``; USE004 if that is impossible."""
    try:
        Path(name).write_bytes(content)
    except OSError as error:
        raise _unwritable(name, error.strerror) from None


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


def show_triples(triples: Sequence[Triple], prefixes: Mapping[str, str]) -> str:
    """Return ``triples`` as sorted N-Triples, or as N3 if N-Triples cannot say all of them."""
    plain = _ntriples(triples)
    return _n3(triples, (), prefixes) if plain is None else plain


def _unwritable(name: str, why: str | None) -> UsageError:
    return UsageError("USE004", f"{name} cannot be written: {why}")


def _ntriples(triples: Sequence[Triple]) -> str | None:
    distinct = dict.fromkeys(triples)
    text = to_ntriples(distinct, ordered=True)
    return text if text.count("\n") == len(distinct) else None


def _n3(triples: Sequence[Triple], lone: Sequence[Term], prefixes: Mapping[str, str]) -> str:
    writer = Writer(prefixes)
    said = [writer.triple(triple) for triple in dict.fromkeys(triples)] + [writer.term(term) for term in lone]
    return writer.head() + "".join(f"{sentence} .\n" for sentence in said)
