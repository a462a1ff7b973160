"""The reasoners that are compared: how each is found, started, and what it cannot do."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct, field

_DRIVERS = Path(__file__).with_name("drivers")
_CHECKOUT = Path(__file__).resolve().parents[2]
_PYTHON_PEERS = ("rdflib", "owlrl", "pyling-n3")
_ASK_VERSIONS = f"""
import importlib.metadata as m, json
known = {{d.metadata["Name"].lower(): d.version for d in m.distributions()}}
print(json.dumps({{name: known.get(name, "") for name in {_PYTHON_PEERS}}}))
"""
_PYLING = "import sys; from pyling.cli import main; sys.exit(main())"
START = f"import sys; sys.path.insert(0, {str(_CHECKOUT)!r}); from agent.__main__ import main; main()"
_ONLY_RDFS = "it has the RDFS rules built in and takes no others"


class Engine(Struct, frozen=True):
    """A reasoner.

    ``command`` takes the name of a workload, whose files NAME.n3, NAME.nt and NAME.json (queries) are in the folder
    where it is run. ``missing`` says how to install what is not there; ``cannot`` names workloads with the reason.
    """

    name: str
    version: str
    command: Callable[[str], list[str]]
    missing: str = ""
    cannot: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The name as users write it."""
        return self.name.split()[0]


ENGINES = ("milepost", "eye", "pyling-n3", "rdflib", "owlrl")
"""The names, in the order of the table."""


def find_engines(version: str, python: str) -> tuple[Engine, ...]:
    """Return all engines; ``version`` is that of Milepost, ``python`` the interpreter that has the Python peers."""
    versions = _versions(python)
    return (
        Engine("milepost", version, _milepost),
        _eye(),
        Engine(
            "pyling-n3",
            versions["pyling-n3"],
            lambda name: [python, "-c", _PYLING, f"{name}.nt", f"{name}.n3"],
            _pip("pyling-n3", versions),
        ),
        Engine(
            "rdflib",
            versions["rdflib"],
            lambda name: [python, str(_DRIVERS / "rdflib_construct.py"), f"{name}.json", f"{name}.nt"],
            _pip("rdflib", versions),
        ),
        Engine(
            "owlrl",
            versions["owlrl"],
            lambda name: [python, str(_DRIVERS / "owlrl_rdfs.py"), f"{name}.nt"],
            _pip("owlrl", versions),
            dict.fromkeys(("taxonomy", "join", "chain"), _ONLY_RDFS),
        ),
    )


def _milepost(name: str) -> list[str]:
    # The taxonomy takes a round for each of its levels.
    options = ["--pass-only-new", "--max-rounds", "1000000"]
    return [sys.executable, "-P", "-c", START, "reason", *options, "-p", f"{name}.n3", "-i", f"{name}.nt"]


def _eye() -> Engine:
    """Return EYE as installed: by itself, by Debian (eye.pvm), or by npm, where it runs in WebAssembly."""
    name, program = next(
        (
            (name, found)
            for name, command in (("eye", "eye"), ("eye", "eye.pvm"), ("eye (wasm)", "eyereasoner"))
            if (found := shutil.which(command))
        ),
        ("eye", ""),
    )
    options = ["--nope", "--quiet", "--pass-only-new"]
    return Engine(
        name,
        _version_in(_output_of([program, "--version"])) if program else "",
        lambda workload: [program, *options, "--turtle", f"{workload}.nt", f"{workload}.n3"],
        "" if program else "apt-get install eye on Debian and Ubuntu, or npm install -g eyereasoner",
    )


def _version_in(text: str) -> str:
    return next((word for word in text.split() if word.lstrip("v")[:1].isdigit()), "")


def _pip(name: str, versions: Mapping[str, str]) -> str:
    return (
        "" if versions[name] else f"pip install {name} into an environment, and name its Python with --peers"
    )


def _versions(python: str) -> dict[str, str]:
    answer = _output_of([python, "-c", _ASK_VERSIONS]).splitlines()
    return (
        json.loads(answer[-1]) if answer and answer[-1].startswith("{") else dict.fromkeys(_PYTHON_PEERS, "")
    )


def _output_of(command: list[str]) -> str:
    """Return what ``command`` prints, on either stream; nothing if it does not run."""
    try:
        done = subprocess.run(command, capture_output=True, check=False, encoding="utf-8", timeout=60)  # noqa: S603  programs of the PATH or named by the user
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout + done.stderr
