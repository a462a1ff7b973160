"""Which milestones a guard waits for: those that its condition asks to be achieved, in text or in triple patterns."""

import re
from collections.abc import Iterator
from urllib.parse import urljoin

from agent.rdf.terms import IRI, RDF_FIRST, RDF_NIL, RDF_REST, Literal, Term, document_of
from agent.reason.facts import Facts
from agent.schedulers import terms
from agent.vocab import AG, GSM, KNOWN_PREFIXES, SH, SP

_TEXTS = (IRI(AG + "ask"), IRI(GSM + "ask"), IRI(SP + "text"), IRI(SH + "ask"))
_TOKEN = re.compile(
    r"""#[^\n]*|"{3}.*?"{3}|'{3}.*?'{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
    r"""|<([^<>\s]*)>|([A-Za-z][\w.-]*|):([\w.-]*[\w-])?|[;,.{}()\[\]]|[?$]?\w+""",
    re.DOTALL,
)
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
    prefixes = dict(KNOWN_PREFIXES)
    declared: str | None = None
    asks = False
    for token in _TOKEN.finditer(text):
        reference, prefix, name = token[1], token[2], token[3] or ""
        if declared is not None and reference is not None:
            prefixes[declared], declared = urljoin(base, reference), None
            continue
        if prefix is not None and not name and text[: token.start()].rstrip().lower().endswith("prefix"):
            declared = prefix
            continue
        iri = urljoin(base, reference) if reference is not None else None
        if prefix is not None and prefix in prefixes:
            iri = prefixes[prefix] + name
        if iri == terms.HAS_ACHIEVED.value:
            asks = True
        elif iri is not None and asks:
            yield iri
        elif token[0] in {";", ".", "}", "{"}:
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
