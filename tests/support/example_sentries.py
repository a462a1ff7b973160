"""The questions of the models in rules/examples."""

from collections.abc import Iterator

from agent.gsm.question import Question
from agent.gsm.sentry import read_sentry
from agent.gsm.terms import ASK
from agent.rdf.documents import parse_document
from agent.reason.facts import Facts
from tests.support.documents import CHECKOUT


def example_questions() -> Iterator[Question]:
    """Yield every question that a sentry of an example asks."""
    for path in sorted((CHECKOUT / "rules" / "examples").rglob("*.ttl")):
        facts = Facts()
        uri = f"http://w/{path.name}"
        for triple in parse_document(path.read_bytes(), "text/turtle", uri, strict=True).triples:
            facts.add(triple)
        for subject in sorted({triple.subject for triple in facts.match(None, ASK, None)}, key=repr):
            yield from read_sentry(facts, subject).questions
