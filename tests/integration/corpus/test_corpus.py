"""``python -m agent.corpus``: folders of rules, also such that nobody should load."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent.corpus.__main__ import main, programs
from agent.corpus.verdict import Kind, Verdict
from agent.corpus.worker import Worker
from tests.support.command_line import environment
from tests.support.hostile import hostile

PREFIX = "@prefix : <http://example.org/> .\n"
RULE = PREFIX + ":a :b :c .\n{ ?x :b ?y } => { ?y :b ?x } .\n"


def test_every_file_has_its_line_with_the_place_and_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "good.n3").write_text(RULE, encoding="utf-8")
    (tmp_path / "other.txt").write_text("no rules", encoding="utf-8")
    (tmp_path / "sub" / "prefix.n3").write_text(PREFIX + ":a ex:b :c .\n", encoding="utf-8")
    (tmp_path / "sub" / "bytes.n3").write_bytes(b"\xff\xfe")
    (tmp_path / "sub" / "lost.n3").symlink_to(tmp_path / "nowhere")
    (tmp_path / "sub" / "unsafe.n3").write_text(PREFIX + "{ ?x :b ?y } => { ?x :b ?z } .\n", encoding="utf-8")

    code = main([str(tmp_path)])

    assert code == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in shown[:5]] == [
        ["loaded", "good.n3", "1"],
        ["refused", "sub/bytes.n3", "N3051"],
        ["refused", "sub/lost.n3", "USE002"],
        ["refused", "sub/prefix.n3:2:4", "N3002"],
        ["refused", "sub/unsafe.n3:2:25", "ASM001"],
    ]
    assert shown[0] == "loaded         good.n3  1 fact, 1 derivation rule"
    assert shown[5] == "5 files: 1 loaded, 4 refused"


def test_hostile_texts_are_told_and_the_next_file_is_loaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a-deep.n3").write_text("{" * 20_000, encoding="utf-8")
    (tmp_path / "b-lists.n3").write_text(
        PREFIX + ":a :b " + "(" * 10_000 + ")" * 10_000 + " .", encoding="utf-8"
    )
    (tmp_path / "c-nul.n3").write_bytes(bytes(1000))
    (tmp_path / "d-good.n3").write_text(RULE, encoding="utf-8")

    code = main([str(tmp_path), "--limit-s", "60"])

    assert code == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line[:15].strip() for line in shown[:4]] == ["refused", "loaded", "refused", "loaded"]
    assert "fault of ours" not in "\n".join(shown)


def test_a_folder_that_is_missing_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "absent")]) == 2
    assert "USE002" in capsys.readouterr().err


def test_links_between_folders_do_not_lead_round_and_round(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "up").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "a" / "x.n3").write_text(RULE, encoding="utf-8")

    assert list(programs(str(tmp_path))) == [os.fspath(tmp_path / "a" / "x.n3")]


@pytest.mark.parametrize(
    ("deed", "expected"),
    [
        ("wait", Verdict(Kind.TIME, "file", message="longer than 3 s")),
        ("eat", Verdict(Kind.MEMORY, "file")),
        ("die", Verdict(Kind.FAULT, "file", "BUG001", "the process died")),
    ],
)
def test_a_process_that_passes_its_bounds_is_replaced(deed: str, expected: Verdict) -> None:
    with Worker(3, 1000, hostile) as worker:
        first, spoilt, second = (worker(path, "file") for path in ("", deed, ""))

    assert spoilt == expected
    assert (first.kind, second.kind) == (Kind.LOADED, Kind.LOADED)
    assert first.message != second.message


def test_it_is_a_program(tmp_path: Path) -> None:
    (tmp_path / "good.n3").write_text(RULE, encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-P", "-m", "agent.corpus", str(tmp_path)],
        capture_output=True,
        check=False,
        encoding="utf-8",
        env=environment(),
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "loaded         good.n3  1 fact, 1 derivation rule\n1 file: 1 loaded\n"


def test_rules_of_every_kind_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kinds.n3").write_text(
        PREFIX
        + "{ ?x :is ?y } <= { ?y :has ?x } .\n{ ?x :is :c } => false .\n{ ?x :is :d } => { ?x :is :e } .\n",
        encoding="utf-8",
    )

    main([str(tmp_path)])

    assert capsys.readouterr().out.splitlines()[0] == (
        "loaded         kinds.n3  1 derivation rule, 1 backward rule, 1 rule of what must never be"
    )
