"""Programs beside Python, make, a shell and the small tools of POSIX that a test uses where they are."""

import shutil

import pytest


def need(program: str) -> None:
    """Leave the running test out, and say why, where ``program`` is not on the PATH."""
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not on the PATH")
