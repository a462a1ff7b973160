"""Sentries as they stand in memory: their text forms as questions, their SPIN form as far as rules evaluate it.

Forms: ``ag:ask``, ``gsm:ask``, ``sp:text`` and ``sh:ask`` hold SPARQL text. ``sp:where`` lists triple patterns
(paper section 5); without variables the rules evaluate them, with variables they become a question here. A sentry
may carry ``sr:boolean true`` instead. Several forms on one sentry are alternatives.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from agent.gsm.question import THIS_VARIABLE, Question, read_question
from agent.gsm.terms import (
    ASK,
    BOOLEAN,
    CONSTRUCT,
    DEPENDS_ON,
    ENDPOINT,
    GSM_ASK,
    IN_ARTIFACT_INSTANCE,
    SHACL_ASK,
    SHACL_DECLARE,
    SHACL_NAMESPACE,
    SHACL_PREFIX,
    SHACL_PREFIXES,
    SPARQL_SOURCE,
    SPIN_OBJECT,
    SPIN_PREDICATE,
    SPIN_SUBJECT,
    SPIN_TEXT,
    SPIN_VARIABLE,
    SPIN_WHERE,
    THIS_INSTANCE,
)
from agent.rdf.endpoints import construct_uri
from agent.rdf.notation import term_text
from agent.rdf.terms import (
    IRI,
    RDF_FIRST,
    RDF_NIL,
    RDF_REST,
    RDF_TYPE,
    TRUE,
    BlankNode,
    Literal,
    Term,
    Triple,
    document_of,
)
from agent.reason.facts import Facts

_VARIABLE = re.compile(r"\w+", re.ASCII)
_TEXTS = (ASK, GSM_ASK, SHACL_ASK)
READ_OF_SENTRIES = (
    *(*_TEXTS, SPIN_TEXT, SPIN_WHERE, SPIN_SUBJECT, SPIN_PREDICATE, SPIN_OBJECT, SPIN_VARIABLE),
    *(SHACL_PREFIXES, SHACL_DECLARE, SHACL_PREFIX, SHACL_NAMESPACE, RDF_FIRST, RDF_REST, RDF_TYPE),
    *(BOOLEAN, DEPENDS_ON, ENDPOINT, CONSTRUCT, IN_ARTIFACT_INSTANCE),
)
"""The predicates that sentries are read from, but for the questions of status on a pattern, which name no document."""


class Sentry(Struct, frozen=True):
    """One sentry. ``questions`` are its texts, ``by_rules`` tells whether rules evaluate a form of it.

    ``fault`` says why no form of it can be evaluated, or is empty; ``depends_on`` are the documents that the author
    says it depends on, if any.
    """

    node: Term
    questions: tuple[Question, ...]
    by_rules: bool
    fault: str
    depends_on: frozenset[str]

    @property
    def name(self) -> str:
        """Return what people call it: its IRI, or its text on one line."""
        if isinstance(self.node, IRI):
            return self.node.value
        texts = [" ".join(question.text.split()) for question in self.questions]
        return texts[0] if texts else f"a sentry without a name in {getattr(self.node, 'scope', '')}"

    @property
    def negates(self) -> bool:
        """Whether more data can make it false."""
        return any(question.negates for question in self.questions)

    @property
    def reads_time(self) -> bool:
        """Whether it depends on the instant of the step."""
        return any(question.reads_time for question in self.questions)

    @property
    def sources(self) -> frozenset[str]:
        """Return the documents that its texts name, and those that it is said to depend on, as far as they exist."""
        named = self.depends_on.union(*(question.sources for question in self.questions))
        return frozenset(uri for uri in named if uri.startswith(("http://", "https://")))


def read_sentry(facts: Facts, node: Term) -> Sentry:
    """Return the sentry ``node`` as it stands in memory."""
    base = document_of(node.value) if isinstance(node, IRI) else getattr(node, "scope", "")
    prefixes = _prefixes(facts, node)
    lists = list(facts.objects(node, SPIN_WHERE))
    texts = {_text(value) for predicate in _TEXTS for value in facts.objects(node, predicate)}
    if not lists:
        texts |= {_text(value) for value in facts.objects(node, SPIN_TEXT)}
    by_rules = Triple(node, BOOLEAN, TRUE) in facts
    faults: list[str] = []
    for head in lists:
        try:
            text = _Spin(facts, head).text()
        except ValueError as error:
            faults.append(str(error))
            continue
        by_rules |= not text
        texts.add(text)
    questions = tuple(
        read_question(text, base, prefixes) for text in sorted(texts - {None, ""}, key=str) if text
    )
    faults += [question.fault for question in questions if question.fault]
    usable = tuple(question for question in questions if not question.fault)
    depends_on = frozenset[str]().union(*(documents_of(facts, d) for d in facts.objects(node, DEPENDS_ON)))
    return Sentry(node, usable, by_rules, "; ".join(faults), depends_on)


def spin_text(facts: Facts, head: Term) -> str:
    """Return the list of patterns ``head`` as SPARQL, if rules evaluate it and not a question; ValueError if broken."""
    return _Spin(facts, head).full_text()


def documents_of(facts: Facts, source: Term) -> frozenset[str]:
    """Return the documents that ``source`` stands for: itself, or the answers of the endpoint that it describes.

    What stands for none comes out under a name that no document has: it can never be known.
    """
    found: frozenset[str] = frozenset()
    if Triple(source, RDF_TYPE, SPARQL_SOURCE) in facts:
        found = frozenset(
            construct_uri(endpoint.value, query.lexical)
            for endpoint in facts.objects(source, ENDPOINT)
            for query in facts.objects(source, CONSTRUCT)
            if isinstance(endpoint, IRI) and isinstance(query, Literal)
        )
    elif isinstance(source, IRI):
        found = frozenset([document_of(source.value)])
    return found or frozenset(
        [f"a source that is neither a document nor a query to an endpoint: {term_text(source)}"]
    )


def _text(value: Term) -> str | None:
    return value.lexical if isinstance(value, Literal) else None


def _prefixes(facts: Facts, node: Term) -> tuple[tuple[str, str], ...]:
    """Return the prefixes that ``sh:prefixes`` gives to a sentry, sorted."""
    return tuple(
        sorted(
            (prefix.lexical, namespace.lexical)
            for group in facts.objects(node, SHACL_PREFIXES)
            for declaration in facts.objects(group, SHACL_DECLARE)
            for prefix in facts.objects(declaration, SHACL_PREFIX)
            for namespace in facts.objects(declaration, SHACL_NAMESPACE)
            if isinstance(prefix, Literal) and isinstance(namespace, Literal)
        )
    )


class _Spin:
    """A list of triple patterns: text if it has variables, nothing if the rules can evaluate it."""

    def __init__(self, facts: Facts, head: Term) -> None:
        self._facts = facts
        self._head = head
        self._has_variables = False

    def text(self) -> str:
        """Return the list as SPARQL if it has variables, else ""; ValueError naming what is not understood."""
        patterns = [self._pattern(element) for element in self._elements()]
        return f"ASK {{ {' '.join(patterns)} }}" if self._has_variables else ""

    def full_text(self) -> str:
        """Return the list as SPARQL if the rules evaluate it, with what they found to hold, else ""; ValueError too."""
        patterns = [self._pattern(element, in_full=True) for element in self._elements()]
        return "" if self._has_variables else f"ASK {{ {' '.join(patterns)} }}"

    def _elements(self) -> Iterator[Term]:
        seen: set[Term] = set()
        cell = self._head
        while cell != RDF_NIL:
            first, rest = self._facts.value(cell, RDF_FIRST), self._facts.value(cell, RDF_REST)
            if cell in seen or first is None or rest is None:
                raise ValueError("the list of sp:where is broken: it does not come to its end")
            seen.add(cell)
            yield first
            cell = rest

    def _pattern(self, element: Term, *, in_full: bool = False) -> str:
        is_known = Triple(element, BOOLEAN, TRUE) in self._facts
        if is_known and not (in_full and self._facts.value(element, SPIN_SUBJECT)):
            return ""
        if Triple(element, IN_ARTIFACT_INSTANCE, THIS_INSTANCE) in self._facts:
            return " ".join(self._questions_of_status(element))
        parts = [self._facts.value(element, p) for p in (SPIN_SUBJECT, SPIN_PREDICATE, SPIN_OBJECT)]
        if any(part is None for part in parts):
            raise ValueError(
                "sp:where holds something else than triple patterns; write the sentry with ag:ask"
            )
        return " ".join(self._term(part) for part in parts if part is not None) + " ."

    def _questions_of_status(self, element: Term) -> Iterator[str]:
        for triple in self._facts.match(element, None, None):
            if isinstance(triple.predicate, IRI) and triple.predicate.value.rpartition("#")[2].startswith(
                "has"
            ):
                yield f"?{THIS_VARIABLE} <{triple.predicate.value}> {self._term(triple.object)} ."

    def _term(self, term: Term) -> str:
        if term == THIS_INSTANCE:
            return f"?{THIS_VARIABLE}"
        if isinstance(term, BlankNode):
            self._has_variables = True
            name = self._facts.value(term, SPIN_VARIABLE)
            if not isinstance(name, Literal):
                return f"_:{term.label}"
            if not _VARIABLE.fullmatch(name.lexical):
                raise ValueError(f"sp:varName {term_text(name)} is no name of a variable")
            return f"?{name.lexical}"
        return term_text(term)
