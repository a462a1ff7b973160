"""What a resource is, as far as its headers tell it."""

from enum import Enum

from ldp_server.paths import is_container
from ldp_server.storage.port import Record


class Kind(Enum):
    """The kinds of resources, and the absence of one; the value says it in words."""

    ABSENT = "nothing"
    DOCUMENT = "an RDF document"
    CONTAINER = "a container"
    BINARY = "a Non-RDF source"
    DESCRIPTION = "the RDF document about a Non-RDF source"


def kind_of(path: str, record: Record | None) -> Kind:
    """Return the kind of the resource at ``path`` in this state (None: it does not exist)."""
    if record is None:
        return Kind.ABSENT
    if record.binary is not None:
        return Kind.BINARY
    return Kind.DESCRIPTION if record.describes else kind_of_rdf(path)


def kind_of_rdf(path: str) -> Kind:
    """Return the kind of an RDF source that describes nothing else."""
    return Kind.CONTAINER if is_container(path) else Kind.DOCUMENT
