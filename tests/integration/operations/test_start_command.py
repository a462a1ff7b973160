"""``milepost start``: one new document, at a name that nothing has, about an instance that an agent can execute."""

import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pyoxigraph as ox
import pytest

from tests.support.command_line import Done, milepost
from tests.support.live import Live, live_server, text_of

MODEL = '<#claim> a gsm:Stage ; gsm:hasChildStage <#check> . <#check> a gsm:Stage ; rdfs:label "Check" .'
TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """Serve one model with a root, one with two, and something that is no model."""
    with live_server(tmp_path_factory.mktemp("server")) as server:
        server.put("/claims/model", MODEL)
        server.put(
            "/two", "<#one> a gsm:Stage . <#other> a gsm:Stage . <#inner> gsm:hasAncestorStage <#one> ."
        )
        server.put("/page", "<#it> ex:says 'hello' .")
        yield server


def _described(live: Live, instance: str) -> dict[str, str]:
    """Return the values of a new instance by local name of the property."""
    subject = ox.NamedNode(instance)
    about = [triple for triple in live.get(instance) if triple.subject == subject]
    return {re.split("[#/]", triple.predicate.value)[-1]: text_of(triple.object) for triple in about}


def test_an_instance_is_put_beside_its_model_and_its_uri_alone_is_printed(
    live: Live, capsys: pytest.CaptureFixture[str]
) -> None:
    done = milepost(capsys, "start", f"{live.base}/claims/model", "--label", "Claim 7")

    instance = done.out.strip()
    assert (done.code, done.err, done.out) == (0, "", f"{instance}\n")
    assert re.fullmatch(rf"{live.base}/claims/[^/]+#it", instance)
    described = _described(live, instance)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", described.pop("startedAtTime"))
    assert described == {
        "type": "http://purl.org/gsm/vocab#ArtifactInstance",
        "isInstanceOf": f"{live.base}/claims/model#claim",
        "hasState": "http://purl.org/gsm/vocab#uninitialized",
        "label": "Claim 7",
    }


def test_two_starts_are_two_instances_that_an_agent_executes(
    live: Live, capsys: pytest.CaptureFixture[str]
) -> None:
    live.put("/wf/model", MODEL)
    started = [milepost(capsys, "start", f"{live.base}/wf/model#claim").out.strip() for _ in range(2)]
    assert len(set(started)) == 2

    done = milepost(capsys, "run", *started, "--steps", "1", "--interval", "0")

    assert done.code == 0, done.err
    assert [live.values(instance, "#hasState") for instance in started] == [
        ["http://purl.org/gsm/vocab#active"],
        ["http://purl.org/gsm/vocab#active"],
    ]


def test_a_chosen_name_in_a_chosen_container_is_never_overwritten(
    live: Live, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("start", f"{live.base}/claims/model", "--in", f"{live.base}/runs", "--name", "seven é")
    first = milepost(capsys, *arguments)
    assert first.out.strip() == f"{live.base}/runs/seven%20%C3%A9#it", first.err
    before = live.get(first.out.strip())

    second = milepost(capsys, *arguments)

    assert (second.code, second.out) == (2, "")
    assert "GSM051" in second.err
    assert live.get(first.out.strip()) == before


def test_more_facts_are_about_the_new_instance_and_relative_to_its_document(
    live: Live, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    facts = tmp_path / "facts.ttl"
    facts.write_text(
        '<#it> <http://e/by> <agreement#gold> ; <http://e/note> "Grüße"@de , [] .', encoding="utf-8"
    )

    done = milepost(capsys, "start", f"{live.base}/claims/model", "-i", str(facts))

    assert done.code == 0, done.err
    instance = done.out.strip()
    assert live.values(instance, "/by") == [f"{live.base}/claims/agreement#gold"]
    notes = {str(t.object)[:2] for t in live.get(instance) if t.predicate.value == "http://e/note"}
    assert notes == {'"G', "_:"}


def test_facts_about_the_status_are_refused_and_nothing_is_created(
    live: Live, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    facts = tmp_path / "facts.ttl"
    facts.write_text("<#it> <http://purl.org/gsm/vocab#hasState> <http://purl.org/gsm/vocab#active> .")

    done = milepost(
        capsys, "start", f"{live.base}/claims/model", "--in", f"{live.base}/none/", "-i", str(facts)
    )

    assert (done.code, done.out) == (1, "")
    assert "GSM053  hasState is for the agent to say" in done.err
    with pytest.raises(OSError, match="404"):
        live.get("/none/")


@pytest.mark.parametrize(
    ("model", "code", "told"),
    [
        (
            "/claims/model#clam",
            2,
            ["GSM050", "is no root stage of a model", "did you mean BASE/claims/model#claim?"],
        ),
        ("/claims/model#check", 2, ["GSM050", "it is inside BASE/claims/model#claim", "did you mean"]),
        ("/two", 2, ["GSM050", "has 2 root stages", "BASE/two#one\n  BASE/two#other"]),
        ("/page", 2, ["GSM050", "BASE/page is no root stage of a model"]),
        ("/nothing", 3, ["NET002", "404"]),
    ],
)
def test_what_is_no_model_is_told_with_what_was_probably_meant(
    live: Live, capsys: pytest.CaptureFixture[str], model: str, code: int, told: list[str]
) -> None:
    done = milepost(capsys, "start", live.base + model)
    assert (done.code, done.out) == (code, "")
    for text in told:
        assert text.replace("BASE", live.base) in done.err


def test_an_instance_given_as_model_is_told_apart(live: Live, capsys: pytest.CaptureFixture[str]) -> None:
    instance = milepost(capsys, "start", f"{live.base}/claims/model").out.strip()
    done = milepost(capsys, "start", instance)
    assert done.code == 2
    assert f"It is executed by milepost run {instance}" in done.err


def test_a_file_a_strange_name_and_a_dead_server_are_told(
    live: Live, capsys: pytest.CaptureFixture[str]
) -> None:
    def codes(*arguments: str) -> tuple[int, str]:
        done: Done = milepost(capsys, "start", *arguments)
        return done.code, re.findall(r"error (\w+)", done.err)[0]

    assert codes("model.ttl") == (2, "GSM050")
    assert codes(f"{live.base}/claims/model", "--name", "a/b") == (2, "USE001")
    assert codes("http://127.0.0.1:1/model") == (3, "NET001")
    assert codes(f"{live.base}/claims/model", "--in", "http://127.0.0.1:1/wf/") == (3, "NET001")


def test_a_model_with_a_typing_error_is_refused_at_its_place(
    live: Live, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    class Broken(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/turtle")
            self.end_headers()
            self.wfile.write(b"<#claim> a <http://purl.org/gsm/vocab#Stage> .\n<#check> a oops:Stage .\n")

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Broken)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        done = milepost(capsys, "start", f"http://127.0.0.1:{server.server_port}/model")
    finally:
        server.shutdown()
        server.server_close()
    assert (done.code, done.out) == (1, "")
    assert re.search(r"/model:2:\d+  error N3051", done.err)
