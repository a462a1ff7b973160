"""Programs as Notation3 that reads back to the same facts and rules."""

from collections.abc import Iterable

from agent.n3.document import statements_of
from agent.n3.program import (
    IMPLIES,
    IS_IMPLIED_BY,
    DerivationRule,
    Inconsistency,
    Pattern,
    Program,
    RequestRule,
    RequestTemplate,
)
from agent.n3.write import Writer
from agent.rdf.terms import FALSE, IRI, BlankNode, Formula, ListTerm, Triple
from agent.vocab import AG, HTTP


def write_program(program: Program) -> str:
    """Return ``program`` as Notation3: its facts and its rules, kind by kind.

    Reading it gives the same program but for the names of rules, variables that stood for blank nodes, and labels of
    blank nodes.
    """
    writer = Writer(program.prefixes)
    texts = [statements_of(writer, program.facts)]
    texts += [_rule(writer, rule, _triples(rule.head)) for rule in program.derivations]
    texts += [_rule(writer, rule, _described(rule.requests)) for rule in program.requests]
    texts += [_backward(writer, rule) for rule in program.backward]
    texts += [_inconsistency(writer, rule) for rule in program.inconsistencies]
    return writer.head_of_used() + "".join(texts)


def _rule(writer: Writer, rule: DerivationRule | RequestRule, head: Iterable[Triple]) -> str:
    return statements_of(writer, [Triple(_formula(rule.body), IMPLIES, Formula(tuple(head)))])


def _backward(writer: Writer, rule: DerivationRule) -> str:
    return statements_of(writer, [Triple(_formula(rule.head), IS_IMPLIED_BY, _formula(rule.body))])


def _inconsistency(writer: Writer, rule: Inconsistency) -> str:
    return statements_of(writer, [Triple(_formula(rule.body), IMPLIES, FALSE)])


def _formula(patterns: Iterable[Pattern]) -> Formula:
    return Formula(tuple(_triples(patterns)))


def _triples(patterns: Iterable[Pattern]) -> list[Triple]:
    return [pattern.triple for pattern in patterns]


def _described(templates: Iterable[RequestTemplate]) -> list[Triple]:
    """Return the triples of a head that ask for ``templates``."""
    triples: list[Triple] = []
    for template in templates:
        node = template.node
        pairs = [
            (HTTP + "mthd", template.method),
            (HTTP + "requestURI", template.uri),
            (HTTP + "body", template.body),
            (AG + "likeRequest", template.like),
        ]
        triples += [Triple(node, IRI(iri), value) for iri, value in pairs if value is not None]
        triples += [Triple(node, predicate, value) for predicate, value in template.annotations]
        triples += _header_triples(template)
    return triples


def _header_triples(template: RequestTemplate) -> list[Triple]:
    nodes = [BlankNode(f"field{number}", repr(template.node)) for number in range(len(template.headers))]
    triples = [Triple(template.node, IRI(HTTP + "headers"), ListTerm(tuple(nodes)))] if nodes else []
    for node, (name, value) in zip(nodes, template.headers, strict=True):
        triples += [
            Triple(node, IRI(HTTP + "fieldName"), name),
            Triple(node, IRI(HTTP + "fieldValue"), value),
        ]
    return triples
