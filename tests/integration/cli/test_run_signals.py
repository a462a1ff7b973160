"""Signals during ``milepost run``: the write phase is finished first, the exit code tells the signal."""

import signal
from pathlib import Path

import pytest

from tests.support.command_line import start_milepost
from tests.support.slow_server import slow_server

NOTICE = "stopping; what is being written is finished first\n"
PROGRAM = """\
@prefix http: <http://www.w3.org/2011/http#> .
@prefix m: <http://www.w3.org/2011/http-methods#> .
{{ [] http:mthd m:PUT ; http:requestURI <{base}one> ; http:body {{ <#it> a <#Thing> }} }} .
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_write_under_way_is_finished_before_the_run_stops(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:
    with slow_server() as server:
        (tmp_path / "program.n3").write_text(PROGRAM.format(base=server.base), encoding="utf-8")
        run = start_milepost("run", "-p", "program.n3", "--steps", "5", "--interval", "60", cwd=tmp_path)
        try:
            assert server.arrived.wait(60)
            run.send_signal(number)
            assert run.stderr
            assert run.stderr.readline() == NOTICE
            server.release.set()
            out, err = run.communicate(timeout=60)
        finally:
            run.kill()
            run.communicate()

    assert (run.returncode, err, server.writes) == (code, "", [f"{server.base}one"])
    assert out.splitlines()[1:] == [
        f"  PUT {server.base}one  204",
        "stopped; the same command goes on where the documents say it was (1 step)",
    ]


@pytest.mark.parametrize("uri", ["wf#it", "wf/"])
def test_a_run_that_still_finds_out_what_its_uris_are_stops_at_once(uri: str, tmp_path: Path) -> None:
    with slow_server() as server:
        run = start_milepost("run", server.base + "slow/" + uri, cwd=tmp_path)
        try:
            assert server.arrived.wait(60)
            run.send_signal(signal.SIGINT)
            out, err = run.communicate(timeout=20)
        finally:
            run.kill()
            run.communicate()

    assert (run.returncode, err) == (130, NOTICE)
    assert out == "stopped; the same command goes on where the documents say it was (0 steps)\n"


def test_a_run_that_waits_for_its_next_step_stops_at_once(tmp_path: Path) -> None:
    with slow_server() as server:
        server.release.set()
        (tmp_path / "program.n3").write_text(PROGRAM.format(base=server.base), encoding="utf-8")
        run = start_milepost("run", "-p", "program.n3", "--interval", "3600", cwd=tmp_path)
        try:
            assert server.arrived.wait(60)
            assert run.stdout
            assert run.stdout.readline().startswith("step 1  ")
            run.send_signal(signal.SIGINT)
            out, err = run.communicate(timeout=60)
        finally:
            run.kill()
            run.communicate()

    assert (run.returncode, err) == (130, NOTICE)
    assert out.endswith("stopped; the same command goes on where the documents say it was (1 step)\n")
