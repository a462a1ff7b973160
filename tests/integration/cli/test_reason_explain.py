"""``milepost reason --explain``: proofs as people read them, compared with golden files."""

from pathlib import Path

import pytest

from tests.support.command_line import milepost

GOLDEN = Path(__file__).parent / "proofs"
HEAD = "@prefix : <http://example.org/family#> .\n"
FILES = {
    "family.ttl": HEAD + ":ann :parent :bob . :bob :parent :cleo . :cleo :age 7 ; :likes (:jam :tea) .\n",
    "circle.n3": HEAD + "{ ?x :near ?y } => { ?y :near ?x } .\n:a :near :b .\n",
    "ancestors.n3": HEAD
    + "{ ?x :parent ?y } => { ?x :ancestor ?y } .\n"
    + "{ ?x :ancestor ?y . ?y :ancestor ?z } => { ?x :ancestor ?z } .\n",
    "conditions.n3": HEAD
    + "@prefix log: <http://www.w3.org/2000/10/swap/log#> .\n"
    + "@prefix math: <http://www.w3.org/2000/10/swap/math#> .\n"
    + "@prefix list: <http://www.w3.org/2000/10/swap/list#> .\n"
    + "{ ?x :parent _:child . _:child :age ?age . ?age math:lessThan 10 . [] log:notIncludes { ?x :rich true } }\n"
    + "=> { ?x :needs [ :times ?age ] } .\n"
    + "{ ?x :likes ?l . ?l list:member ?what . ?x :likes (?first ?second) } => { ?x :eats ?what } .\n",
    "above.n3": HEAD
    + "{ ?x :above ?y } <= { ?x :parent ?y } .\n"
    + "{ ?x :above ?z } <= { ?x :above ?y . ?y :above ?z } .\n"
    + "{ ?x :above ?z . ?z :age ?a } => { ?x :answersFor ?z } .\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("everything", ["-p", "ancestors.n3", "-i", "family.ttl", "--explain"]),
        ("one", ["-p", "ancestors.n3", "-i", "family.ttl", "--about", ":ann :ancestor :cleo"]),
        ("stated", ["-p", "ancestors.n3", "-i", "family.ttl", "--about", ":ann :parent ?x ."]),
        ("circle", ["-p", "circle.n3", "--about", "?x :near ?y"]),
        ("backward", ["-p", "above.n3", "-i", "family.ttl", "--explain"]),
        ("conditions", ["-p", "conditions.n3", "-i", "family.ttl", "--explain"]),
    ],
)
def test_a_proof_reads_like_its_golden_file(
    name: str, arguments: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = milepost(capsys, "reason", *arguments)

    assert (done.code, done.err) == (0, "")
    assert done.out == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_the_result_still_goes_to_the_file_that_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["-p", "ancestors.n3", "-i", "family.ttl"]
    milepost(capsys, "reason", *given, "-o", "plain.ttl")

    done = milepost(capsys, "reason", *given, "-o", "out.ttl", "--explain")

    assert done.out == (GOLDEN / "everything.txt").read_text(encoding="utf-8")
    assert (folder / "out.ttl").read_text("utf-8") == (folder / "plain.ttl").read_text("utf-8")


@pytest.mark.parametrize(
    ("about", "code", "text"),
    [
        (":cleo :ancestor ?x", 1, "error N3030  nothing that is known matches :cleo :ancestor ?x\n"),
        (":ann :ancestor", 2, "error USE001  :ann :ancestor is no triple: expected an object"),
        ("ex:a :ancestor ?x", 2, "error USE001  ex:a :ancestor ?x is no triple: expected a declared prefix, got ex:"),
        (":a :b :c, :d", 2, "error USE001  :a :b :c, :d is not one triple\n"),
        (":a :b :c . {} => {}", 2, "error USE001  :a :b :c . {} => {} is not one triple\n"),
    ],
)  # fmt: skip
def test_what_cannot_be_explained_is_told(
    about: str, code: int, text: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = milepost(
        capsys, "reason", "-p", "ancestors.n3", "-i", "family.ttl", "--about", about, "-o", "out.nt"
    )

    assert (done.code, (folder / "out.nt").exists()) == (code, False)
    assert (done.out != "") == ("N3030" in text)
    assert done.err.startswith(text)


def test_what_is_not_known_is_explained_by_what_the_rules_lack(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = HEAD + (
        "@prefix log: <http://www.w3.org/2000/10/swap/log#> .\n"
        "@prefix math: <http://www.w3.org/2000/10/swap/math#> .\n"
        "{ ?x :parent ?y } => { ?x :ancestor ?y } .\n"
        "{ ?x :ancestor ?y . ?y :age ?age . ?age math:greaterThan 10 } => { ?x :isOld true } .\n"
        "{ ?x :parent ?y . [] log:notIncludes { ?y :age ?age } } => { ?x :isOld true } .\n"
    )
    (folder / "old.n3").write_text(rules, encoding="utf-8")

    done = milepost(capsys, "reason", "-p", "old.n3", "-i", "family.ttl", "--about", ":bob :isOld true")
    deeper = milepost(capsys, "reason", "-p", "old.n3", "-i", "family.ttl", "--about", ":cleo :isOld true")

    assert (done.code, deeper.code) == (1, 1)
    assert done.out == (GOLDEN / "absent.txt").read_text(encoding="utf-8")
    assert deeper.out == (GOLDEN / "absent-deeper.txt").read_text(encoding="utf-8")
