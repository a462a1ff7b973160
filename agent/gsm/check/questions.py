"""What is wrong with what sentries ask: where they look, whether their forms agree, whether they can hold."""

import re
from collections.abc import Iterable, Iterator

from agent.errors import Finding
from agent.gsm.check.asked import Asked
from agent.gsm.check.graph import StageGraph
from agent.gsm.check.model import Model
from agent.gsm.check.sentries import CheckedSentry, Form, SentryReader
from agent.gsm.check.terms import (
    HAS_ACHIEVING,
    HAS_CONDITION,
    HAS_GUARD,
    HAS_INVALIDATING,
    HAS_MILESTONE,
    SOURCE,
)
from agent.gsm.check.texts import inside
from agent.gsm.check.witness import WitnessSearch
from agent.gsm.question import THIS_VARIABLE
from agent.gsm.terms import DEPENDS_ON, SPARQL_SOURCE, THIS_INSTANCE
from agent.n3.sparql import expand, tokens_of
from agent.rdf.terms import (
    IRI,
    RDF_FIRST,
    RDF_NIL,
    RDF_TYPE,
    XSD_DATETIME,
    BlankNode,
    Literal,
    Term,
    Triple,
    Variable,
    document_of,
)

_THIS = Variable("this")
_NUMBER = re.compile(r"""(["'])\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*\1""")
_ORDERS = frozenset("<>")
_ZONE = re.compile(r"(?:Z|[+-]\d\d:\d\d)[\"']+\Z")


def faults_of_sentries(
    model: Model, graph: StageGraph, reader: SentryReader, search: WitnessSearch
) -> Iterator[Finding]:
    """Yield what is wrong with the sentries that the model uses."""
    for sentry in reader.used:
        for form in sentry.forms:
            yield from _time_without_zone(model, sentry, form)
            yield from _number_as_text(model, sentry, form)
        for form in (*sentry.forms, *sentry.texts):
            yield from form.findings
        yield from _differing(model, sentry)
        if sentry.is_sound:
            yield from _without_source(model, graph, sentry)
            yield from _narrowed(model, sentry)
            yield from _never_holding(model, sentry, search)


def faults_of_sources(model: Model) -> Iterator[Finding]:
    """Yield the values of ag:source and ag:dependsOn that stand for no document."""
    for statement in model.with_predicate(SOURCE, DEPENDS_ON):
        source = statement.triple.object
        is_endpoint = SPARQL_SOURCE in model.objects(source, RDF_TYPE)
        if source == RDF_NIL or (isinstance(source, BlankNode) and not is_endpoint):
            what = "a list" if source == RDF_NIL or model.of(source, RDF_FIRST) else "a node without a name"
            message = f"{what} is no document that can be read"
            hint = "name documents between < and >, several with commas, or describe an ag:SparqlSource"
            yield model.finding("error", "GSM014", message, statement.place, hint)


def _differing(model: Model, sentry: CheckedSentry) -> Iterator[Finding]:
    first, *others = (*sentry.forms, *sentry.texts) or (None,)
    for other in others:
        if first and first.asked and other.asked and _meaning(first.asked) != _meaning(other.asked):
            name = model.called(sentry.node, "sentry")
            message = f"{name} says different things in two forms (the other is on line {first.statement.place.line})"
            yield model.finding("warning", "GSM028", message, other.statement.places[1], "keep one of them")


def _meaning(asked: Asked) -> tuple[frozenset[object], frozenset[Triple], frozenset[Term]]:
    return frozenset(map(frozenset, asked.alternatives)), asked.mentioned, asked.constants


def documents_read(model: Model, sentry: CheckedSentry) -> dict[str, Term]:
    """Return the documents that the questions of ``sentry`` name or that it has as source, with what names them."""
    found: dict[str, Term] = {}
    for form in sentry.forms:
        for triple in sorted(form.asked.mentioned if form.asked else (), key=str):
            if isinstance(triple.subject, IRI) and triple.subject != THIS_INSTANCE:
                found.setdefault(document_of(triple.subject.value), triple.subject)
    for source in model.objects(sentry.node, SOURCE):
        if isinstance(source, IRI):
            found.setdefault(document_of(source.value), source)
    return found


def stages_of(model: Model, sentry: Term) -> list[Term]:
    """Return the stages that use ``sentry`` in a guard or a milestone."""
    carriers = model.to(sentry, HAS_CONDITION, HAS_ACHIEVING, HAS_INVALIDATING)
    links = [each for link in carriers for each in model.to(link.triple.subject, HAS_GUARD, HAS_MILESTONE)]
    return list(dict.fromkeys(each.triple.subject for each in links))


def _without_source(model: Model, graph: StageGraph, sentry: CheckedSentry) -> Iterator[Finding]:
    if not all(form.asked for form in sentry.forms):
        return
    unread = any(_reads_unnamed(form.asked.mentioned) for form in sentry.forms if form.asked)
    if not unread or documents_read(model, sentry) or model.of(sentry.node, DEPENDS_ON):
        return
    stages = stages_of(model, sentry.node)
    around = [*stages, *(above for stage in stages for above in graph.above(stage))]
    if any(model.of(stage, SOURCE) for stage in around):
        return
    message = f"{model.called(sentry.node, 'sentry')} asks about data, but nothing says where to read them"
    hint = "name a document or a container with ag:source on it, or on a stage"
    if any(_THIS in each for form in sentry.forms if form.asked for each in form.asked.mentioned):
        hint = f"?this can be anything; the instance that asks is ?{THIS_VARIABLE}"
    yield model.finding("warning", "GSM025", message, sentry.forms[0].statement.places[0], hint)


def _reads_unnamed(patterns: Iterable[Triple]) -> bool:
    """Tell whether a pattern is about something that neither a name nor the instance leads to."""
    patterns = list(patterns)
    told = {each.object for each in patterns if each.subject == THIS_INSTANCE}
    return any(each.subject != THIS_INSTANCE and each.subject not in told for each in patterns)


def _narrowed(model: Model, sentry: CheckedSentry) -> Iterator[Finding]:
    narrowing = model.of(sentry.node, DEPENDS_ON)
    named = {
        document_of(each.triple.object.value) for each in narrowing if isinstance(each.triple.object, IRI)
    }
    left_out = [
        term
        for document, term in documents_read(model, sentry).items()
        if document not in named and term not in model.objects(sentry.node, DEPENDS_ON)
    ]
    if narrowing and left_out:
        shown = ", ".join(f"<{document_of(each.value)}>" for each in left_out[:3] if isinstance(each, IRI))
        message = f"{model.called(sentry.node, 'sentry')} reads {shown}, which its ag:dependsOn leaves out"
        hint = "name it too: a failure there would look like an absence"
        yield model.finding("warning", "GSM029", message, narrowing[0].places[1], hint)


def _never_holding(model: Model, sentry: CheckedSentry, search: WitnessSearch) -> Iterator[Finding]:
    results = [search.search(question, one_value=False) for question in sentry.questions]
    if results and all(each.is_certain and each.example is None for each in results):
        message = f"{model.called(sentry.node, 'sentry')} can never hold: what it asks contradicts itself"
        place = sentry.forms[0].statement.places[0]
        yield model.finding("error", "GSM018", message, place, "look at the constants in its filters")


def _time_without_zone(model: Model, sentry: CheckedSentry, form: Form) -> Iterator[Finding]:
    text = form.statement.triple.object
    if form.question is None or not form.question.reads_time or not isinstance(text, Literal):
        return
    tokens = [token for token in tokens_of(text.lexical) if token.kind != "space"]
    for string, *between, datatype in zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False):
        iri = expand(datatype, form.question.prefixes) if datatype.kind == "name" else datatype.text[1:-1]
        is_time = string.kind == "string" and [each.text for each in between] == ["^", "^"]
        if is_time and iri == XSD_DATETIME and not _ZONE.search(string.text):
            source = model.sources[form.statement.place.source]
            place = inside(source, form.statement.place, string.start, len(string.text))
            message = f"{model.called(sentry.node, 'sentry')} compares NOW() with a time without a time zone"
            hint = "add one, for example Z: without it times that are near cannot be compared"
            yield model.finding("warning", "GSM038", message, place, hint)


def _number_as_text(model: Model, sentry: CheckedSentry, form: Form) -> Iterator[Finding]:
    """Yield a warning for each number in quotes that something is ordered against: texts have another order."""
    text = form.statement.triple.object
    if form.question is None or not isinstance(text, Literal):
        return
    tokens = [token for token in tokens_of(text.lexical) if token.kind != "space"]
    for index, token in enumerate(tokens):
        if token.kind != "string" or not _NUMBER.fullmatch(token.text):
            continue
        before = [each.text for each in tokens[max(index - 2, 0) : index]]
        after = [each.text for each in tokens[index + 1 : index + 2]]
        signs = before[-1:] if before[-1:] != ["="] else before[:1]
        if after in (["^"], ["@"]) or _ORDERS.isdisjoint((*signs, *after)):
            continue
        source = model.sources[form.statement.place.source]
        place = inside(source, form.statement.place, token.start, len(token.text))
        message = (
            f"{model.called(sentry.node, 'sentry')} compares with {token.text}, which is a text, not a number"
        )
        hint = f"write {token.text.strip(token.text[0]).strip()} without quotation marks: a number and a text have no order"
        yield model.finding("warning", "GSM036", message, place, hint)
