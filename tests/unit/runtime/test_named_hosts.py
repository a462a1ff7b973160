"""The hosts that the user named: by the program, and through instances and their models."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from agent.n3.load import read_program
from agent.rdf.documents import Content, Outcome, parse_document
from agent.rdf.terms import Triple
from agent.reason.facts import Facts
from agent.reason.incremental.dispatch import Fact
from agent.runtime.hosts import VouchingWorkflows, uris_of
from agent.runtime.workflows import SentryValue
from agent.transport.policy import Policy

PROGRAM = """\
@prefix http: <http://www.w3.org/2011/http#> .
@prefix m: <http://www.w3.org/2011/http-methods#> .
<#fact> <http://facts.test/p> <http://object.test/o> .
{ ?x <http://body.test/p> ( <http://list.test/l> ) } => { ?x a <http://head.test/C> } .
{ [] http:mthd m:PUT ; http:requestURI <http://target.test/r> ; http:body { <#it> <http://payload.test/p> 1 } } .
"""


class EverythingCounts:
    """Workflows that admit whatever a document says; ``admitted`` are the documents in order."""

    protected: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.admitted: list[str] = []

    def admit(self, content: Content) -> tuple[tuple[Triple, ...], int]:
        self.admitted.append(content.uri)
        return content.triples, 0

    def sources(self, facts: Facts) -> Iterable[str]:
        return ()

    def conclude(
        self, facts: Facts, outcomes: Mapping[str, Outcome], instant: str
    ) -> tuple[list[Triple], Sequence[SentryValue]]:
        return [], ()

    def keep(self, facts: Facts) -> "NothingFollows":
        return NothingFollows()


class NothingFollows:
    """Conclusions of nothing."""

    def conclude(
        self, outcomes: Mapping[str, Outcome], instant: str, gained: Collection[Fact], lost: Collection[Fact]
    ) -> tuple[list[Triple], Sequence[SentryValue]]:
        return [], ()

    def reads(self) -> frozenset[str] | None:
        return frozenset()


def content(uri: str, turtle: str) -> Content:
    return Content(uri, uri, parse_document(turtle.encode(), "text/turtle", uri, strict=True).triples, "", "")


def named(policy: Policy, *hosts: str) -> list[str]:
    return [host for host in hosts if policy.is_named(host)]


def test_a_program_names_the_hosts_in_its_facts_rules_and_requests() -> None:
    program = read_program(PROGRAM, source="p.n3", base="http://base.test/p")

    hosts = {uri.split("/")[2] for uri in uris_of(program)}

    assert hosts >= {
        f"{name}.test" for name in ("facts", "object", "body", "list", "head", "target", "payload")
    }


def test_an_instance_vouches_for_its_model_and_both_name_their_hosts_also_inside_queries() -> None:
    policy = Policy()
    workflows = VouchingWorkflows(EverythingCounts(), policy, ["http://h/wf"])

    workflows.admit(
        content("http://h/wf", "<#it> <http://purl.org/gsm/vocab#isInstanceOf> <http://model.test/m#root> .")
    )
    workflows.admit(
        content("http://model.test/m", '<#g> <http://x/ask> "ASK { <http://sensor.test/s> ?p ?o }" .')
    )
    workflows.admit(content("http://sensor.test/s", "<#it> <http://x/next> <http://private.test/> ."))

    assert named(policy, "model.test", "sensor.test", "private.test") == ["model.test", "sensor.test"]


def test_a_stranger_does_not_vouch_for_a_model_by_speaking_about_an_instance() -> None:
    policy = Policy()
    workflows = VouchingWorkflows(EverythingCounts(), policy, ["http://h/wf"])

    workflows.admit(
        content(
            "http://stranger.test/page",
            "<http://h/wf#it> <http://purl.org/gsm/vocab#isInstanceOf> <http://private.test/m> .",
        )
    )

    assert named(policy, "private.test") == []


def test_a_document_that_is_unchanged_is_admitted_once_and_again_when_it_has_changed() -> None:
    counting = EverythingCounts()
    workflows = VouchingWorkflows(counting, Policy(), [])
    page = content("http://h/a", "<#it> <http://x/p> 1 .")
    changed = content("http://h/a", "<#it> <http://x/p> 2 .")

    results = []
    for each in (page, page, changed, changed):
        results.append(workflows.admit(each))
        workflows.conclude(Facts(), {}, "")

    assert counting.admitted == ["http://h/a"] * 2
    assert results == [(page.triples, 0)] * 2 + [(changed.triples, 0)] * 2
    assert (results[0][0] is results[1][0], results[2][0] is results[3][0]) == (True, True)


def test_what_no_step_has_read_for_long_is_admitted_anew() -> None:
    counting = EverythingCounts()
    workflows = VouchingWorkflows(counting, Policy(), [])
    page = content("http://h/a", "<#it> <http://x/p> 1 .")

    workflows.admit(page)
    for _ in range(2):
        workflows.conclude(Facts(), {}, "")
    workflows.admit(page)

    assert counting.admitted == ["http://h/a"] * 2


def test_an_unchanged_document_names_its_hosts_as_soon_as_somebody_vouches_for_it() -> None:
    policy = Policy()
    workflows = VouchingWorkflows(EverythingCounts(), policy, ["http://h/wf"])
    model = content("http://model.test/m", '<#g> <http://x/ask> "ASK { <http://sensor.test/s> ?p ?o }" .')

    workflows.admit(model)
    before = named(policy, "sensor.test")
    workflows.conclude(Facts(), {}, "")
    workflows.admit(
        content("http://h/wf", "<#it> <http://purl.org/gsm/vocab#isInstanceOf> <http://model.test/m#root> .")
    )
    workflows.admit(model)

    assert (before, named(policy, "sensor.test")) == ([], ["sensor.test"])
