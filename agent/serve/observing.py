"""What the workflow instances say whose requests a scheduler orders: read again and again, at little cost."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeAlias

from msgspec import Struct

from agent.errors import ProgramError
from agent.fetch.answers import answer_from
from agent.rdf.answers import read_answer
from agent.rdf.documents import Content, Failed
from agent.rdf.terms import IRI, Triple, document_of
from agent.reason.facts import Facts
from agent.schedulers import terms
from agent.schedulers.descriptions import facts_of
from agent.serve.keeping import parse
from agent.settings import Settings
from agent.transport.client import Client, NoReplyError
from ldp_server import Store
from ldp_server.representations import write_listing
from ldp_server.syntaxes import N_TRIPLES

MOST_DOCUMENTS = 10_000
DEADLINE_S = 5.0
"""How long one look may take; what does not answer in time counts as it was."""
_FOLLOWED = (terms.IS_INSTANCE_OF, terms.GOVERNED_BY)
_ROUNDS = 3
"""From the instances to their models and agreements, and from a model to its agreement."""
_AT_A_TIME = 32


class Observation(Struct, frozen=True):
    """What the documents say, and a sentence for each that could not be read and counts as it was before."""

    facts: Facts
    faults: tuple[str, ...] = ()


Observe: TypeAlias = Callable[[tuple[str, ...]], Awaitable[Observation]]
"""Reads the documents in containers, and the models and agreements that these name."""


class _Document(Struct):
    """What is known of a document: its validator and triples; ``fault`` says why that may be old."""

    validator: str = ""
    triples: tuple[Triple, ...] = ()
    fault: str = ""


class Observer:
    """Reads containers: those of the server at ``base`` (no final slash) from its ``store``, others by HTTP.

    Documents are asked for with If-None-Match; hosts that nobody named must be public ones.
    """

    def __init__(self, store: Store, base: str) -> None:
        self._store = store
        self._base = base
        self._documents: dict[tuple[str, ...], dict[str, _Document]] = {}
        self._latest: dict[tuple[str, ...], tuple[object, Facts]] = {}
        self._slots = asyncio.Semaphore(_AT_A_TIME)
        self._client: Client | None = None

    async def __call__(self, containers: tuple[str, ...]) -> Observation:
        """Read ``containers`` now; see ``Observe``. Nothing that the world does makes this fail."""
        known: dict[str, _Document] = {}
        wanted = list(containers)
        await self._read_all(wanted, known, containers)
        members = [
            document_of(triple.object.value)
            for container in containers
            for triple in known[container].triples
            if triple.predicate == terms.CONTAINS and isinstance(triple.object, IRI)
        ]
        wanted = members[:MOST_DOCUMENTS]
        for _ in range(_ROUNDS):
            new = [uri for uri in dict.fromkeys(wanted) if uri not in known]
            await self._read_all(new, known, containers)
            wanted = list(_named_by(known[uri] for uri in new))[:MOST_DOCUMENTS]
        self._documents[containers] = known
        faults = tuple(document.fault for document in known.values() if document.fault)
        return Observation(self._facts(containers, known), faults)

    async def close(self) -> None:
        """Close connections."""
        if self._client is not None:
            await self._client.__aexit__(None, None, None)
            self._client = None

    def _facts(self, containers: tuple[str, ...], known: dict[str, _Document]) -> Facts:
        state = [(uri, document.triples) for uri, document in known.items()]
        if containers not in self._latest or self._latest[containers][0] != state:
            facts = facts_of(triple for _, triples in state for triple in triples)
            self._latest[containers] = state, facts
        return self._latest[containers][1]

    async def _read_all(
        self, uris: Iterable[str], known: dict[str, _Document], containers: tuple[str, ...]
    ) -> None:
        for uri in uris:
            known[uri] = self._documents.get(containers, {}).get(uri) or _Document()
        here = [uri for uri in uris if uri.startswith(self._base + "/")]
        for uri in here:
            await self._read_here(uri, known[uri])
        elsewhere = [uri for uri in uris if not uri.startswith(self._base + "/")]
        if elsewhere:
            await self._ask_all(elsewhere, known, containers)

    async def _read_here(self, uri: str, document: _Document) -> None:
        path = uri.removeprefix(self._base)
        record = await self._store.read(path)
        validator = "" if record is None else str(record.version)
        if record is not None and validator == document.validator:
            return
        document.validator, document.triples, document.fault = validator, (), ""
        listing = await self._store.read_listing(path)
        if listing is not None:
            members = [self._base + member for member in listing[1]]
            document.triples = parse(write_listing(uri, listing[0].text, members, N_TRIPLES), uri)
        elif record is not None:
            document.triples = parse(record.text, uri)

    async def _ask_all(
        self, uris: list[str], known: dict[str, _Document], containers: tuple[str, ...]
    ) -> None:
        if self._client is None:
            settings = Settings(request_timeout_s=DEADLINE_S, connect_timeout_s=DEADLINE_S / 2)
            self._client = await Client(settings).__aenter__()
        self._client.policy.name(*containers)
        asked = [asyncio.ensure_future(self._ask(self._client, uri, known[uri])) for uri in uris]
        _, late = await asyncio.wait(asked, timeout=DEADLINE_S)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def _ask(self, client: Client, uri: str, document: _Document) -> None:
        document.fault = f"{uri}: no answer within {DEADLINE_S:g} s"
        headers = (("If-None-Match", document.validator),) if document.validator else ()
        async with self._slots:
            try:
                reply = await client.get(uri, headers)
            except NoReplyError as error:
                document.fault = f"{uri}: {error.reason}"
                return
        if reply.status == 304:
            document.fault = ""
            return
        try:
            outcome = read_answer(answer_from(uri, reply))
        except ProgramError as error:
            outcome = Failed(uri, error.message)
        match outcome:
            case Failed(_, reason):
                document.fault = f"{uri}: {reason}"
            case Content(triples=triples, etag=etag):
                document.validator, document.triples, document.fault = etag, triples, ""
            case _:
                document.validator, document.triples, document.fault = "", (), ""


def _named_by(documents: Iterable[_Document]) -> Iterable[str]:
    return (
        document_of(triple.object.value)
        for document in documents
        for triple in document.triples
        if triple.predicate in _FOLLOWED and isinstance(triple.object, IRI)
    )
