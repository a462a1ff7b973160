"""The advice fits the answer: a server that refuses runs, and one that asks for credentials gets no other advice."""

import pytest

from agent.rdf.documents import Failed, Gone
from agent.runtime.advice import advice_on, unreadable

URI = "http://example.org/d"


@pytest.mark.parametrize(("status", "words"), [(401, "MILEPOST_CREDENTIALS"), (403, "access"), (500, "log")])
def test_the_advice_on_a_refusal_names_what_can_be_done(status: int, words: str) -> None:
    error = unreadable(Failed(URI, f"the server answered {status}", status))

    assert words in advice_on(status)
    assert (error.code, error.hint) == ("NET001", advice_on(status))


def test_only_a_server_that_said_nothing_may_be_down() -> None:
    assert "server is running" in unreadable(Failed(URI, "refused")).hint
    assert "no RDF" in unreadable(Failed(URI, "text/html is no RDF syntax", 200)).hint
    assert unreadable(Gone(URI, 404)).hint == advice_on(404)
