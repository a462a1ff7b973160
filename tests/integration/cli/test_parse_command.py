"""``milepost parse``: a line per file, the place of a fault, and the triples on demand."""

from pathlib import Path

import pytest

from tests.support.command_line import milepost

PREFIX = "@prefix : <http://example.org/> .\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.ttl").write_text(PREFIX + ":a :b :c , <#here> .\n", encoding="utf-8")
    (tmp_path / "rules.n3").write_text(
        PREFIX + "{ ?x :b ?y } => { ?y :d ?x } .\n{ [] :e 1 } .\n", encoding="utf-8"
    )
    (tmp_path / "bad.n3").write_text(PREFIX + ":a b :c .\n", encoding="utf-8")
    (tmp_path / "latin.n3").write_bytes(PREFIX.encode() + ':a :b "\xe9" .\n'.encode("latin-1"))
    (tmp_path / "one.jsonld").write_text(
        '{"@id": "http://example.org/a", "http://example.org/b": 1}', encoding="utf-8"
    )
    return tmp_path


def test_each_good_file_gets_a_line_with_its_number_of_statements(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = milepost(capsys, "parse", "data.ttl", "rules.n3", "one.jsonld")

    assert (done.code, done.err) == (0, "")
    assert done.out == "data.ttl  2 statements\nrules.n3  2 statements (1 rule)\none.jsonld  1 statement\n"


def test_a_bad_file_shows_its_place_and_the_others_are_still_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = milepost(capsys, "parse", "bad.n3", "latin.n3", "missing.n3", "data.ttl")

    lines = done.out.splitlines()
    assert done.code == 1
    assert lines[0].startswith("bad.n3:2:4  error N3001  ")
    assert lines[1:3] == ["    2 | :a b :c .", "      |    ^"]
    assert "latin.n3  error N3051  byte 41 is not UTF-8" in lines
    assert "error USE002  missing.n3 cannot be read: No such file or directory" in lines
    assert lines[-1] == "data.ttl  2 statements"


def test_a_glob_stands_for_the_files_it_matches(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys, "parse", "*.ttl", "r*.n3")

    assert done.out.splitlines() == ["data.ttl  2 statements", "rules.n3  2 statements (1 rule)"]


def test_plain_triples_are_written_as_sorted_n_triples(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = milepost(capsys, "parse", "data.ttl", "--base", "http://example.org/doc", "-o", "out.nt")

    assert done.code == 0
    assert (folder / "out.nt").read_text("utf-8") == (
        "<http://example.org/a> <http://example.org/b> <http://example.org/c> .\n"
        "<http://example.org/a> <http://example.org/b> <http://example.org/doc#here> .\n"
    )


def test_files_read_with_one_base_share_no_blank_nodes(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one.ttl", "two.ttl"):
        (folder / name).write_text(f'{PREFIX}_:x :is "{name}" .\n', encoding="utf-8")

    done = milepost(capsys, "parse", "--base", "http://example.org/", "-o", "all.nt", "one.ttl", "two.ttl")

    assert (done.code, done.err) == (0, "")
    written = (folder / "all.nt").read_text(encoding="utf-8").splitlines()
    subjects = {line.split()[0] for line in written if "/is>" in line}
    assert len(subjects) == 2


def test_rules_are_written_as_n3_that_parses_to_the_same_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    milepost(capsys, "parse", "rules.n3", "data.ttl", "--base", "http://example.org/doc", "-o", "out.n3")
    done = milepost(capsys, "parse", "out.n3", "-o", "again.n3")

    assert done.out == "out.n3  4 statements (1 rule)\n"
    assert (folder / "again.n3").read_text("utf-8") == (folder / "out.n3").read_text("utf-8")


def test_a_node_that_a_statement_and_a_formula_share_stays_the_same_node(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "@prefix : <http://example.org/> .\n@forSome <urn:node:0> .\n:a :p <urn:node:0> .\n:a :q { :a :is <urn:node:0> } .\n"
    (folder / "shared.n3").write_text(text, "utf-8")
    milepost(capsys, "parse", "shared.n3", "-o", "out.n3")

    assert (folder / "out.n3").read_text("utf-8") == text


def test_rules_do_not_go_into_a_file_of_n_triples(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys, "parse", "rules.n3", "-o", "out.nt")

    assert (done.code, (folder / "out.nt").exists()) == (2, False)
    assert done.err.startswith("error USE006  N-Triples cannot say  { ?x <http://example.org/b> ?y }")


def test_output_that_cannot_be_written_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys, "parse", "data.ttl", "-o", "nowhere/out.nt")

    assert done.code == 2
    assert done.err == "error USE004  nowhere/out.nt cannot be written: its folder does not exist\n"


def test_every_fault_of_a_file_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "worse.n3").write_text(PREFIX + ":a b :c .\n:a :b :c .\n:a c :d .\n", encoding="utf-8")

    done = milepost(capsys, "parse", "worse.n3")

    heads = [line for line in done.out.splitlines() if "  error " in line]
    assert (done.code, done.err) == (1, "")
    assert [head.split("  ")[0] for head in heads] == ["worse.n3:2:4", "worse.n3:4:4"]


def test_nothing_is_written_when_a_file_cannot_be_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "out.n3").write_text("as it was", encoding="utf-8")

    done = milepost(capsys, "parse", "data.ttl", "bad.n3", "-o", "out.n3")

    assert done.code == 1
    assert (folder / "out.n3").read_text("utf-8") == "as it was"
    assert sorted(path.name for path in folder.iterdir() if path.name.startswith(".")) == []


def test_rules_and_requests_are_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "program.n3").write_text(
        PREFIX
        + "@prefix http: <http://www.w3.org/2011/http#> . @prefix m: <http://www.w3.org/2011/http-methods#> .\n"
        + "{ [] http:mthd m:GET ; http:requestURI <x> }\n"
        + "{ ?x :b ?y } => { [] http:mthd m:GET ; http:requestURI ?y } .\n"
        + "{ ?x :b ?y } => { ?y :c ?x } . { ?x :d ?y } <= { ?y :c ?x } .\n:a :b :c .\n",
        encoding="utf-8",
    )
    (folder / "empty.n3").write_text("", encoding="utf-8")

    done = milepost(capsys, "parse", "program.n3", "empty.n3")

    assert done.out == "program.n3  5 statements (2 rules, 2 requests)\nempty.n3  no statements\n"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("out.ttl", "@prefix : <http://example.org/> .\n:a :l ( 1 :b ) .\n"),
        ("out.nt", "_:b0 <http://www.w3.org/1999/02/22-rdf-syntax-ns#first>"),
    ],
)
def test_lists_are_brackets_in_turtle_and_cells_in_n_triples(
    name: str, written: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "list.n3").write_text(PREFIX + ":a :l (1 :b) .\n", encoding="utf-8")

    done = milepost(capsys, "parse", "list.n3", "-o", name)

    text = (folder / name).read_text("utf-8")
    assert (done.code, done.err) == (0, "")
    assert text == written if name == "out.ttl" else (text.count("\n") == 5 and written in text)
