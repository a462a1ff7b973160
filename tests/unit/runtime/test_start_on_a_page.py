"""A page of a site is no model: starting it is told like any other document that cannot be read."""

import pytest

from agent.errors import WorldError
from agent.runtime.inputs import Retrieved
from agent.runtime.starting import read_root

URI = "http://example.org/page"


def test_a_model_that_comes_as_html_is_a_fault_of_the_world() -> None:
    with pytest.raises(WorldError) as raised:
        read_root(URI, lambda _: Retrieved(URI, "text/html", b"<html></html>"))

    assert (raised.value.code, raised.value.exit_code) == ("NET001", 3)
    assert raised.value.message == f"{URI} cannot be read: text/html is no RDF syntax"
    assert "no RDF" in raised.value.hint
