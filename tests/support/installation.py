"""Virtual environments for packaging tests: made in a moment, offline, with our dependencies on their path."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


class Installation:
    """A virtual environment that sees the dependencies of the running one, but not its Milepost."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=False, symlinks=True)
        self.programs = folder / "bin"
        dependencies = sysconfig.get_path("purelib")
        (site,) = folder.glob("lib/python*/site-packages")
        (site / "dependencies.pth").write_text(f"{dependencies}\n", encoding="utf-8")
        self.site = site

    def install(self, *what: str) -> None:
        """Install ``what`` with pip, without dependencies and without a registry."""
        pip = [sys.executable, "-m", "pip", "--python", str(self.programs / "python"), "install", "--quiet"]
        subprocess.run(
            [*pip, "--no-deps", "--no-index", "--no-build-isolation", *what], check=True, env=_environment()
        )

    def run(self, program: str, *arguments: str, cwd: Path) -> str:
        """Run ``program`` of this environment in ``cwd`` and return what it printed; it must succeed."""
        done = subprocess.run(
            [str(self.programs / program), *arguments],
            capture_output=True,
            check=False,
            cwd=cwd,
            encoding="utf-8",
            env=_environment(),
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


def build_wheel(source: Path, target: Path) -> Path:
    """Build the wheel of the project in ``source`` into ``target``."""
    return _build(source, target, "wheel", "*.whl")


def build_sdist(source: Path, target: Path) -> Path:
    """Build the source archive of the project in ``source`` into ``target``."""
    return _build(source, target, "sdist", "*.tar.gz")


def _build(source: Path, target: Path, kind: str, pattern: str) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", str(target)]
    subprocess.run(command, cwd=source, check=True, capture_output=True, env=_environment())
    (built,) = target.glob(pattern)
    return built


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
