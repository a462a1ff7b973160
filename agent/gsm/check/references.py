"""References between the parts of a model that lead nowhere; what was probably meant is checked on."""

from collections.abc import Iterator

from agent.errors import Finding, closest
from agent.gsm.check.model import Model
from agent.gsm.check.terms import LINKS, SOURCE
from agent.n3.program import Pattern
from agent.rdf.terms import IRI, Term, Triple, document_of

MAX_SUGGESTIONS = 50
"""References for which the nearest part is looked up; more are hardly slips of the pen."""

_NAME_ENDS = "#/:"


def without_dangling(model: Model) -> tuple[Model, list[Finding]]:
    """Return ``model`` with dangling references led to what was meant, and a finding for each of them."""
    findings: list[Finding] = []
    repaired: list[Pattern] = []
    for statement in model.statements:
        target = statement.triple.object
        roles = _roles(statement)
        if roles is None or not isinstance(target, IRI) or not _dangles(model, target, statement):
            repaired.append(statement)
            continue
        carrier, role = roles
        meant = nearest(model, target, role) if len(findings) < MAX_SUGGESTIONS else None
        message = (
            f"{model.called(statement.triple.subject, carrier)} points to {model.name(target)},"
            " which is defined nowhere"
        )
        place = statement.place
        findings.append(model.finding("error", "GSM012", message, place, hint_to(model, meant, place.source)))
        triple = Triple(statement.triple.subject, statement.triple.predicate, meant or target)
        repaired.append(Pattern(triple, statement.place, statement.left))
    if not findings:
        return model, []
    return model.with_statements(repaired), findings


def _roles(statement: Pattern) -> tuple[str, str] | None:
    if statement.triple.predicate == SOURCE:
        return "element", "source"
    return LINKS.get(statement.triple.predicate)


def _dangles(model: Model, target: IRI, statement: Pattern) -> bool:
    if model.is_described(target):
        return False
    if statement.triple.predicate == SOURCE and "#" not in target.value:
        return False
    return model.is_own(target.value)


def nearest(model: Model, target: IRI, role: str) -> IRI | None:
    """Return the part of ``model`` that ``target`` was probably meant to be: one of its role, else one of none."""
    described = [node for node in model.subjects() if isinstance(node, IRI)]
    for fitting in (
        {local_name(node.value): node for node in described if role in model.roles[node]},
        {local_name(node.value): node for node in described if not model.roles[node]},
    ):
        match = closest(local_name(target.value), fitting)
        if match is not None:
            return fitting[match]
    return None


def hint_to(model: Model, meant: Term | None, source: str) -> str:
    """Return the advice to use ``meant``, with the line of its description; ``source`` is where the reference is."""
    if meant is None:
        return "describe it, or correct its name"
    place = model.place_of(meant)
    where = f"line {place.line}" if place.source == source else f"{place.source}:{place.line}"
    return f"did you mean {model.name(meant)} ({where})?"


def local_name(iri: str) -> str:
    """Return the last part of ``iri``."""
    return iri[max(iri.rfind(end) for end in _NAME_ENDS) + 1 :]


def described_elsewhere(model: Model) -> Iterator[Finding]:
    """Yield a note for every part of the model that another document describes."""
    noted: set[Term] = set()
    for statement in model.with_predicate(*LINKS):
        target = statement.triple.object
        if isinstance(target, IRI) and target not in noted:
            if model.is_described(target) or model.is_own(target.value):
                continue
            noted.add(target)
            role = LINKS[statement.triple.predicate][1]
            message = (
                f"{role} {model.name(target)} is described in {document_of(target.value)}, not checked here"
            )
            yield model.finding("note", "GSM013", message, statement.place)
