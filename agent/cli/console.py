"""What a command says on its two streams."""

import sys


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Write ``text`` and, with ``nl``, a line break to the output or, with ``err``, to the error stream, at once."""
    stream = sys.stderr if err else sys.stdout
    stream.write(f"{text}\n" if nl else text)
    stream.flush()
