"""What others do meanwhile: somebody adds a label to one document, by requests that are not the agent's."""

import urllib.request
from collections.abc import Sequence
from random import Random

_TURTLE = "text/turtle"


class Others:
    """Somebody else who changes one of the documents below ``container`` now and then, as the ``seed`` chooses."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)  # noqa: S311  seeded chance is not cryptography
        self._changes = 0

    def change_one(self, documents: Sequence[str]) -> None:
        """Add a statement to one of ``documents``."""
        uri = self._chance.choice(sorted(documents))
        self._changes += 1
        label = f'<{uri}#it> <http://www.w3.org/2000/01/rdf-schema#label> "change {self._changes}" .\n'
        known = exchange("GET", uri, accept="application/n-triples")
        exchange("PUT", uri, known + label.encode())


def exchange(method: str, uri: str, body: bytes | None = None, *, accept: str = "") -> bytes:
    """Send one request and return the body of the answer; OSError if it is refused."""
    headers = {"Accept": accept} if accept else {}
    if body is not None:
        headers["Content-Type"] = _TURTLE
    request = urllib.request.Request(uri, data=body, method=method, headers=headers)  # noqa: S310  our own server
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  our own server
        content: bytes = answer.read()
    return content
