"""Which milestones a guard waits for: those that its condition asks to be achieved, in text or in triple patterns."""

from collections.abc import Iterator

from agent.n3.iris import resolve
from agent.n3.sparql import expand, prefixes_of, tokens_of
from agent.rdf.terms import IRI, RDF_FIRST, RDF_NIL, RDF_REST, Literal, Term, document_of
from agent.reason.facts import Facts
from agent.schedulers import terms
from agent.vocab import AG, GSM, KNOWN_PREFIXES, SH, SP

_TEXTS = (IRI(AG + "ask"), IRI(GSM + "ask"), IRI(SP + "text"), IRI(SH + "ask"))
_LONGEST_TEXT = 10_000
_LONGEST_LIST = 1_000


def awaited_milestones(facts: Facts, condition: Term) -> Iterator[str]:
    """Yield the IRIs of the milestones that have to be achieved for ``condition``, as far as it says so."""
    base = document_of(condition.value) if isinstance(condition, IRI) else getattr(condition, "scope", "")
    for predicate in _TEXTS:
        for text in facts.objects(condition, predicate):
            if isinstance(text, Literal):
                yield from _in_text(text.lexical[:_LONGEST_TEXT], base)
    for pattern in _patterns(facts, condition):
        asked = terms.HAS_ACHIEVED in facts.objects(pattern, terms.SPIN_PREDICATE)
        for predicate in (terms.SPIN_OBJECT,) if asked else (terms.HAS_ACHIEVED,):
            yield from (o.value for o in facts.objects(pattern, predicate) if isinstance(o, IRI))


def _in_text(text: str, base: str) -> Iterator[str]:
    """Yield the objects of ``gsm:hasAchievedMilestone`` in a query."""
    tokens = tokens_of(text)
    prefixes = prefixes_of(tokens, base, KNOWN_PREFIXES)
    asks = False
    for token in tokens:
        iri = expand(token, prefixes) if token.kind == "name" else None
        if token.kind == "iri":
            iri = resolve(token.text[1:-1], base)
        if iri == terms.HAS_ACHIEVED.value:
            asks = True
        elif iri is not None and asks:
            yield iri
        elif token.kind == "other" and token.text != ",":
            asks = False


def _patterns(facts: Facts, condition: Term) -> Iterator[Term]:
    """Yield the triple patterns of a condition in SPIN form."""
    for head in facts.objects(condition, terms.SPIN_WHERE):
        cell: Term | None = head
        for _ in range(_LONGEST_LIST):
            if cell is None or cell == RDF_NIL:
                break
            yield from facts.objects(cell, RDF_FIRST)
            cell = facts.value(cell, RDF_REST)
