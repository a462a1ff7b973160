"""``milepost check``: the report people read, the JSON programs read, the exit code scripts read."""

import json
import re
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import agent
from agent.codes import CODES
from tests.support.command_line import milepost
from tests.support.documents import CHECKOUT

GOLDEN = CHECKOUT / "tests" / "conformance" / "check" / "golden"
GOOD = (CHECKOUT / "tests" / "conformance" / "check" / "good.ttl").read_text(encoding="utf-8")
EXAMPLES = sorted(path for path in (CHECKOUT / "rules" / "examples").iterdir() if list(path.glob("*.ttl")))


def test_the_report_of_the_evacuation_is_the_golden_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(GOLDEN)

    done = milepost(capsys, "check", "evacuation.ttl")

    assert (done.code, done.err) == (1, "")
    assert done.out == (GOLDEN / "evacuation.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("example", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_an_example_has_the_findings_that_it_ships(
    example: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(example)

    done = milepost(capsys, "check", "*.ttl")

    assert done.out == (example / "findings.txt").read_text(encoding="utf-8")
    assert (done.code, done.err) == (0, "")


def test_warnings_alone_are_no_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.ttl").write_text(GOOD.replace(" , ag:Latched", ""), encoding="utf-8")

    done = milepost(capsys, "check", str(tmp_path / "model.ttl"))

    assert done.code == 0
    assert done.out.splitlines()[-1] == "1 warning. Rules explained: milepost explain GSM023"


def test_a_good_model_is_told_so_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.ttl").write_text(GOOD, encoding="utf-8")

    done = milepost(capsys, "check", str(tmp_path / "model.ttl"))

    assert (done.code, done.out, done.err) == (0, "No findings.\n", "")


def test_notes_are_for_those_who_ask(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    two = GOOD.replace("gsm:hasGuard :when-warm", "gsm:hasGuard :when-warm , <http://other.example/m#g>")
    (tmp_path / "model.ttl").write_text(two, encoding="utf-8")

    quiet = milepost(capsys, "check", str(tmp_path / "model.ttl"))
    done = milepost(capsys, "check", "-v", str(tmp_path / "model.ttl"))

    assert quiet.out == "No findings.\n"
    assert re.findall(r"note GSM\d+", done.out) == ["note GSM013", "note GSM039", "note GSM022"]
    assert done.code == 0


def test_a_part_in_another_file_is_found_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    based = GOOD.replace("@prefix : <#> .", "@base <http://m.example/one> .\n@prefix : <#> .")
    head, tail = based.split(":send a gsm:Stage", 1)
    prefixes = "".join(f"{line}\n" for line in head.splitlines() if line.startswith("@"))
    other = f"{prefixes}:send a gsm:Stage{tail}".replace(":mail-was-read .", ":mail-was-raed .")
    (tmp_path / "one.ttl").write_text(head, encoding="utf-8")
    (tmp_path / "two.ttl").write_text(other, encoding="utf-8")

    done = milepost(capsys, "check", str(tmp_path / "*.ttl"))

    assert done.code == 1
    assert done.out.splitlines()[-1] == "1 error. Rules explained: milepost explain GSM012"
    assert "did you mean :mail-was-read (line 23)?" in done.out


def test_all_faults_of_the_syntax_of_all_files_are_told_in_one_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.ttl").write_text("<#a> <#b> .\n<#c> <#d> .\n", encoding="utf-8")
    (tmp_path / "b.ttl").write_text("<#a> ex:b 1 .\n", encoding="utf-8")
    (tmp_path / "c.ttl").write_bytes(b"<#a> <#b> '\xe9' .\n")

    done = milepost(capsys, "check", *(str(tmp_path / f"{name}.ttl") for name in "abc"))

    assert done.code == 1
    assert re.findall(r"(\w\.ttl(?::\d+:\d+)?) +error (\w+)", done.out) == [
        ("c.ttl", "N3051"),
        ("a.ttl:1:11", "N3001"),
        ("a.ttl:2:11", "N3001"),
        ("b.ttl:1:6", "N3002"),
    ]


def test_json_has_the_same_findings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(GOLDEN)

    done = milepost(capsys, "check", "--json", "evacuation.ttl")

    first, second = json.loads(done.out)
    assert done.code == 1
    assert first == {
        "severity": "error",
        "code": "GSM012",
        "source": "evacuation.ttl",
        "line": 41,
        "column": 22,
        "end_column": 44,
        "message": "guard :G1 points to :FireAlarmButonPressed, which is defined nowhere",
        "hint": "did you mean :FireAlarmButtonPressed (line 97)?",
    }
    assert (second["severity"], second["code"], second["line"]) == ("warning", "GSM021", 63)


def test_a_model_may_be_on_the_web(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.ttl").write_text(GOOD.replace(":cold .", ":clod .", 1), encoding="utf-8")
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        uri = f"http://127.0.0.1:{server.server_port}/model.ttl"
        done = milepost(capsys, "check", uri)
        gone = milepost(capsys, "check", f"{uri}x")
        server.shutdown()

    assert done.code == 1
    assert done.out.startswith(f"{uri}:18:22  error GSM012  guard :when-cold points to :clod")
    assert (gone.code, "error NET002  " in gone.err) == (3, True)


def test_a_missing_file_is_a_wrong_call(capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys, "check", "no-such-model.ttl")

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error USE002  no-such-model.ttl does not exist")


def test_a_file_without_a_model_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data.ttl").write_text("<#a> <#b> 1 .\n", encoding="utf-8")

    done = milepost(capsys, "check", str(tmp_path / "data.ttl"))

    assert (done.code, "error GSM011  no stage is described here" in done.out) == (1, True)


def test_python_gets_the_findings_as_values() -> None:
    findings = agent.check(GOLDEN / "evacuation.ttl")

    assert [(each.severity, each.code, each.place.line) for each in findings] == [
        ("error", "GSM012", 41),
        ("warning", "GSM021", 63),
    ]


def test_every_code_that_can_be_found_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    texts = [path.read_text(encoding="utf-8") for path in (CHECKOUT / "agent" / "gsm" / "check").glob("*.py")]
    texts.append((CHECKOUT / "ontology" / "shapes" / "gsm.ttl").read_text(encoding="utf-8"))
    found = {code for text in texts for code in re.findall(r"GSM0[1-4]\d", text)}

    assert found == {code for code in CODES if re.fullmatch(r"GSM0[1-4]\d", code)}
    assert milepost(capsys, "explain", "GSM012").out.startswith("GSM012  reference to nothing\n")
