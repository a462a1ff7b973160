"""``milepost run`` with programs: requests go out, results come in, exit codes tell what happened."""

import json
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command_line import command, environment, milepost, start_milepost
from tests.support.slow_server import slow_server

PREFIXES = """\
@prefix : <http://example.org/> .
@prefix http: <http://www.w3.org/2011/http#> .
@prefix m: <http://www.w3.org/2011/http-methods#> .
"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve resources and return the base URL."""
    server = start_milepost("serve", "--memory", "--port", "0", cwd=tmp_path_factory.mktemp("server"))
    assert server.stdout
    yield server.stdout.readline().split()[1].rstrip(",")
    server.kill()
    server.communicate()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _put_rule(uri: str, value: str) -> str:
    return f"{{ [] http:mthd m:PUT ; http:requestURI <{uri}> ; http:body {{ <#it> :is {value} }} }} .\n"


def _get_rule(uri: str) -> str:
    return f"{{ [] http:mthd m:GET ; http:requestURI <{uri}> }} .\n"


def _program(folder: Path, *rules: str) -> str:
    (folder / "program.n3").write_text(PREFIXES + "".join(rules), encoding="utf-8")
    return "program.n3"


def _read(uri: str) -> str:
    request = urllib.request.Request(uri, headers={"Accept": "application/n-triples"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        body: bytes = answer.read()
        return body.decode()


def _trace(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "trace.jsonl").read_text("utf-8").splitlines()]


def test_a_program_takes_one_step_and_ends(
    base: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = _program(folder, _put_rule(f"{base}one", "1"))

    done = milepost(capsys, "run", "-p", program, "--trace", "trace.jsonl")

    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[1:] == [f"  PUT {base}one  201", "all steps are taken (1 step)"]
    assert _read(f"{base}one").startswith(f"<{base}one#it> <http://example.org/is> ")
    assert [line["step"] for line in _trace(folder)] == [1]


def test_characters_that_the_terminal_lacks_are_shown_as_escapes(base: str, folder: Path) -> None:
    program = _program(folder, _put_rule(f"{base}\u00e9\U0001f600", "1"))

    run = subprocess.run(
        command("run", "-p", program),
        cwd=folder,
        env={**environment(), "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        timeout=60,
        check=False,
    )

    assert (run.returncode, run.stderr) == (0, b"")
    assert f"  PUT {base}\u00e9\\U0001f600  201\n".encode("latin-1") in run.stdout


def test_facts_given_beside_the_program_bind_its_rules(
    base: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "facts.ttl").write_text(f"<{base}lamp> <http://example.org/wanted> true .", encoding="utf-8")
    rule = (
        "{ ?r :wanted true } => { [] http:mthd m:PUT ; http:requestURI ?r ; http:body { <#it> :is :on } } .\n"
    )

    done = milepost(capsys, "run", "-p", _program(folder, rule), "-i", "facts.ttl")

    assert done.code == 0
    assert _read(f"{base}lamp") == f"<{base}lamp#it> <http://example.org/is> <http://example.org/on> .\n"


def test_steps_and_quiet_steps_end_a_run(base: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    quiet = _program(folder, _get_rule(f"{base}absent"))

    by_quiet = milepost(
        capsys, "run", "-p", quiet, "--until-quiet", "2", "--interval", "0", "--trace", "trace.jsonl"
    )
    program = _program(folder, _put_rule(f"{base}thrice", "3"))
    by_steps = milepost(capsys, "run", "-p", program, "--steps", "3", "--interval", "0")

    assert (by_quiet.code, by_quiet.out) == (0, "nothing more happens (2 steps)\n")
    assert [line["requests"] for line in _trace(folder)] == [[], []]
    assert by_steps.code == 0
    assert by_steps.out.count(f"  PUT {base}thrice  ") == 3


def test_a_dry_run_shows_the_requests_and_sends_none(
    base: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = _program(folder, _put_rule(f"{base}untouched", "1"))

    done = milepost(capsys, "run", "-p", program, "--dry-run")

    assert done.code == 0
    assert f"  PUT {base}untouched  would be sent\n    <#it> <http://example.org/is> " in done.out
    with pytest.raises(urllib.error.HTTPError, match="404"):
        _read(f"{base}untouched")


def test_a_clash_ends_the_run_if_asked_to(
    base: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = _program(folder, _put_rule(f"{base}torn", "1"), _put_rule(f"{base}torn", "2"))

    refused = milepost(capsys, "run", "-p", program, "--on-conflict", "error")
    picked = milepost(capsys, "run", "-p", program)

    assert refused.code == 4
    assert f"{base}torn" in refused.err
    assert picked.code == 0
    assert picked.out.count(f"  PUT {base}torn  201") == 1
    assert picked.out.count(f"  PUT {base}torn  dropped") == 1


def test_a_mapped_origin_is_connected_to_elsewhere(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = _program(folder, _put_rule("http://home.example:8080/lamp", "1"))
    with slow_server() as server:
        server.release.set()
        mapped = f"http://home.example:8080={server.base.rstrip('/')}"

        done = milepost(capsys, "run", "-p", program, "--map", mapped)

        assert (done.code, done.err) == (0, "")
        assert server.writes == ["http://home.example:8080/lamp"]
    assert "  PUT http://home.example:8080/lamp  204\n" in done.out


def test_the_last_memory_and_answers_on_it_are_written(
    base: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    milepost(capsys, "run", "-p", _program(folder, _put_rule(f"{base}known", ":green")))
    (folder / "ask.rq").write_text("SELECT ?x WHERE { ?s <http://example.org/is> ?x }", encoding="utf-8")
    program = _program(folder, _get_rule(f"{base}known"))

    done = milepost(capsys, "run", "-p", program, "-o", "memory.nt", "-q", "ask.rq", "answer.csv")

    assert done.code == 0
    assert (folder / "answer.csv").read_text("utf-8").split() == ["x", "http://example.org/green"]
    assert f"<{base}known#it> <http://example.org/is> <http://example.org/green> .\n" in (
        folder / "memory.nt"
    ).read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        ([], 2, "error USE005  there is nothing to run\n"),
        (["-p", "none.n3"], 2, "error USE002  none.n3 does not exist\n"),
        (["-p", "empty.n3", "-q", "ask.rq"], 2, "error USE001  -q takes two values"),
        (["-p", "empty.n3", "--trace", "no/where"], 2, "error USE004  no/where cannot be written: "),
        (["-p", "get.n3", "-q", "none.rq", "a.csv"], 2, "error USE002  none.rq cannot be read: "),
        (["-p", "get.n3", "-q", "get.n3", "a.csv"], 1, "get.n3  error N3001  this is no SPARQL query: "),
        (["-p", "get.n3", "-q", "ask.rq", "no/a.csv"], 2, "error USE004  no/a.csv cannot be written: "),
        (["-p", "get.n3", "-o", "no/where.nt"], 2, "error USE004  no/where.nt cannot be written: "),
        (["-p", "get.n3", "-o", "."], 2, "error USE004  . cannot be written: it is a folder\n"),
        (
            ["get.n3"],
            2,
            'error USE005  "get.n3" is no http or https URI\n  The file of a program is given with -p',
        ),
        (["ftp://h/i#it"], 2, 'error USE005  "ftp://h/i#it" is no http or https URI\n'),
        (["http://[::1/i#it"], 2, 'error USE005  "http://[::1/i#it" is no http or https URI\n'),
        (["http://127.0.0.1:1/i#it", "--container", "wf"], 2, 'error USE005  "wf" is no http or https URI\n'),
        (["-p", "empty.n3", "--steps", "0"], 2, "error USE001  Invalid value for '--steps'"),
        (["-p", "empty.n3", "--delivery", "tracked"], 2, "error USE012  "),
        (["-p", "empty.n3", "--map", "nonsense"], 2, "error USE011  "),
        (
            ["http://127.0.0.1:1/i#it"],
            3,
            "error NET001  http://127.0.0.1:1/i cannot be read: connection refused\n",
        ),
    ],
)
def test_what_cannot_be_run_is_told_with_its_exit_code(
    arguments: list[str], code: int, text: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "empty.n3").write_text(PREFIXES, encoding="utf-8")
    (folder / "get.n3").write_text(PREFIXES + _get_rule("http://127.0.0.1:1/x"), encoding="utf-8")
    (folder / "ask.rq").write_text("ASK {}", encoding="utf-8")

    done = milepost(capsys, "run", *arguments)

    assert (done.code, done.out) == (code, "")
    assert done.err.startswith(text)


def test_a_trace_that_cannot_be_written_ends_the_run_after_its_step(
    base: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = _program(folder, _put_rule(f"{base}traced", "1"))

    done = milepost(capsys, "run", "-p", program, "--steps", "3", "--interval", "0", "--trace", "/dev/full")

    assert (done.code, done.err) == (
        2,
        "error USE004  /dev/full cannot be written: No space left on device\n",
    )
    assert "traced#it" in _read(f"{base}traced")


def test_an_unreachable_world_is_exit_code_3(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = _program(folder, _get_rule("http://127.0.0.1:1/x"))

    done = milepost(capsys, "run", "-p", program)

    assert done.code == 3
    assert done.err.splitlines()[-1] == (
        "error NET001  nothing could be read in the last step: http://127.0.0.1:1/x: connection refused"
    )


def test_a_refused_write_is_exit_code_3(base: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = _program(folder, _put_rule(f"{base}.milepost/mine", "1"))

    done = milepost(capsys, "run", "-p", program)

    assert done.code == 3
    assert "error NET002  no request was confirmed in the last step: PUT " in done.err


def test_too_many_documents_exceed_the_budget(
    base: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = _program(folder, *(_get_rule(f"{base}absent-{n}") for n in range(3)))

    done = milepost(capsys, "run", "-p", program, "--max-documents", "2")

    assert done.code == 5


def test_a_uri_that_is_no_instance_gets_a_suggestion(
    base: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    milepost(
        capsys,
        "run",
        "-p",
        _program(
            folder,
            f"{{ [] http:mthd m:PUT ; http:requestURI <{base}wf> ; "
            "http:body { <#it> a <http://purl.org/gsm/vocab#ArtifactInstance> } } .\n",
        ),
    )

    done = milepost(capsys, "run", f"{base}wf")

    assert (done.code, done.err) == (
        2,
        f"error USE005  {base}wf is neither a workflow instance nor a container\n  did you mean {base}wf#it?\n",
    )
