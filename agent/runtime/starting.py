"""Starting a workflow: a new document in a container says that there is an instance of a model (ADR 0106).

The model is read once, strictly, so that a typing error is told now and not by an agent later. Nothing that exists is
ever overwritten.
"""

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from pathlib import PurePath
from urllib.parse import quote, urlsplit

from msgspec import Struct

from agent.decide.request import relative_to
from agent.errors import Place, ProgramError, UsageError, WorldError, did_you_mean
from agent.gsm.scope import STATUS
from agent.rdf.documents import Content, parse_document
from agent.rdf.serialise import body_turtle
from agent.rdf.terms import IRI, RDF_TYPE, XSD_DATETIME, Literal, Term, Triple, document_of
from agent.runtime.editing import TURTLE, refused, send
from agent.runtime.elements import local_name
from agent.runtime.files import expand, is_url, read_bytes
from agent.runtime.inputs import Retrieve
from agent.runtime.looking import read_outcome
from agent.runtime.targets import ancestors, instances_in, is_container
from agent.transport.addresses import percent_encoded
from agent.transport.client import Client, Reply
from agent.vocab import GSM, PROV, RDFS, THIS_BASE

IT = IRI(THIS_BASE + "#it")
STAGE_TYPES = frozenset(IRI(GSM + name) for name in ("Stage", "StageModel"))
DOWN = frozenset(IRI(GSM + name) for name in ("hasChildStage", "hasDescendantStage"))
UP = IRI(GSM + "hasAncestorStage")
OTHERWISE = frozenset({403, 404, 405, 409, 415, 501})
"""Answers of a container that takes no new documents, or not in this way."""
SHOWN = 6


class StartOrder(Struct, frozen=True):
    """What to start and where: ``root`` is the IRI of the model's root stage.

    ``instant`` is the xsd:dateTime of the start. ``container`` "": the nearest above the model that takes it. ``name``
    is the last segment of the new document's URI, "": the server chooses. ``facts`` are about ``IT``.
    """

    root: str
    instant: str
    container: str = ""
    name: str = ""
    label: str = ""
    facts: tuple[Triple, ...] = ()


def read_root(model: str, retrieve: Retrieve) -> str:
    """Return the IRI of the root stage that the URI ``model`` means.

    UsageError GSM050 if it has not exactly one, ProgramError if its document cannot be read strictly, WorldError if
    it does not come.
    """
    if not is_url(model):
        raise UsageError(
            "GSM050",
            f"{model} is no http or https URI",
            hint="Instances name their model by its URI, so put it on a server first.",
        )
    given = retrieve(model)
    try:
        document = parse_document(given.body, given.media_type, given.base, strict=True, source=model)
    except ProgramError as error:
        if error.code != "N3050":
            raise
        message = f"{model} cannot be read: {error.message}"
        hint = "Check the address: the server has no RDF there that can be read."
        raise WorldError("NET001", message, hint=hint) from None
    return find_root(model, document.uri, document.triples)


async def start(client: Client, order: StartOrder) -> str:
    """Create an instance and return its IRI.

    UsageError GSM051 if the name is taken, WorldError GSM052 if no container takes the document, NET001 and NET002 if
    something does not answer or refuses.
    """
    body = body_turtle(_said(order))
    slug = PurePath(urlsplit(order.root).path).stem or local_name(order.root)
    places = (
        [_folder(order.container)] if order.container else [c async for c in _containers(client, order.root)]
    )
    refusal: tuple[str, Reply] | None = None
    for place in places:
        reply = await _put_into(client, place, order.name, slug, body)
        if 200 <= reply.status < 300:
            return f"{reply.location() or reply.uri}#it"
        if reply.status not in OTHERWISE:
            raise refused("a new document in", place, reply)
        refusal = refusal or (place, reply)
    if refusal is None:
        raise WorldError(
            "GSM052",
            f"no container lies above {document_of(order.root)}",
            hint="Name one with --in CONTAINER.",
        )
    raise WorldError(
        "GSM052",
        f"{refusal[0]} takes no new document: the server answered {refusal[1].status}",
        hint="Name a container with --in CONTAINER.",
    )


def find_root(uri: str, document: str, triples: Sequence[Triple]) -> str:
    """Return the IRI of the root stage that ``uri``, a stage or its document, means; UsageError GSM050."""
    stages = {stage: None for stage in _stages(triples) if document_of(stage) == document}
    above = dict(_nesting(triples))
    fragment = uri.partition("#")[2]
    wanted = f"{document}#{fragment}" if fragment else document
    if wanted in stages:
        if wanted in above:
            raise UsageError(
                "GSM050", f"{wanted} is no root: it is inside {above[wanted]}", hint=_top(wanted, above)
            )
        return wanted
    if fragment:
        raise _not_a_stage(wanted, stages, triples)
    roots = sorted(stage for stage in stages if stage not in above)
    if len(roots) == 1:
        return roots[0]
    if roots:
        more = f"\n... and {len(roots) - SHOWN} more" if len(roots) > SHOWN else ""
        hint = "Give one of them:\n" + "\n".join(roots[:SHOWN]) + more
        raise UsageError("GSM050", f"{document} has {len(roots)} root stages", hint=hint)
    raise _not_a_stage(document, stages, triples)


def read_start_facts(names: Iterable[str], retrieve: Retrieve) -> tuple[Triple, ...]:
    """Return what the RDF files, globs and URLs ``names`` say, read strictly; ``<#it>`` in them is the new instance.

    Relative references in files mean what they would mean in the new document. ProgramError GSM053 if one says what
    only the lifecycle says.
    """
    found: list[Triple] = []
    for name in expand(names):
        if is_url(name):
            given = retrieve(name)
            read = parse_document(given.body, given.media_type, given.base, strict=True, source=name)
        else:
            base = THIS_BASE + quote(PurePath(name).name)
            read = parse_document(read_bytes(name), "", base, strict=True, source=name)
        found += relative_to(read.uri, read.triples)
        for triple in read.triples:
            if isinstance(triple.predicate, IRI) and triple.predicate.value in STATUS:
                raise ProgramError(
                    "GSM053",
                    f"{local_name(triple.predicate.value)} is for the agent to say",
                    place=Place(name),
                )
    return tuple(found)


def _said(order: StartOrder) -> Iterator[Triple]:
    yield Triple(IT, RDF_TYPE, IRI(GSM + "ArtifactInstance"))
    yield Triple(IT, IRI(GSM + "isInstanceOf"), IRI(order.root))
    yield Triple(IT, IRI(GSM + "hasState"), IRI(GSM + "uninitialized"))
    yield Triple(IT, IRI(PROV + "startedAtTime"), Literal(order.instant, XSD_DATETIME))
    if order.label:
        yield Triple(IT, IRI(RDFS + "label"), Literal(order.label))
    yield from order.facts


def _stages(triples: Iterable[Triple]) -> Iterator[str]:
    """Yield the stages that a document mentions."""
    for subject, predicate, value in triples:
        if predicate == RDF_TYPE and value in STAGE_TYPES:
            yield from _iris(subject)
        elif predicate in DOWN or predicate == UP:
            yield from _iris(subject, value)


def _nesting(triples: Iterable[Triple]) -> Iterator[tuple[str, str]]:
    """Yield each stage that is inside another, and one that it is inside of."""
    for subject, predicate, value in triples:
        inside, outside = (value, subject) if predicate in DOWN else (subject, value)
        if (predicate in DOWN or predicate == UP) and isinstance(inside, IRI) and isinstance(outside, IRI):
            yield inside.value, outside.value


def _iris(*terms: Term) -> Iterator[str]:
    yield from (term.value for term in terms if isinstance(term, IRI))


def _top(stage: str, above: dict[str, str]) -> str:
    """Return a question for the outermost stage around ``stage``; a circle has none."""
    seen = {stage}
    while stage in above and above[stage] not in seen:
        stage = above[stage]
        seen.add(stage)
    return "Its stages are inside one another in a circle." if stage in above else f"did you mean {stage}?"


def _not_a_stage(uri: str, stages: Iterable[str], triples: Sequence[Triple]) -> UsageError:
    if uri in instances_in(triples):
        return UsageError(
            "GSM050", f"{uri} is an instance, not a model", hint=f"It is executed by milepost run {uri}"
        )
    hint = did_you_mean(uri, stages) or "A model is a gsm:Stage with the stages that it nests."
    return UsageError("GSM050", f"{uri} is no root stage of a model", hint=hint)


def _folder(uri: str) -> str:
    return uri if uri.endswith("/") else f"{uri}/"


async def _containers(client: Client, root: str) -> AsyncIterator[str]:
    """Yield the containers above a model, the nearest first."""
    for ancestor in ancestors(document_of(root)):
        outcome = await read_outcome(client, ancestor)
        if isinstance(outcome, Content) and is_container(outcome, ancestor):
            yield ancestor


async def _put_into(client: Client, place: str, name: str, slug: str, body: bytes) -> Reply:
    """Create the document in the container ``place``; UsageError GSM051 if the name is taken."""
    kind = ("Content-Type", TURTLE)
    if not name:
        return await send(client, "POST", place, (kind, ("Slug", slug)), body)
    uri = place + percent_encoded(name)
    reply = await send(client, "PUT", uri, (kind, ("If-None-Match", "*")), body)
    if reply.status == 412:
        raise UsageError("GSM051", f"there is a document {uri} already", hint="Choose another --name.")
    return reply
