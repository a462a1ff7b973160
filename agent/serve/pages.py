"""The pages of schedulers that tell more than what is stored: what waits, in which order, and what was seen last."""

from collections.abc import Iterable, Iterator, Mapping

from agent.rdf.serialise import to_ntriples
from agent.rdf.terms import IRI, RDF_TYPE, XSD_DATETIME, XSD_INTEGER, Literal, Triple
from agent.schedulers import terms
from agent.schedulers.descriptions import decimal
from agent.schedulers.entries import place_triples
from agent.schedulers.proxy import Place
from agent.serve.places import Addresses
from agent.vocab import LDP, SCHED

LAST_ADAPTATION = IRI(SCHED + "lastAdaptation")
ADAPTATION_OUTCOME = IRI(SCHED + "adaptationOutcome")
MANAGED = frozenset({terms.POLICY, terms.QUEUE, terms.DECISIONS, LAST_ADAPTATION, ADAPTATION_OUTCOME})
"""What the server itself says of a scheduler, whatever a description says."""
_CONTAINER_TYPES = ("BasicContainer", "Container", "RDFSource")


def scheduler_page(at: Addresses, own: bytes, adapted: tuple[str, str] | None) -> bytes:
    """Return the page of a scheduler: its description ``own``, its resources, its last look at the instances.

    ``adapted`` is the instant of that look and what came of it.
    """
    it, parts = IRI(at.it), (at.policy, at.queue, at.decisions)
    triples = [*_container(at.iri(at.home), map(at.iri, parts))]
    triples += [
        Triple(it, predicate, IRI(at.iri(part)))
        for predicate, part in zip((terms.POLICY, terms.QUEUE, terms.DECISIONS), parts, strict=True)
    ]
    if adapted is not None:
        triples.append(Triple(it, LAST_ADAPTATION, Literal(adapted[0], XSD_DATETIME)))
        triples.append(Triple(it, ADAPTATION_OUTCOME, Literal(adapted[1])))
    return own + to_ntriples(triples).encode()


def queue_page(at: Addresses, statuses: Mapping[str, str], places: Mapping[str, Place]) -> bytes:
    """Return the page of a queue: its entries by key with their statuses, and where the waiting ones stand."""
    queue = at.iri(at.queue)
    lines = [to_ntriples([*_container(queue, ()), Triple(IRI(queue), RDF_TYPE, terms.REQUEST_QUEUE)])]
    for key, status in statuses.items():
        entry = f"<{queue}{key}>"
        lines.append(f"<{queue}> <{LDP}contains> {entry} .\n{entry} <{SCHED}status> <{SCHED}{status}> .\n")
        place = places.get(key)
        if place is not None:
            score = decimal(place.score)
            lines.append(
                f'{entry} <{terms.RANK.value}> "{place.rank}"^^<{XSD_INTEGER}> .\n'
                f'{entry} <{terms.SCORE.value}> "{score.lexical}"^^<{score.datatype}> .\n'
            )
    return "".join(lines).encode()


def entry_page(at: Addresses, own: bytes, place: Place) -> bytes:
    """Return the page of a waiting entry: its document ``own``, and where it stands."""
    entry = IRI(at.iri(at.queue + place.key))
    return own + to_ntriples(place_triples(entry, place.rank, place.score)).encode()


def _container(iri: str, members: Iterable[str]) -> Iterator[Triple]:
    here = IRI(iri)
    yield from (Triple(here, RDF_TYPE, IRI(LDP + kind)) for kind in _CONTAINER_TYPES)
    yield from (Triple(here, terms.CONTAINS, IRI(member)) for member in members)
