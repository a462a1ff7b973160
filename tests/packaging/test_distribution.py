"""What is shipped is what stands in the checkout, and it runs where it is installed."""

import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.installation import CHECKOUT, Installation, build_sdist, build_wheel

PACKAGES = ("agent", "ldp_server")
AREAS = ("ontology", "rules")
ASK_IMPORTABLE = "import importlib.util as u; print([n for n in {names} if u.find_spec(n)])"
LIST_BUNDLED = (
    "from agent.resources import bundled_names, read_bundled\n"
    "names = bundled_names('rules', '.n3') + bundled_names('ontology', '.ttl')\n"
    "print(len(names), sum(len(read_bundled(name)) for name in names))"
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(CHECKOUT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    installation = Installation(tmp_path_factory.mktemp("installed"))
    installation.install(str(wheel))
    return installation


@pytest.fixture(scope="module")
def editable(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    installation = Installation(tmp_path_factory.mktemp("editable"))
    installation.install("--editable", str(CHECKOUT))
    return installation


def _files(folder: str) -> Iterator[str]:
    for path in (CHECKOUT / folder).rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(CHECKOUT).as_posix()


def _shipped(wheel: Path) -> set[str]:
    return {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}


def _expected() -> set[str]:
    code = {name for package in PACKAGES for name in _files(package)}
    return code | {f"agent/_data/{name}" for area in AREAS for name in _files(area)}


def _bundled_in_checkout() -> str:
    names = [name for name in _files("rules") if name.endswith(".n3")]
    names += [name for name in _files("ontology") if name.endswith(".ttl")]
    return f"{len(names)} {sum(len((CHECKOUT / name).read_text('utf-8')) for name in names)}\n"


def test_the_wheel_holds_exactly_the_code_and_the_data_of_the_checkout(wheel: Path) -> None:
    assert _shipped(wheel) == _expected()


def test_the_wheel_has_exactly_two_names_at_the_top(wheel: Path) -> None:
    assert {name.partition("/")[0] for name in _shipped(wheel)} == set(PACKAGES)


def test_a_wheel_built_from_the_source_archive_is_the_same(wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(build_sdist(CHECKOUT, tmp_path / "sdist")) as archive:
        # Until 3.11.3 there are no filters, and nothing that asks for one.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(tmp_path / "unpacked")  # noqa: S202 -- an archive of our own, made above
    (source,) = (tmp_path / "unpacked").iterdir()

    assert _shipped(build_wheel(source, tmp_path / "wheel")) == _shipped(wheel)


def test_an_installed_wheel_runs_the_command_and_reads_its_data(
    installed: Installation, tmp_path: Path
) -> None:
    assert installed.run("milepost", "explain", "N3001", cwd=tmp_path).startswith("N3001  syntax error\n")
    assert installed.run("python", "-c", LIST_BUNDLED, cwd=tmp_path) == _bundled_in_checkout()


def test_an_editable_install_runs_the_command_and_reads_the_data_of_the_checkout(
    editable: Installation, tmp_path: Path
) -> None:
    assert editable.run("milepost", "explain", "N3001", cwd=tmp_path).startswith("N3001  syntax error\n")
    assert editable.run("python", "-c", LIST_BUNDLED, cwd=tmp_path) == _bundled_in_checkout()
    assert not (editable.site / "agent").exists()


@pytest.mark.parametrize("kind", ["installed", "editable"])
def test_only_the_two_packages_become_importable(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    installation: Installation = request.getfixturevalue(kind)
    names = [*PACKAGES, *AREAS, "tests", "docs", "hatch_build"]

    found = installation.run("python", "-c", ASK_IMPORTABLE.format(names=names), cwd=tmp_path)

    assert found == f"{list(PACKAGES)}\n"
