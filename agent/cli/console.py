"""What a command says on its two streams."""

import os
import sys


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Write ``text`` and, with ``nl``, a line break to the output or, with ``err``, to the error stream, at once."""
    stream = sys.stderr if err else sys.stdout
    stream.write(f"{text}\n" if nl else text)
    stream.flush()


def hush(*names: str) -> None:
    """Let what is still to be said on the streams of ``sys`` with these names go nowhere, as nobody reads it."""
    for name in names:
        setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123  it stays open to the end; a path would be one more thing to load
