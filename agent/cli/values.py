"""Several values after one option: ``-p a.n3 b.n3`` means ``-p a.n3 -p b.n3``."""

from collections.abc import Iterator, Sequence

GREEDY = ("-p", "--program", "-i", "--input", "-q", "--query")
COMMANDS = ("reason", "run", "start", "why")


def spread_values(arguments: Sequence[str]) -> list[str]:
    """Return ``arguments`` with each greedy option repeated before every further value of it.

    The values of a greedy option go on until the next word that begins with a dash; ``--`` ends them too.
    """
    command = next((word for word in arguments if not word.startswith("-")), "")
    return list(_spread(arguments, GREEDY if command in COMMANDS else ()))


def _spread(arguments: Sequence[str], greedy: Sequence[str]) -> Iterator[str]:
    option = ""
    for word, previous in zip(arguments, ("", *arguments), strict=False):
        if word.startswith("-"):
            option = word if word in greedy else ""
        elif option and previous != option:
            yield option
        yield word
