"""What is told about changes and members, as N-Triples in the words of Activity Streams."""

from collections.abc import Callable, Iterable

from ldp_server.feeds.since import MemberChange, Since
from ldp_server.paths import is_container
from ldp_server.representations import write_listing
from ldp_server.storage.changes import ChangeKind
from ldp_server.storage.port import Family, Record
from ldp_server.syntaxes import N_TRIPLES
from ldp_server.vocabulary import AS, FEED, RDF_TYPE

ACTIVITY = {ChangeKind.CREATED: "Create", ChangeKind.CHANGED: "Update", ChangeKind.REMOVED: "Delete"}

_INTEGER = "http://www.w3.org/2001/XMLSchema#integer"


def since_iri(container: str, number: int) -> str:
    """Return the IRI of what changed in the container of this IRI since ``number``."""
    return f"{container}?since={number}"


def tell_since(since: Since, base: str) -> bytes:
    """Return what changed as a page of activities, the latest last, and where to go on."""
    container = base + since.container
    page = since_iri(container, since.number)
    lines = [
        f"<{page}> <{RDF_TYPE}> <{AS}CollectionPage> .\n",
        f"<{page}> <{AS}partOf> <{container}> .\n",
        f"<{page}> <{AS}next> <{since_iri(container, since.sequence)}> .\n",
        _number(f"<{page}>", "sequence", since.sequence),
    ]
    lines += [f"<{page}> <{AS}items> _:c{place} .\n" for place in range(len(since.changes))]
    for place, change in enumerate(since.changes):
        lines += _activity(f"_:c{place}", change, base)
    return "".join(lines).encode()


def _activity(node: str, change: MemberChange, base: str) -> Iterable[str]:
    yield f"{node} <{RDF_TYPE}> <{AS}{ACTIVITY[change.kind]}> .\n"
    yield f"{node} <{AS}object> <{base}{change.path}> .\n"
    if change.kind is not ChangeKind.REMOVED:
        yield _number(node, "subtreeVersion" if change.is_subtree else "version", change.version)


def _number(subject: str, term: str, value: int) -> str:
    return f'{subject} <{FEED}{term}> "{value}"^^<{_INTEGER}> .\n'


def tell_family(
    family: Family, base: str, shown: Callable[[Record], bytes]
) -> tuple[bytes, list[tuple[str, bytes]]]:
    """Return what a container says with the versions of its members, and each member, a document as it is ``shown``."""
    container = base + family.container.path
    listed = [base + (record.describes or record.path) for record, _ in family.members]
    versions = [_number(f"<{base}{record.path}>", "version", record.version) for record, _ in family.members]
    own = write_listing(container, family.container.text, listed, N_TRIPLES)
    own += "".join([_number(f"<{container}>", "subtreeVersion", family.subtree), *versions]).encode()
    documents = []
    for record, below in family.members:
        iri = base + record.path
        if is_container(record.path):
            text = write_listing(iri, record.text, [base + path for path in below], N_TRIPLES)
        else:
            text = shown(record)
        documents.append((iri, text))
    return own, documents
