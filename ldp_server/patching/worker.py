"""The process that carries out updates with all of SPARQL: a script that knows nothing of the server.

It reads requests from its input and writes answers, each as JSON after its length in four octets. A request has ``base``,
``update``, ``lines`` (the document as N-Triples) and ``seconds`` of processor time; an answer has the lines ``deleted`` and
``inserted``, or the ``error`` in the update. An update can take for ever, and the engine cannot be stopped but with its
process, so a timer of processor time ends that. Nothing in it opens a file or a connection: the process may not open anything when it reads the first request.
It ends with its input, and when it was idle for a minute.
"""

import json
import resource
import signal
import sys
from collections.abc import Mapping, Sequence
from typing import BinaryIO

from pyoxigraph import DefaultGraph, NamedNode, Quad, RdfFormat, Store, Triple, parse

_IDLE_S = 60
_MEMORY = 1 << 30
_STANDARD_STREAMS = 3


def main() -> None:
    """Answer requests until there are no more."""
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    resource.setrlimit(resource.RLIMIT_NOFILE, (_STANDARD_STREAMS, _STANDARD_STREAMS))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.alarm(_IDLE_S)
    while head := requests.read(4):
        request = json.loads(requests.read(int.from_bytes(head, "big")))
        signal.alarm(0)
        signal.setitimer(signal.ITIMER_PROF, request["seconds"])
        answer = carry_out(request["base"], request["update"], request["lines"])
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(_IDLE_S)
        _write(answers, answer)


def _write(answers: BinaryIO, answer: Mapping[str, object]) -> None:
    text = json.dumps(answer).encode()
    answers.write(len(text).to_bytes(4, "big") + text)
    answers.flush()


def carry_out(base: str, update: str, lines: Sequence[str]) -> dict[str, list[str] | str]:
    """Return what an update deletes and inserts.

    The store rewrites some literals (``01`` becomes ``1``), so lines are known by what the store makes of them, and those
    that the update leaves alone are not told.
    """
    stored = _as_stored(lines)
    store = Store()
    store.extend(Quad(triple.subject, triple.predicate, triple.object) for triple in set(stored))
    try:
        store.update(update, base_iri=base)
    except (SyntaxError, OSError, RuntimeError, ValueError) as error:
        return {"error": str(getattr(error, "msg", None) or error)}
    after = {quad.triple for quad in store.quads_for_pattern(None, None, None, DefaultGraph())}
    before = set(stored)
    return {
        "deleted": [line for line, triple in zip(lines, stored, strict=True) if triple not in after],
        "inserted": [f"{triple} ." for triple in after if triple not in before],
    }


def _as_stored(lines: Sequence[str]) -> list[Triple]:
    """Return the triples of lines as a store gives them back, in the same order."""
    store = Store()
    for number, quad in enumerate(parse("\n".join(lines), RdfFormat.N_TRIPLES)):
        store.add(Quad(quad.subject, quad.predicate, quad.object, NamedNode(f"urn:line:{number}")))
    numbered = {quad.graph_name: quad.triple for quad in store}
    return [numbered[NamedNode(f"urn:line:{number}")] for number in range(len(lines))]


if __name__ == "__main__":
    main()
