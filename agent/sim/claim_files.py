"""The files of the insurance: one document per claim, read and written over HTTP like any other resource.

A service is told which process instance it works for. The instance says which claim it concerns, and what the service
has found out goes into the document of that claim, beside what others have written there.
"""

from collections.abc import Iterable, Mapping

from aiohttp import ClientSession

from agent.errors import WorldError
from agent.rdf.documents import parse_document
from agent.rdf.serialise import to_turtle
from agent.rdf.terms import IRI, Triple, document_of
from agent.vocab import XSD

INS = "http://insurance.example/vocab#"
CONCERNS = IRI(INS + "concerns")
TURTLE = "text/turtle"
ATTEMPTS = 20
"""How often a result is offered to a document that others keep changing."""


class ClaimFiles:
    """The claims behind the process instances that ``session`` can reach."""

    def __init__(self, session: ClientSession) -> None:
        self._session = session

    async def claim_of(self, instance: str) -> str | None:
        """Return the IRI of the claim that ``instance`` concerns, or None if its document does not tell."""
        triples, _ = await self.read(instance)
        return next(
            (
                triple.object.value
                for triple in triples
                if (triple.subject, triple.predicate) == (IRI(instance), CONCERNS)
                and isinstance(triple.object, IRI)
            ),
            None,
        )

    async def read(self, uri: str) -> tuple[tuple[Triple, ...], str]:
        """Return what the document of ``uri`` says and its validator; nothing and "" if it cannot be read."""
        async with self._session.get(document_of(uri), headers={"Accept": TURTLE}) as answer:
            if answer.status != 200:
                return (), ""
            body = await answer.read()
            said = parse_document(body, answer.content_type, document_of(uri), strict=True)
            return said.triples, answer.headers.get("ETag", "")

    async def put(self, uri: str, body: str, **headers: str) -> None:
        """Write the Turtle text ``body`` to ``uri``; WorldError NET001 if it is refused."""
        status = await self._put(uri, body, headers)
        if status >= 300:
            raise _refused(uri, status)

    async def add(self, claim: str, results: Iterable[Triple]) -> None:
        """Write ``results`` into the document of ``claim``, beside what is there; WorldError NET001 if it is refused."""
        found = tuple(results)
        status = 412
        for _ in range(ATTEMPTS):
            known, tag = await self.read(claim)
            body = to_turtle(dict.fromkeys((*known, *found)), {"ins": INS, "xsd": XSD})
            status = await self._put(claim, body, {"If-Match": tag} if tag else {})
            if status != 412:
                break
        if status >= 300:
            raise _refused(claim, status)

    async def _put(self, uri: str, body: str, headers: Mapping[str, str]) -> int:
        fields = {"Content-Type": TURTLE, **headers}
        async with self._session.put(document_of(uri), data=body.encode(), headers=fields) as answer:
            return answer.status


def _refused(uri: str, status: int) -> WorldError:
    return WorldError("NET001", f"PUT {document_of(uri)} was refused with status {status}")
