"""Sentries as the checks see them: every form on its own, as it is written and as it is meant."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from msgspec import Struct

from agent.errors import Finding, Place
from agent.gsm.check.asked import Asked, read_asked, status_patterns, stumbling_block
from agent.gsm.check.model import Model
from agent.gsm.check.references import hint_to, nearest
from agent.gsm.check.terms import ASKED_ROLES, HAS_ACHIEVING, HAS_CONDITION, HAS_INVALIDATING, HAS_MILESTONE
from agent.gsm.check.texts import inside, offset_of
from agent.gsm.check.vocabulary import meant_term, unknown_term
from agent.gsm.question import Question, read_question
from agent.gsm.sentry import read_sentry, spin_text
from agent.gsm.terms import (
    ASK,
    BOOLEAN,
    GSM_ASK,
    SHACL_ASK,
    SHACL_DECLARE,
    SHACL_NAMESPACE,
    SHACL_PREFIX,
    SHACL_PREFIXES,
    SPIN_TEXT,
    SPIN_WHERE,
)
from agent.n3.iris import resolve
from agent.n3.program import Pattern
from agent.n3.sparql import Token, expand, tokens_of
from agent.rdf.terms import IRI, TRUE, BlankNode, Literal, Term, Triple, document_of
from agent.reason.facts import Facts

FORMS = (ASK, GSM_ASK, SHACL_ASK, SPIN_TEXT, SPIN_WHERE)
MAX_FORM = 4000
"""Statements that one form in SPIN may take."""

_DECLARATIONS = (SHACL_PREFIXES, SHACL_DECLARE, SHACL_PREFIX, SHACL_NAMESPACE)
_SYNTAX = re.compile("expected|this does not belong here|the query ends too early")
_FAULT_PLACE = re.compile(r"(\d{1,6}):(\d{1,6}): ")


class Form(Struct, frozen=True):
    """One form of a sentry: ``question`` is what it asks as it is meant, or nothing if it cannot be asked."""

    statement: Pattern
    question: Question | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def asked(self) -> Asked | None:
        """Return what the question asks for, as far as that can be told."""
        return read_asked(self.question) if self.question else None


class CheckedSentry(Struct, frozen=True):
    """A sentry and the forms in which it is asked; ``texts`` are those for people, beside patterns."""

    node: Term
    forms: tuple[Form, ...]
    texts: tuple[Form, ...] = ()
    is_given: bool = False

    @property
    def is_sound(self) -> bool:
        """Whether everything it asks is understood and exists."""
        return bool(self.forms) and not self.is_given and all(map(_is_sound, self.forms))

    @property
    def questions(self) -> tuple[Question, ...]:
        """Return what it asks; any of them is enough."""
        return tuple(form.question for form in self.forms if form.question)


def _is_sound(form: Form) -> bool:
    return form.question is not None and all(finding.code == "GSM010" for finding in form.findings)


class SentryReader:
    """Reads the sentries of ``model``."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._read: dict[Term, CheckedSentry] = {}

    @cached_property
    def used(self) -> list[CheckedSentry]:
        """The sentries that guards and milestones use and the documents describe, in the order of the text."""
        links = self._model.with_predicate(HAS_CONDITION, HAS_ACHIEVING, HAS_INVALIDATING)
        nodes = dict.fromkeys(each.triple.object for each in links)
        return [self.read(node) for node in nodes if self._model.is_described(node)]

    def of(self, node: Term, *links: IRI) -> list[CheckedSentry]:
        """Return the sentries to which one of ``links`` leads from ``node``."""
        return [self.read(each) for each in self._model.objects(node, *links)]

    def read(self, node: Term) -> CheckedSentry:
        """Return the sentry ``node``."""
        known = self._read.get(node)
        if known is None:
            known = self._read[node] = self._new(node)
        return known

    def _new(self, node: Term) -> CheckedSentry:
        model = self._model
        lists = model.of(node, SPIN_WHERE)
        for_people = model.of(node, SPIN_TEXT) if lists else []
        forms = [each for each in model.of(node, *FORMS) if each not in for_people]
        is_given = any(each.triple.object == TRUE for each in model.of(node, BOOLEAN))
        return CheckedSentry(
            node,
            tuple(self._form(node, each) for each in forms),
            tuple(self._form(node, each) for each in for_people),
            is_given,
        )

    @cached_property
    def _declarations(self) -> list[Pattern]:
        return list(self._model.with_predicate(*_DECLARATIONS))

    def _form(self, node: Term, statement: Pattern) -> Form:
        if statement.triple.predicate == SPIN_WHERE:
            return self._patterns(node, statement)
        if not isinstance(statement.triple.object, Literal):
            return Form(statement)
        text = statement.triple.object.lexical
        question, fault = self._question(node, statement, [])
        if question is None:
            return Form(statement, None, (self._broken(node, statement, text, fault),))
        tokens = tokens_of(text)
        misspelt, repaired = self._misspelt(statement, tokens, question)
        if misspelt:
            meant = Triple(node, statement.triple.predicate, Literal(repaired))
            question = self._question(node, Pattern(meant, statement.place), [])[0] or question
        places = {iri: token for token in tokens if (iri := _iri(token, question))}
        asked = self._asked_parts(node, statement, question, places)
        return Form(statement, question, (*misspelt, *asked))

    def _question(
        self, node: Term, statement: Pattern, others: Iterable[Pattern]
    ) -> tuple[Question | None, str]:
        """Return the question that one form of a sentry is, or why it is none."""
        facts = Facts()
        for each in (*self._declarations, *others, statement):
            facts.add(each.triple)
        sentry = read_sentry(facts, node)
        if sentry.questions:
            return sentry.questions[0], ""
        if sentry.fault or statement.triple.predicate != SPIN_WHERE:
            return None, sentry.fault or "1:1: it is empty"
        try:
            text = spin_text(facts, statement.triple.object)
        except ValueError as error:
            return None, str(error)
        base = document_of(node.value) if isinstance(node, IRI) else getattr(node, "scope", "")
        question = read_question(text, base)
        return (None, question.fault) if question.fault else (question, "")

    def _broken(self, node: Term, statement: Pattern, text: str, fault: str) -> Finding:
        place, message = statement.place, fault
        at = _FAULT_PLACE.match(fault)
        if at:
            offset = offset_of(text, int(at[1]), int(at[2]))
            place = inside(self._model.sources[place.source], place, offset)
            message = fault[at.end() :]
            block = stumbling_block(text) if _SYNTAX.match(message) else None
            if block is not None:
                word = next((t for t in tokens_of(text) if t.start == block), None)
                place = inside(
                    self._model.sources[place.source],
                    statement.place,
                    block,
                    len(word.text) if word else 1,
                )
                message = "it is no SPARQL query from here on"
        called = self._model.called(node, "sentry")
        hint = "the prefixes of the model do not reach into a query" if "the prefix " in fault else ""
        return self._model.finding("error", "GSM026", f"{called} cannot be asked: {message}", place, hint)

    def _misspelt(
        self, statement: Pattern, tokens: list[Token], question: Question
    ) -> tuple[list[Finding], str]:
        """Return findings about terms that do not exist, and the text with what was meant."""
        findings: list[Finding] = []
        pieces: list[str] = []
        source = self._model.sources[statement.place.source]
        for token in tokens:
            iri = _iri(token, question)
            found = meant_term(iri) if iri else None
            pieces.append(token.text)
            if iri and found:
                place = inside(source, statement.place, token.start, len(token.text))
                findings.append(unknown_term(iri, *found, place, question.prefixes))
                pieces[-1] = f"<{found[1]}>" if found[1] else token.text
        return findings, "".join(pieces)

    def _patterns(self, node: Term, statement: Pattern) -> Form:
        cells = list(self._below(statement.triple.object))
        question, fault = self._question(node, statement, cells)
        if question is None:
            return Form(statement, None, (self._broken(node, statement, "", fault),))
        places = {
            each.triple.object.value: each.place for each in cells if isinstance(each.triple.object, IRI)
        }
        asked = self._asked_parts(node, statement, question, places)
        return Form(statement, question, tuple(asked))

    def _below(self, head: Term) -> Iterator[Pattern]:
        """Yield what is said about ``head`` and the blank nodes that it leads to."""
        seen: set[Term] = {head}
        pending = [head]
        count = 0
        while pending and count < MAX_FORM:
            for statement in self._model.of(pending.pop()):
                count += 1
                yield statement
                inner = statement.triple.object
                if isinstance(inner, BlankNode) and inner not in seen:
                    seen.add(inner)
                    pending.append(inner)

    def _asked_parts(
        self,
        node: Term,
        statement: Pattern,
        question: Question,
        places: "dict[str, Token] | dict[str, Place]",
    ) -> list[Finding]:
        """Return findings about milestones and stages that a question asks for and that there are not."""
        model = self._model
        asked = read_asked(question)
        found: dict[str, Finding] = {}
        for _, predicate, part in status_patterns(asked) if asked else ():
            role = ASKED_ROLES.get(predicate.value) if isinstance(predicate, IRI) else None
            if role is None or not isinstance(part, IRI) or not model.is_own(part.value):
                continue
            at = places.get(part.value)
            if isinstance(at, Token):
                source = model.sources[statement.place.source]
                place = inside(source, statement.place, at.start, len(at.text))
                name = at.text
            else:
                place, name = at or statement.place, model.name(part)
            called = model.called(node, "sentry")
            if not model.is_described(part):
                hint = hint_to(model, nearest(model, part, role), place.source)
                message = f"{called} asks for {name}, which is defined nowhere"
                found[part.value] = model.finding("error", "GSM012", message, place, hint)
            elif not (model.to(part, HAS_MILESTONE) if role == "milestone" else model.is_stage(part)):
                what = f"no stage has the milestone {name}" if role == "milestone" else f"{name} is no stage"
                found[part.value] = model.finding(
                    "error", "GSM018", f"{called} can never hold: {what}", place
                )
        return list(found.values())


def _iri(token: Token, question: Question) -> str | None:
    """Return the IRI that ``token`` is, if it is one."""
    if token.kind == "name":
        return expand(token, question.prefixes)
    if token.kind == "iri":
        return resolve(token.text[1:-1], question.base)
    return None
