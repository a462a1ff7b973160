"""What the URIs that a user named are: workflow instances, with their containers, or containers of instances.

The container of an instance is what it says itself (``ag:container``), else the nearest ancestor path that is a
container listing its document, else the one that the user named (ADR 0014).
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from urllib.parse import urlsplit, urlunsplit

from msgspec import Struct

from agent.errors import UsageError, WorldError
from agent.rdf.documents import Content, Outcome
from agent.rdf.terms import IRI, RDF_TYPE, Triple, document_of
from agent.runtime.advice import unreadable
from agent.settings import origin_of
from agent.transport.addresses import percent_encoded
from agent.vocab import AG, GSM, LDP

Read = Callable[[str], Awaitable[Outcome]]
"""Reads a document by its URI, without a fragment."""

INSTANCE = IRI(GSM + "ArtifactInstance")
IS_INSTANCE_OF = IRI(GSM + "isInstanceOf")
OWN_CONTAINER = IRI(AG + "container")
CONTAINS = IRI(LDP + "contains")
CONTAINER_TYPES = frozenset(IRI(LDP + name) for name in ("Container", "BasicContainer", "DirectContainer"))


class Targets(Struct, frozen=True):
    """What a run is on: ``instances`` by IRI with the container of their elements, and whole ``containers``."""

    instances: Mapping[str, str]
    containers: tuple[str, ...]


async def find_targets(uris: Sequence[str], read: Read, container: str = "") -> Targets:
    """Return what ``uris`` are; ``container`` is for instances of which nothing tells theirs.

    WorldError NET001, NET002 if a document cannot be read, NET003 if the container of an instance is unknown;
    UsageError USE005 if one is neither an instance nor a container, or no http or https URI.
    """
    for uri in uris:
        check_uri(uri, "The file of a program is given with -p, one of facts with -i.")
    if container:
        check_uri(container, "It is what --container names.")
    instances: dict[str, str] = {}
    containers: list[str] = []
    for uri in uris:
        content = await _read(document_of(uri), read)
        known = list(instances_in(content.triples))
        # Most servers call by its percent-encoded URI what a user may call by an IRI (RFC 3987, section 3.1).
        for name in (uri, percent_encoded(uri)):
            if is_container(content, name):
                containers.append(name)
                break
            if name in known:
                instances[name] = await _container_of(name, content, read, container)
                break
        else:
            raise UsageError(
                "USE005", f"{uri} is neither a workflow instance nor a container", hint=_hint(known)
            )
    return Targets(instances, tuple(dict.fromkeys(containers)))


def check_uri(uri: str, hint: str) -> None:
    """Raise UsageError USE005 if ``uri`` is no http or https URI."""
    try:
        origin_of(uri)
    except ValueError:
        raise UsageError("USE005", f'"{uri}" is no http or https URI', hint=hint) from None


async def _read(document: str, read: Read) -> Content:
    outcome = await read(document)
    if isinstance(outcome, Content):
        return outcome
    raise unreadable(outcome)


def is_container(content: Content, uri: str) -> bool:
    """Tell whether a document says that ``uri`` is a container."""
    return uri.endswith("/") and any(
        triple.subject == IRI(uri)
        and (
            triple.predicate == CONTAINS
            or (triple.predicate == RDF_TYPE and triple.object in CONTAINER_TYPES)
        )
        for triple in content.triples
    )


def instances_in(triples: Sequence[Triple]) -> Iterator[str]:
    """Yield the IRIs of the workflow instances that a document describes."""
    for subject, predicate, object_ in triples:
        if isinstance(subject, IRI) and (
            predicate == IS_INSTANCE_OF or (predicate == RDF_TYPE and object_ == INSTANCE)
        ):
            yield subject.value


async def _container_of(instance: str, content: Content, read: Read, named: str) -> str:
    for subject, predicate, object_ in content.triples:
        if subject == IRI(instance) and predicate == OWN_CONTAINER and isinstance(object_, IRI):
            return object_.value
    document = document_of(instance)
    for ancestor in ancestors(document):
        outcome = await read(ancestor)
        if isinstance(outcome, Content) and Triple(IRI(ancestor), CONTAINS, IRI(document)) in outcome.triples:
            return ancestor
    if named:
        return named if named.endswith("/") else f"{named}/"
    raise WorldError(
        "NET003",
        f"no container lists {document}",
        hint="Name the container of its stages and milestones with --container.",
    )


def ancestors(document: str) -> Iterator[str]:
    """Yield the URIs of the folders above ``document``, nearest first."""
    scheme, authority, path, _, _ = urlsplit(document)
    while path.strip("/"):
        path = path.rstrip("/").rpartition("/")[0] + "/"
        yield urlunsplit((scheme, authority, path, "", ""))


def _hint(known: Sequence[str]) -> str:
    if known:
        return f"did you mean {known[0]}?"
    return "The URI of an instance has a fragment, such as #it; that of a container ends in a slash."
