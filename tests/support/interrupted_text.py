"""``milepost`` whose command is interrupted while a text is executed, as when a data class is made."""

from collections.abc import Sequence

from agent.__main__ import main
from agent.cli import boundary


def run_command(arguments: Sequence[str]) -> int:
    try:
        exec("raise KeyboardInterrupt")  # noqa: S102  as the standard library does
    except KeyboardInterrupt:
        return boundary.INTERRUPTED
    raise AssertionError(f"nothing was interrupted: {arguments}")


if __name__ == "__main__":
    boundary.run_command = run_command
    main()
