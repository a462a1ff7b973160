"""The shapes of models (ontology/shapes/gsm.ttl), validated by pyshacl; results get the places of statements.

The one module that imports pyshacl: it loads slowly, so this module is imported when something is checked. Graphs go in
parsed, imports and inference are off, nothing is fetched.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import pyshacl
import rdflib
from rdflib.namespace import DCTERMS, RDFS, SH

from agent.errors import Finding, Place
from agent.gsm.check.model import Model
from agent.gsm.check.terms import FIELD_NAME, FIELD_VALUE, LINKS, SOURCE
from agent.gsm.terms import DEPENDS_ON
from agent.n3.load import read_model
from agent.n3.program import Pattern
from agent.rdf.rdflib_terms import to_rdflib
from agent.rdf.terms import IRI, XSD_BOOLEAN, XSD_STRING, BlankNode, Literal, Term
from agent.resources import read_bundled

SHAPES = "ontology/shapes/gsm.ttl"
_OTHER_DATATYPE = rdflib.URIRef("urn:example:another-datatype")
_WRONG_KIND = "GSM014"
_NO_GUARD = "GSM015"
_FORM = re.compile(r"\bASK\b", re.IGNORECASE)
_BOOLEANS = frozenset({"true", "false", "1", "0"})


@cache
def _shapes() -> rdflib.Graph:
    graph = rdflib.Graph()
    for each in read_model(read_bundled(SHAPES), source=SHAPES, base="https://w3id.org/milepost/shapes/gsm"):
        subject, predicate, object_ = map(to_rdflib, each.triple)
        graph.add((subject, predicate, object_))
    return graph


def faults_of_shape(model: Model, circular: frozenset[Term] = frozenset()) -> Iterator[Finding]:
    """Yield the violations of shapes, but for elements that the documents do not describe.

    Stages in a circle (``circular``) are told about elsewhere; that they need a guard may be untrue of them.
    """
    return _Validation(model, circular).findings()


class _Validation:
    """One validation of ``model``."""

    def __init__(self, model: Model, circular: frozenset[Term]) -> None:
        self._model = model
        self._circular = circular
        self._terms: dict[rdflib.term.Node, Term] = {}
        self._said: dict[tuple[rdflib.term.Node, ...], list[Pattern]] = defaultdict(list)
        self._graph = rdflib.Graph()
        for each in model.statements:
            subject, predicate, object_ = (self._simple(term) for term in each.triple)
            self._graph.add((subject, predicate, object_))
            self._said[subject, predicate].append(each)
            self._said[subject, predicate, object_].append(each)

    def _simple(self, term: Term) -> rdflib.term.Node:
        """Return ``term`` for the graph; literals are told apart as far as shapes do, so odd ones do no harm."""
        match term:
            case IRI(value):
                node: rdflib.term.Node = rdflib.URIRef(value)
            case BlankNode(label, scope):
                node = rdflib.BNode(f"{label} {scope}")
            case Literal(lexical, datatype) if datatype == XSD_BOOLEAN and lexical in _BOOLEANS:
                node = rdflib.Literal(lexical, datatype=rdflib.XSD.boolean)
            case Literal(lexical, datatype) if datatype == XSD_STRING:
                node = rdflib.Literal(lexical)
            case _:
                node = rdflib.Literal(str(term), datatype=_OTHER_DATATYPE)
        self._terms.setdefault(node, term)
        return node

    def findings(self) -> Iterator[Finding]:
        """Yield one finding for each violation; what is said about elements of the wrong kind is left out."""
        _, report, _ = pyshacl.validate(
            self._graph,
            shacl_graph=_shapes(),
            inference="none",
            do_owl_imports=False,
            meta_shacl=False,
            advanced=False,
            inplace=True,
        )
        results = list(report.objects(None, SH.result))
        misplaced = {report.value(each, SH.focusNode) for each in results if self._is_misplaced(report, each)}
        for result in results:
            focus = report.value(result, SH.focusNode)
            if focus in misplaced and self._code(report, result) != _WRONG_KIND:
                continue
            finding = self._finding(report, result)
            if finding:
                yield finding

    def _code(self, report: rdflib.Graph, result: rdflib.term.Node) -> str:
        return str(_shapes().value(report.value(result, SH.sourceShape), DCTERMS.identifier))

    def _is_misplaced(self, report: rdflib.Graph, result: rdflib.term.Node) -> bool:
        """Tell whether a result is about a part that stands where only another kind of part can."""
        return self._code(report, result) == _WRONG_KIND and not isinstance(
            report.value(result, SH.resultPath), rdflib.URIRef
        )

    def _finding(self, report: rdflib.Graph, result: rdflib.term.Node) -> Finding | None:
        focus, path, value = (report.value(result, part) for part in (SH.focusNode, SH.resultPath, SH.value))
        node = self._terms.get(focus) if focus is not None else None
        if focus is None or node is None:
            return None
        message = str(report.value(result, SH.resultMessage))
        code = self._code(report, result)
        if self._is_misplaced(report, result):
            role = str(_shapes().value(report.value(result, SH.sourceShape), RDFS.label) or "")
            called = self._model.called(node, role) if role else self._called(node)
            place = self._place_of_use(node, role)
            return self._model.finding("error", code, f"{called} {message}", place, _advice(node))
        if not self._model.is_described(node) or (code == _NO_GUARD and node in self._circular):
            return None
        place = self._place(focus, path, value)
        return self._model.finding("error", code, f"{self._called(node)} {message}", place)

    def _place_of_use(self, node: Term, role: str) -> Place:
        """Return where something leads to ``node`` that cannot lead to a ``role``."""
        links = [link for link, (_, leads_to) in LINKS.items() if leads_to != role]
        uses = self._model.to(node, *links, SOURCE, DEPENDS_ON)
        return uses[0].place if uses else self._model.place_of(node)

    def _place(
        self, focus: rdflib.term.Node, path: rdflib.term.Node | None, value: rdflib.term.Node | None
    ) -> Place:
        """Return where the value stands, else the second of too many, else where the element is described."""
        if path is not None and value is not None and self._said.get((focus, path, value)):
            return self._said[focus, path, value][0].place
        several = self._said.get((focus, path), []) if path is not None else []
        return several[1].place if len(several) > 1 else self._model.place_of(self._terms[focus])

    def _called(self, node: Term) -> str:
        model = self._model
        if model.of(node, FIELD_NAME, FIELD_VALUE) and not model.roles[node]:
            return "a header field"
        if isinstance(node, Literal):
            return f'"{node.lexical[:40]}"'
        return model.called(node, role_of(model, node))


def _advice(node: Term) -> str:
    """Return what to write instead of ``node``, which stands where a part of a model belongs."""
    if not isinstance(node, Literal):
        return ""
    return 'write [ ag:ask "..." ]' if _FORM.search(node.lexical) else "write a name, or [ ... ]"


def role_of(model: Model, node: Term) -> str:
    """Return what ``node`` is, for people: by what leads to it, else by its own description."""
    return next(
        (role for link, (_, role) in LINKS.items() if model.to(node, link)),
        next(iter(sorted(model.roles[node])), "element"),
    )
