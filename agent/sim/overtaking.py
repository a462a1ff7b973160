"""Which claims went before older ones, and why: read from the scheduler's decisions like anybody could."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from agent.rdf.terms import IRI, Literal, Term
from agent.reason.facts import Facts
from agent.schedulers import terms
from agent.schedulers.descriptions import facts_of
from agent.sim.claim_files import ClaimFiles
from agent.vocab import SCHED


class Candidate(Struct, frozen=True):
    """A request that could be let through: its entry in the queue, what its delay would cost, why it was not chosen."""

    entry: str
    score: float
    because: str = ""


class Judgement(Struct, frozen=True):
    """One decision of a scheduler, made at the instant ``at``; ``candidates`` include the selected one."""

    at: str
    selected: str
    candidates: tuple[Candidate, ...]


class Overtaking(Struct, frozen=True):
    """At the instant ``at``, ``first`` was let through before ``second``, which had waited longer."""

    at: str
    first: str
    second: str
    cost_of_first: float
    cost_of_second: float

    def __str__(self) -> str:
        """Return the sentence that tells it."""
        return (
            f"{self.at[11:23]}  {self.first} before {self.second}:"
            f" a delay would cost {self.cost_of_first:g} against {self.cost_of_second:g}"
        )


def read_judgement(facts: Facts, decision: str) -> Judgement:
    """Return the decision that ``facts`` say of the IRI ``decision``."""
    about = IRI(decision)
    candidates = [
        Candidate(
            _text(facts.value(node, terms.CANDIDATE)),
            float(_text(facts.value(node, terms.SCORE)) or 0),
            _text(facts.value(node, terms.REJECTED_BECAUSE)).removeprefix(SCHED),
        )
        for node in facts.objects(about, terms.ALTERNATIVE)
    ]
    return Judgement(
        _text(facts.value(about, terms.STARTED)),
        _text(facts.value(about, terms.SELECTED)),
        tuple(sorted(candidates, key=lambda one: (-one.score, one.entry))),
    )


async def read_judgements(files: ClaimFiles, scheduler: str) -> list[Judgement]:
    """Return the decisions of the scheduler at the URI ``scheduler``, the earliest first."""
    container = f"{scheduler}decisions/"
    listing = await _read(files, container)
    members = [_text(member) for member in listing.objects(IRI(container), terms.CONTAINS)]
    # Decisions are numbered.
    numbered = sorted(members, key=lambda member: (len(member), member))
    return [read_judgement(await _read(files, member), member) for member in numbered]


async def overtakings(files: ClaimFiles, scheduler: str, name_of: Mapping[str, str]) -> list[Overtaking]:
    """Return which claims went before older ones; ``name_of`` says what the claim of an instance is called.

    Of the older ones that a decision passed over, the one that had waited longest is named.
    """
    requests: dict[str, tuple[str, str]] = {}
    told: list[Overtaking] = []
    for judgement in await read_judgements(files, scheduler):
        for candidate in judgement.candidates:
            if candidate.entry not in requests:
                facts, entry = await _read(files, candidate.entry), IRI(candidate.entry)
                instance = _text(facts.value(entry, terms.FOR_INSTANCE))
                requests[candidate.entry] = (
                    _text(facts.value(entry, terms.CREATED)),
                    name_of.get(instance, instance),
                )
        told.extend(_overtaking(judgement, requests))
    return told


def _overtaking(judgement: Judgement, requests: Mapping[str, tuple[str, str]]) -> Iterator[Overtaking]:
    """Yield the claim that ``judgement`` preferred to an older one, if it did; ``requests``: since when, for which."""
    cost = {candidate.entry: candidate.score for candidate in judgement.candidates}
    since, first = requests[judgement.selected]
    older = [
        (requests[candidate.entry], candidate.score)
        for candidate in judgement.candidates
        if candidate.because == "LowerScore" and requests[candidate.entry][0] < since
    ]
    if older:
        (_, second), score = min(older)
        yield Overtaking(judgement.at, first, second, cost[judgement.selected], score)


async def _read(files: ClaimFiles, uri: str) -> Facts:
    triples, _ = await files.read(uri)
    return facts_of(triples)


def _text(term: Term | None) -> str:
    match term:
        case IRI(text) | Literal(text):
            return text
        case _:
            return ""
