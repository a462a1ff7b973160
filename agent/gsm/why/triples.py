"""An explanation as RDF: an ag:Explanation, an activity of PROV-O that used documents."""

import re
from collections.abc import Iterator

from agent.gsm.why.explanation import Candidate, Check, Document, ElementView, Explanation, Part, SentryView
from agent.rdf.serialise import to_turtle
from agent.rdf.terms import (
    FALSE,
    IRI,
    RDF_TYPE,
    TRUE,
    XSD_BOOLEAN,
    XSD_DATETIME,
    XSD_DECIMAL,
    XSD_INTEGER,
    BlankNode,
    Literal,
    Term,
    Triple,
)
from agent.vocab import AG, HTTP, PROV, RDFS, XSD

PREFIXES = {"ag": AG, "prov": PROV, "rdfs": RDFS, "xsd": XSD, "http": HTTP}
_SCOPE = "explanation"
_WRITABLE = re.compile(r'[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>"{}|^`\\\ud800-\udfff]*')
_LABEL, _COMMENT = IRI(RDFS + "label"), IRI(RDFS + "comment")


def to_rdf(explanation: Explanation) -> str:
    """Return ``explanation`` as Turtle."""
    return to_turtle(_Describer().describe(explanation), PREFIXES)


class _Describer:
    """Describes one explanation; its nodes are blank and numbered."""

    def __init__(self) -> None:
        self._count = 0

    def describe(self, explanation: Explanation) -> list[Triple]:
        """Return all that is to be said."""
        node = self._node()
        return [
            Triple(node, RDF_TYPE, _ag("Explanation")),
            Triple(node, RDF_TYPE, IRI(PROV + "Activity")),
            Triple(node, _ag("explains"), _iri(explanation.instance)),
            Triple(node, IRI(PROV + "startedAtTime"), Literal(explanation.instant, XSD_DATETIME)),
            Triple(node, _ag("instanceStatus"), Literal(explanation.status)),
            *(Triple(node, _COMMENT, Literal(reason)) for reason in explanation.reasons),
            *(triple for element in explanation.elements for triple in self._element(node, element)),
            *(triple for document in explanation.documents for triple in self._document(node, document)),
        ]

    def _node(self) -> BlankNode:
        self._count += 1
        return BlankNode(f"n{self._count}", _SCOPE)

    def _element(self, above: Term, element: ElementView) -> Iterator[Triple]:
        node = self._node()
        yield Triple(above, _ag("hasPart"), node)
        yield from _named(node, element.iri, element.name, element.label)
        yield Triple(node, _ag("kind"), Literal(element.kind))
        yield Triple(node, _ag("state"), Literal(element.state))
        for text in (element.sentence, *element.notes):
            yield Triple(node, _COMMENT, Literal(text))
        for request in element.sends:
            yield Triple(node, _ag("wouldSend"), Literal(request))
        for check in element.checks:
            yield from self._check(node, check)

    def _check(self, above: Term, check: Check) -> Iterator[Triple]:
        node = self._node()
        yield Triple(above, _ag("hasPart"), node)
        yield from _named(node, check.iri, check.name, check.label)
        yield Triple(node, _ag("kind"), Literal(check.role))
        yield Triple(node, _ag("value"), Literal(check.value))
        yield Triple(node, _ag("isLatched"), TRUE if check.is_latched else FALSE)
        for sentry in check.sentries:
            yield from self._sentry(node, sentry)

    def _sentry(self, above: Term, sentry: SentryView) -> Iterator[Triple]:
        node = self._node()
        yield Triple(above, _ag("hasPart"), node)
        yield from _named(node, sentry.iri, sentry.name, sentry.label)
        yield Triple(node, _ag("kind"), Literal("sentry"))
        yield Triple(node, _ag("value"), Literal(sentry.value))
        for text in (sentry.reason, sentry.rule):
            if text:
                yield Triple(node, _COMMENT, Literal(text))
        for asked in sentry.asked:
            yield Triple(node, _ag("ask"), Literal(asked.text))
            for part in asked.parts:
                yield from self._part(node, part)

    def _part(self, above: Term, part: Part) -> Iterator[Triple]:
        node = self._node()
        yield Triple(above, _ag("hasPart"), node)
        yield Triple(node, _ag("number"), Literal(part.number))
        yield Triple(node, _ag("kind"), Literal(part.kind))
        yield Triple(node, _LABEL, Literal(part.text))
        for name, count in (("matches", part.matches), ("matchesBefore", part.before)):
            if count is not None:
                yield Triple(node, _ag(name), Literal(str(count), XSD_INTEGER))
        for name, holds in (("stops", part.stops), ("isBounded", part.is_bounded)):
            yield Triple(node, _ag(name), Literal(str(holds).lower(), XSD_BOOLEAN))
        for candidate in part.nearest:
            yield from self._candidate(node, candidate)
        for branch in part.branches:
            for inner in branch:
                yield from self._part(node, inner)

    def _candidate(self, above: Term, candidate: Candidate) -> Iterator[Triple]:
        node = self._node()
        yield Triple(above, _ag("nearMiss"), node)
        yield Triple(node, _LABEL, Literal(candidate.name))
        yield Triple(node, _ag("value"), Literal(candidate.value))
        for text in (candidate.remark, candidate.rule):
            if text:
                yield Triple(node, _COMMENT, Literal(text))
        if candidate.document:
            yield Triple(node, IRI(PROV + "wasDerivedFrom"), _iri(candidate.document))
        if candidate.age_s is not None:
            yield Triple(node, _ag("ageInSeconds"), _decimal(candidate.age_s))

    def _document(self, above: Term, document: Document) -> Iterator[Triple]:
        node, uri = self._node(), _iri(document.uri)
        yield Triple(above, IRI(PROV + "used"), uri)
        yield Triple(above, IRI(PROV + "qualifiedUsage"), node)
        yield Triple(node, RDF_TYPE, IRI(PROV + "Usage"))
        yield Triple(node, IRI(PROV + "entity"), uri)
        yield Triple(node, _ag("outcome"), Literal(document.outcome))
        yield Triple(node, _ag("ageInSeconds"), _decimal(document.age_s))
        if document.status is not None:
            yield Triple(node, IRI(HTTP + "statusCodeValue"), Literal(str(document.status), XSD_INTEGER))
        if document.reason:
            yield Triple(node, _COMMENT, Literal(document.reason))
        if document.etag:
            yield Triple(node, _ag("validator"), Literal(document.etag))


def _named(node: Term, iri: str, name: str, label: str) -> Iterator[Triple]:
    if iri:
        yield Triple(node, _ag("explains"), _iri(iri))
    for text in dict.fromkeys(text for text in (label or name,) if text):
        yield Triple(node, _LABEL, Literal(text))


def _ag(name: str) -> IRI:
    return IRI(AG + name)


def _iri(text: str) -> IRI | Literal:
    """Return ``text`` as an IRI, or as a text if no syntax could write it so."""
    return IRI(text) if _WRITABLE.fullmatch(text) else Literal(text)


def _decimal(number: float) -> Literal:
    return Literal(f"{number:.3f}", XSD_DECIMAL)
