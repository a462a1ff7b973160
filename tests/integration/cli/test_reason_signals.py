"""Signals while ``milepost reason`` works: nothing is printed, nothing is half written."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command_line import environment, start_milepost

PROGRAM = """\
@prefix : <http://example.org/> . @prefix math: <http://www.w3.org/2000/10/swap/math#> .
@prefix http: <http://www.w3.org/2011/http#> . @prefix m: <http://www.w3.org/2011/http-methods#> .
:n :is 0 .
{ :n :is ?x . (?x 1) math:sum ?y } => { :n :is ?y } .
{ [] http:mthd m:GET ; http:requestURI <x> }
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_reasoning_that_is_stopped_leaves_the_file_as_it_was(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:
    (tmp_path / "program.n3").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "out.nt").write_text("as it was", encoding="utf-8")
    endless = ["--max-rounds", "100000000", "--max-facts", "100000000", "--max-terms", "100000000"]
    run = start_milepost("reason", "-p", "program.n3", "-o", "out.nt", *endless, cwd=tmp_path)
    try:
        assert run.stderr
        assert run.stderr.readline() == "1 request rule left out; milepost run carries it out\n"
        run.send_signal(number)
        out, err = run.communicate(timeout=60)
    finally:
        run.kill()
        run.communicate()

    assert (run.returncode, out, err) == (code, "", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.nt", "program.n3"]
    assert (tmp_path / "out.nt").read_text("utf-8") == "as it was"


def test_ctrl_c_while_a_text_is_executed_has_the_same_code() -> None:
    command = [sys.executable, "-P", "-m", "tests.support.interrupted_text"]
    done = subprocess.run(command, env=environment(), capture_output=True, check=False, timeout=60)

    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
