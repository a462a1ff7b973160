"""What schedulers keep in the store of the server: descriptions, policies, entries, decisions, as RDF documents."""

import hashlib
from collections.abc import Iterable, Sequence

from msgspec import Struct

from agent.errors import ProgramError
from agent.rdf.documents import parse_document
from agent.rdf.notation import term_text
from agent.rdf.terms import IRI, Triple
from agent.reason.facts import Facts
from agent.schedulers.decision import Decision
from agent.schedulers.descriptions import facts_of, policy_triples
from agent.schedulers.entries import Entry, decision_triples, entry_triples, read_entry
from agent.schedulers.policy import Policy
from agent.serve.places import Addresses
from ldp_server import Page, Problem, Store
from ldp_server.documents import Draft
from ldp_server.refusals import problem_of
from ldp_server.storage.port import Committed, Delete, Outcome, Put, Record, Refusal, Write
from ldp_server.validators import NO_PRECONDITION, Precondition

N_TRIPLES = "application/n-triples"


def parse(text: bytes, iri: str) -> tuple[Triple, ...]:
    """Return the triples of the N-Triples ``text`` of the document ``iri``."""
    return parse_document(text, N_TRIPLES, iri, strict=True).triples


def draft_of(triples: Iterable[Triple]) -> Draft:
    """Return the document that says ``triples``, which are ours: no terms but those of plain RDF."""
    lines = (f"{term_text(s)} {term_text(p)} {term_text(o)} .\n" for s, p, o in triples)
    return Draft(("".join(lines).encode(),))


def page_of(text: bytes) -> Page:
    """Return a page whose version follows from its text."""
    return Page(text, (int.from_bytes(hashlib.sha256(text).digest()[:7]) | 1))


def unprocessable(error: ProgramError) -> Problem:
    """Return the answer to a body that is RDF and does not say what it has to."""
    hint = f" {error.hint}" if error.hint else ""
    return Problem(error.code, f"{error.message.rstrip('.')}.{hint}", status=422)


class Kept(Struct, frozen=True):
    """A document as it was found: what it says and the version of it."""

    facts: Facts
    version: int


class Keeper:
    """The documents of one scheduler in ``store``."""

    def __init__(self, store: Store, addresses: Addresses) -> None:
        self.store = store
        self.at = addresses

    async def read(self, path: str) -> Kept | None:
        """Return the document at ``path``, None if there is none; ProgramError if it cannot be read."""
        record = await self.store.read(path)
        return None if record is None else self._kept(record)

    async def members(self, container: str) -> list[str]:
        """Return the last segments of the members of ``container``."""
        listing = await self.store.read_listing(container)
        return [] if listing is None else [path.removeprefix(container) for path in listing[1]]

    async def entry(self, key: str) -> tuple[Entry, int]:
        """Return an entry and the version of its document; ProgramError if it is none."""
        path = self.at.queue + key
        kept = await self.read(path)
        if kept is None:
            raise ProgramError("SCH007", f"{self.at.iri(path)} is gone")
        return read_entry(kept.facts, IRI(self.at.iri(path))), kept.version

    async def commit(self, *writes: Write) -> list[Outcome]:
        """Do ``writes`` at once."""
        return await self.store.commit(writes)

    async def must(self, *writes: Write) -> list[Committed]:
        """Do ``writes``, or tell the client the first one that was refused."""
        done: list[Committed] = []
        for outcome in await self.commit(*writes):
            if isinstance(outcome, Refusal):
                raise problem_of(outcome, self.at.base)
            done.append(outcome)
        return done

    def entry_write(self, key: str, entry: Entry, precondition: Precondition = NO_PRECONDITION) -> Put:
        """Return the write that makes ``entry`` what its document says."""
        path = self.at.queue + key
        return Put(path, draft_of(entry_triples(IRI(self.at.iri(path)), entry)), precondition)

    def decision_writes(
        self, number: int, decision: Decision, instant: str, policy_version: int, oldest: int
    ) -> Sequence[Write]:
        """Return the writes that keep a decision and forget the one ``oldest`` before it (0: none)."""
        path = f"{self.at.decisions}{number}"
        plan = f"{self.at.iri(self.at.policy)}#version-{policy_version}"
        told = decision_triples(
            IRI(self.at.iri(path)),
            decision,
            queue=self.at.iri(self.at.queue),
            scheduler=self.at.it,
            policy=plan,
            instant=instant,
        )
        put = Put(path, draft_of([*told, *policy_triples(IRI(plan), decision.policy)]))
        return (put, Delete(f"{self.at.decisions}{oldest}")) if oldest else (put,)

    def policy_write(self, policy: Policy) -> Put:
        """Return the write that makes ``policy`` the policy of the scheduler."""
        it = IRI(self.at.iri(self.at.policy) + "#it")
        return Put(self.at.policy, draft_of(policy_triples(it, policy)))

    def _kept(self, record: Record) -> Kept:
        return Kept(facts_of(parse(record.text, self.at.iri(record.path))), record.version)
