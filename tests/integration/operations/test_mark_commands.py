"""``milepost pause``, ``resume``, ``cancel``, ``retry`` and ``done``: one statement each, and what an agent makes of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pyoxigraph as ox
import pytest

from tests.support.command_line import Done, milepost
from tests.support.live import Live, live_server

AG = "https://w3id.org/milepost/agent#"
MODEL = """
<#claim> a gsm:Stage ; gsm:hasChildStage <#check> , <#pay> ; gsm:hasMilestone <#closed> .
<#check> a gsm:Stage ; rdfs:label "Check the claim" ; gsm:hasMilestone <#checked> ; gsm:hasGuard [ gsm:hasCondition
    [ ag:ask "ASK { ?thisArtifactInstance ag:hasUnachievedMilestone <#checked> }" ] ] ; gsm:hasHttpRequest <#task> .
<#pay> a gsm:Stage ; gsm:hasMilestone <#paid> ; gsm:hasGuard [ gsm:hasCondition
    [ ag:ask "ASK { ?thisArtifactInstance gsm:hasAchievedMilestone <#checked> ; ag:hasUnachievedMilestone <#paid> }" ] ] .
<#checked> rdfs:label "the claim is checked" ; gsm:hasAchievingSentry <#never> .
<#paid> gsm:hasAchievingSentry <#never> . <#closed> gsm:hasAchievingSentry <#never> .
<#never> ag:ask "ASK { <BASE/env> <http://example.org/vocab#never> true }" .
<#task> http:mthd m:POST ; http:requestURI <BASE/inbox/> ; http:body '{"@id": "", "http://e/said": "check"}' .
"""
FOREIGN = """
<#it> rdfs:label "Anspruch 7"@de , "claim 7" ; ex:claim <../claims/7> ; ex:sum 12.50 , "007"^^xsd:integer ;
    ex:papers ( "a" [ ex:page 3 ] ) . [] ex:about <#it> . <#note> rdfs:comment "line 1\\nline 2 \\"quoted\\"" .
"""


@dataclass
class Claim:
    """An instance on a server of its own folder, and commands about it."""

    live: Live
    folder: str
    capsys: pytest.CaptureFixture[str]

    @property
    def iri(self) -> str:
        return f"{self.live.base}{self.folder}seven#it"

    def ask(self, command: str, *arguments: str) -> Done:
        return milepost(self.capsys, command, self.iri, *arguments)

    def run(self, steps: int) -> Done:
        return self.ask("run", "--steps", str(steps), "--interval", "0")

    def status(self) -> dict[str, str]:
        return self.live.status(self.folder)

    def document(self, name: str) -> ox.Dataset:
        """Return what the document of an element says, in a form that can be compared."""
        iri = self.iri if name == "claim" else self.live.elements(self.folder)[name]
        dataset = ox.Dataset(ox.Quad(*triple) for triple in self.live.get(iri))
        dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
        return dataset

    def tasks(self) -> int:
        """Return how many tasks have been sent to the inbox, by whatever instance."""
        return sum(triple.predicate.value.endswith("#contains") for triple in self.live.get("/inbox/"))


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """Serve a model and an environment."""
    with live_server(tmp_path_factory.mktemp("server")) as server:
        server.put("/model", MODEL)
        server.put("/env", "<> ex:never false .")
        server.put("/inbox/first", "<> ex:is 1 .")
        yield server


@pytest.fixture
def claim(live: Live, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> Claim:
    """Put an instance into a container of its own, with statements that no rule knows."""
    folder = f"/{re.sub('[^a-z0-9]+', '-', request.node.name)}/"
    state = "a gsm:ArtifactInstance ; gsm:isInstanceOf <BASE/model#claim> ; gsm:hasState gsm:uninitialized"
    live.put(f"{folder}seven", f"<#it> {state} . {FOREIGN}")
    return Claim(live, folder, capsys)


def _mark(claim: Claim, name: str, mark: str, value: str = "true") -> ox.Quad:
    iri = claim.iri if name == "claim" else claim.live.elements(claim.folder)[name]
    boolean = ox.NamedNode("http://www.w3.org/2001/XMLSchema#boolean")
    return ox.Quad(ox.NamedNode(iri), ox.NamedNode(AG + mark), ox.Literal(value, datatype=boolean))


def test_a_paused_instance_sends_nothing_until_it_is_resumed_and_loses_no_statement(claim: Claim) -> None:
    before = claim.document("claim")

    paused = claim.ask("pause")

    assert (paused.code, paused.out) == (0, f"{claim.iri} is paused\n")
    assert set(claim.document("claim")) - set(before) == {_mark(claim, "claim", "isPaused")}
    held = claim.run(2)
    assert held.out.count("is paused") == 1
    assert claim.status() == {"claim": "uninitialized"}

    assert claim.ask("resume").out == f"{claim.iri} goes on\n"
    assert claim.document("claim") == before
    claim.run(2)
    assert claim.status()["check"] == "active"


def test_a_pause_in_the_middle_holds_what_would_be_next(claim: Claim) -> None:
    claim.run(2)
    claim.ask("pause")
    claim.ask("done", "checked")
    before = claim.status()
    claim.run(2)
    assert claim.status() == before

    claim.ask("resume")
    claim.run(1)
    assert claim.status()["checked"] == "true"


def test_asking_twice_is_asking_once(claim: Claim) -> None:
    claim.run(2)
    for command, arguments, said in [
        ("pause", (), "is paused already"),
        ("retry", ("check",), "stage Check the claim sends its tasks once more already"),
        ("done", ("checked",), "milestone the claim is checked is done already"),
        ("resume", (), "is neither paused nor parked"),
        ("cancel", (), "is cancelled already"),
    ]:
        assert claim.ask(command, *arguments).code == 0
        documents = [claim.document(name) for name in ("claim", "check", "checked")]
        again = claim.ask(command, *arguments)
        assert again.code == 0
        assert said in again.out
        assert [claim.document(name) for name in ("claim", "check", "checked")] == documents


def test_a_cancelled_instance_closes_without_a_milestone_and_the_run_ends(claim: Claim) -> None:
    claim.run(2)
    before = set(claim.document("claim"))
    assert claim.ask("cancel").out == f"{claim.iri} is cancelled\n"

    done = claim.ask("run", "--interval", "0")

    assert done.code == 0
    assert done.out.count(f"{claim.iri} is cancelled") == 1
    assert set(claim.status().values()) == {"inactive", "false"}
    gone = before - set(claim.document("claim"))
    assert [quad.predicate.value.rpartition("#")[2] for quad in gone] == ["hasState"]


def test_an_instance_that_is_cancelled_before_it_begins_never_begins(claim: Claim) -> None:
    claim.ask("cancel")
    done = claim.ask("run", "--interval", "0")
    assert (done.code, claim.status()) == (0, {"claim": "uninitialized"})


def test_a_retried_stage_sends_its_task_once_more_and_counts_a_further_activation(claim: Claim) -> None:
    claim.run(2)
    iri = claim.live.elements(claim.folder)["check"]
    sent = claim.tasks()
    before = set(claim.document("check"))

    asked = claim.ask("retry", "Check the claim")

    assert asked.out == "stage Check the claim sends its tasks once more\n"
    assert set(claim.document("check")) - before == {_mark(claim, "check", "isRetried")}
    claim.run(3)
    assert claim.tasks() == sent + 1
    assert claim.live.values(iri, "#activation") == ["2"]
    assert claim.live.values(iri, "#isRetried") == ["false"]


def test_a_milestone_that_is_done_completes_its_stage_and_the_workflow_goes_on(claim: Claim) -> None:
    claim.run(2)
    assert claim.ask("done", f"{claim.live.base}/model#checked").code == 0
    claim.run(2)
    status = claim.status()
    assert [status[name] for name in ("check", "checked", "pay")] == ["inactive", "true", "active"]
    assert claim.live.values(claim.live.elements(claim.folder)["checked"], "#isDone") == ["false"]
    assert "is done already" in claim.ask("done", "checked").out

    claim.ask("done", "closed")
    assert claim.ask("run", "--interval", "0").out.endswith("the workflow has ended (2 steps)\n")
    assert claim.status()["pay"] == "inactive"


@pytest.mark.parametrize(
    ("command", "arguments", "code", "told"),
    [
        ("retry", ("chek",), 2, ["GSM055", "no stage called chek", "did you mean check?"]),
        ("retry", ("xyz",), 2, ["GSM055", "It has Check the claim, claim, pay."]),
        ("retry", ("checked",), 2, ["GSM055", "checked is a milestone, not a stage"]),
        ("retry", ("claim",), 2, ["GSM055", "root"]),
        ("retry", ("pay",), 1, ["GSM056", "no task"]),
        ("done", ("paid",), 1, ["GSM056", "its stage pay is not active"]),
        ("done", ("the claim is chekced",), 2, ["did you mean the claim is checked?"]),
    ],
)
def test_what_makes_no_sense_is_told(
    claim: Claim, command: str, arguments: tuple[str, ...], code: int, told: list[str]
) -> None:
    claim.run(2)
    done = claim.ask(command, *arguments)
    assert (done.code, done.out) == (code, "")
    for text in told:
        assert text in done.err


def test_nothing_is_retried_before_set_up_or_after_the_end(claim: Claim) -> None:
    early = claim.ask("retry", "check")
    assert (early.code, "it is not set up yet" in early.err) == (1, True)
    claim.run(2)
    claim.ask("cancel")
    claim.run(1)
    for command, arguments in [("retry", ("check",)), ("pause", ()), ("resume", ())]:
        late = claim.ask(command, *arguments)
        assert (late.code, "GSM056" in late.err) == (1, True), command


def test_a_stranger_and_a_dead_server_are_told(claim: Claim, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = milepost(capsys, "pause", claim.iri + "t")
    assert (wrong.code, f"did you mean {claim.iri}?" in wrong.err) == (2, True)
    assert milepost(capsys, "pause", claim.live.base + "/nothing#it").code == 3
    assert milepost(capsys, "pause", "http://127.0.0.1:1/wf#it").code == 3
    assert milepost(capsys, "pause", "wf.ttl#it").code == 2
