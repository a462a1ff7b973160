"""Imports go one way: the contracts in pyproject.toml hold."""

import shutil
import subprocess
import sysconfig

from tests.support.documents import CHECKOUT


def test_every_import_contract_is_kept() -> None:
    program = shutil.which("lint-imports", path=sysconfig.get_path("scripts"))
    assert program

    done = subprocess.run(
        [program, "--no-logo", "--no-cache"], capture_output=True, check=False, cwd=CHECKOUT, encoding="utf-8"
    )

    assert done.returncode == 0, done.stdout
