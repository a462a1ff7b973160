"""A server of ours in a process of its own, and its documents as a client meets them."""

import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

from tests.support.command_line import start_milepost
from tests.support.recorded import PREFIXES


@dataclass(frozen=True, slots=True)
class Live:
    """A running server; in what is put, BASE stands for its origin ``base``."""

    base: str

    def put(self, path: str, turtle: str) -> None:
        """Store Turtle at ``path``."""
        body = (PREFIXES + turtle.replace("BASE", self.base)).encode()
        headers = {"Content-Type": "text/turtle"}
        request = urllib.request.Request(self.base + path, data=body, method="PUT", headers=headers)
        with urllib.request.urlopen(request, timeout=30):
            pass

    def get(self, uri: str) -> frozenset[ox.Triple]:
        """Return what the document of ``uri`` says; relative URIs start at the origin."""
        uri = uri if uri.startswith("http") else self.base + uri
        request = urllib.request.Request(uri.partition("#")[0], headers={"Accept": "application/n-triples"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return frozenset(quad.triple for quad in ox.parse(answer.read(), format=ox.RdfFormat.N_TRIPLES))

    def values(self, uri: str, predicate: str) -> list[str]:
        """Return the values that the document of ``uri`` gives ``uri`` for a property, sorted."""
        return sorted(
            text_of(triple.object)
            for triple in self.get(uri)
            if triple.subject == ox.NamedNode(uri) and triple.predicate.value.endswith(predicate)
        )

    def elements(self, container: str) -> dict[str, str]:
        """Return the IRI of each stage and milestone in a container, by local name in its model."""
        found = {}
        for triple in self.get(container):
            if triple.predicate.value.endswith("#contains"):
                for inner in self.get(text_of(triple.object)):
                    if inner.predicate.value.endswith("#isInstanceOf"):
                        found[text_of(inner.object).rpartition("#")[2]] = text_of(inner.subject)
        return found

    def status(self, container: str) -> dict[str, str]:
        """Return state or achievement of each stage and milestone in a container, by local name in its model."""
        return {
            name: (self.values(iri, "#hasState") + self.values(iri, "#isAchieved"))[0].rpartition("#")[2]
            for name, iri in self.elements(container).items()
        }


def text_of(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> str:
    """Return the IRI, the text or the label of a term."""
    assert not isinstance(term, ox.Triple)
    return term.value


@contextmanager
def live_server(folder: Path) -> Iterator[Live]:
    """Serve an empty container in memory, in a process of its own."""
    server = start_milepost("serve", "--memory", "--port", "0", cwd=folder)
    try:
        assert server.stdout
        yield Live(server.stdout.readline().split()[1].rstrip(",").rstrip("/"))
    finally:
        server.kill()
        server.communicate()
