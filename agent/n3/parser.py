"""The parser of Notation3 with the habits of ASM4LD programs: no recursion, one token of look-ahead.

Grammar: N3 of the W3C community group, a superset of Turtle 1.1. Besides it, a formula alone needs no final dot
(bare requests), and relative references inside the formula of ``http:body`` mean the document being written.
"""

from collections.abc import Callable

from agent.errors import ProgramError
from agent.n3 import complaints
from agent.n3.directives import Directives
from agent.n3.frames import Frame, Graph, State
from agent.n3.lexer import Token, check_characters, tokens
from agent.n3.literals import read_literal
from agent.n3.names import Names
from agent.n3.parsed import FormulaSpans, Lone, ParsedFile, Span, patterns
from agent.n3.problems import MAX_ERRORS, MAX_RECOVERIES, position_of
from agent.n3.source import SourceText
from agent.n3.write import VERBS
from agent.rdf.terms import (
    FALSE,
    IRI,
    RDF_NIL,
    TRUE,
    BlankNode,
    Formula,
    ListTerm,
    Term,
    Triple,
    Variable,
)
from agent.vocab import HTTP, OWL

_HTTP_BODY = IRI(HTTP + "body")
_OPERATORS = {sign: verb for verb, sign in VERBS.items()} | {"=": IRI(OWL + "sameAs")}
_LITERALS = frozenset({"string", "long", "integer", "decimal", "double"})
_VERB_AFTER_FORMULA = frozenset({"=>", "<=", "=", "<-", "iri", "name", "var"})
_VERB_WORDS = frozenset({"a", "has", "is"})


def parse(text: str, *, source: str, base: str, scope: str = "", dialect: bool = True) -> ParsedFile:
    """Return the statements of ``text``.

    ``source`` names the text in messages, relative references are resolved against ``base``, and
    blank nodes belong to ``scope``, or to the base if there is none. Without ``dialect`` the
    grammar is exactly that of the W3C community group: the habits of ASM4LD and the old quantifiers are faults.
    ProgramError for the first fault; the faults after it, up to ``MAX_ERRORS`` in all, are in its ``others``.
    """
    return _Parser(SourceText(text, source), base, scope or base, dialect=dialect).parse()


class _Parser:
    """One run over one text; every method takes tokens from the front and leaves the next one in ``token``."""

    def __init__(self, source: SourceText, base: str, scope: str, *, dialect: bool) -> None:
        self.source = source
        self.names = Names(source, base)
        self.document_base = base
        self.scope = scope
        self.dialect = dialect
        self.blank_nodes = 0
        self.formulas = 0
        self.spans: dict[int, FormulaSpans] = {}
        self.lone: list[tuple[Term, Span]] = []
        self.root = Graph(scope, {})
        self.stack = [Frame(None, self.root, State.SUBJECT)]
        self.frame = self.stack[0]
        self.directives = Directives(self)
        self.done = False
        self.previous = Token("", "", 0, 0)
        self.stream = tokens(source)
        self.token = self.previous
        self.steps: dict[State, Callable[[Frame], None]] = {
            State.SUBJECT: self._subject,
            State.VERB: self._verb,
            State.PREDICATE: self._item,
            State.OF: self._of,
            State.OBJECT: self._item,
            State.AFTER_OBJECT: self._after_object,
            State.MORE: self._more,
            State.PROPERTIES: self._properties,
            State.ITEM: self._list,
        }

    def parse(self) -> ParsedFile:
        """Read the whole text."""
        errors: list[ProgramError] = []
        at = 0
        for _ in range(MAX_RECOVERIES):
            if self.done or len(errors) >= MAX_ERRORS:
                break
            try:
                if not errors:
                    check_characters(self.source)
                self.stream = tokens(self.source, at)
                self.advance()
                self._run()
            except ProgramError as error:
                if not (errors and complaints.is_aftermath(error, len(self.stack) - 1)):
                    errors.append(error)
                self.names.excuse(complaints.prefix_meant(self.source, error))
                wrong = None if self.token is self.previous else self.token
                resumed = complaints.resume_after(self.source, error, wrong, len(self.stack) - 1)
                if resumed is None:
                    break
                at = resumed
                self._reset()
        errors = sorted([*errors, *self.names.faults], key=position_of)[:MAX_ERRORS]
        if errors:
            errors[0].others = tuple(errors[1:])
            raise errors[0]
        return self._parsed()

    def _run(self) -> None:
        steps = self.steps
        while not self.done:
            frame = self.frame
            steps[frame.state](frame)

    def _reset(self) -> None:
        """Begin a new statement at the top level, whatever was open."""
        while len(self.stack) > 1:
            self._pop()
        self.stack[0] = self.frame = Frame(None, self.root, State.SUBJECT)

    def _parsed(self) -> ParsedFile:
        place = self.source.place
        statements = patterns(self.source, self.root.triples, self.root.spans)
        lone = tuple(Lone(term, place(*span)) for term, span in self.lone)
        return ParsedFile(
            self.source,
            self.document_base,
            self.scope,
            statements,
            lone,
            dict(self.names.prefixes),
            self.spans,
        )

    def advance(self) -> None:
        """Go to the next token."""
        self.previous = self.token
        self.token = next(self.stream)

    def fresh(self, graph: Graph) -> BlankNode:
        """Return a new blank node of ``graph``."""
        self.blank_nodes += 1
        return BlankNode(f"b{self.blank_nodes - 1}", graph.scope)

    def unexpected(self, expected: str) -> ProgramError:
        """Return the error that ``expected`` did not come."""
        return complaints.unexpected(self.source, self.stack, self.previous, self.token, expected)

    # ---- statements ----

    def _subject(self, frame: Frame) -> None:
        kind = self.token.kind
        if frame.path is not None:
            self._item(frame)
        elif kind == "}" and frame.bracket == "{":
            self._close_formula(frame)
        elif kind == "end" and not frame.opening:
            self.done = True
        elif not self.directives.read(frame.graph):
            frame.comma = -1
            frame.said = False
            self._item(frame)

    def _verb(self, frame: Frame) -> None:
        token = self.token
        kind = token.text if token.kind == "word" else token.kind
        if self._is_bare_formula(frame):
            self._end_bare_formula(frame)
        elif kind in _OPERATORS:
            frame.verb, frame.inverse, frame.needs_of = _OPERATORS[kind], False, False
            frame.verb_span = (token.start, token.end)
            frame.state = State.OBJECT
            self.advance()
        elif kind in {"has", "is", "<-"}:
            frame.inverse, frame.needs_of = kind != "has", kind == "is"
            frame.state = State.PREDICATE
            self.advance()
        elif kind in {".", "}", "]", "end"}:
            self._end_statement(frame)
        else:
            frame.inverse = frame.needs_of = False
            frame.state = State.PREDICATE
            self._item(frame)

    def _is_bare_formula(self, frame: Frame) -> bool:
        """Say whether the formula just read at the top level is a statement of its own: no verb can begin here."""
        if frame.opening or frame.state is not State.VERB or not isinstance(frame.subject, Formula):
            return False
        if not self.dialect:
            return self.token.kind == "."
        kind = self.token.kind
        return kind not in _VERB_AFTER_FORMULA and not (kind == "word" and self.token.text in _VERB_WORDS)

    def _end_bare_formula(self, frame: Frame) -> None:
        if frame.subject is not None:
            self.lone.append((frame.subject, frame.subject_span))
        frame.state = State.SUBJECT
        if self.token.kind == ".":
            self.advance()

    def _of(self, frame: Frame) -> None:
        if self.token.kind != "word" or self.token.text != "of":
            raise self.unexpected("of")
        self.advance()
        frame.state = State.OBJECT

    def _after_object(self, frame: Frame) -> None:
        kind = self.token.kind
        if kind == ",":
            frame.comma = self.token.start
            frame.state = State.OBJECT
            self.advance()
        elif kind == ";":
            frame.comma = -1
            frame.state = State.MORE
            self.advance()
        else:
            self._end_statement(frame)

    def _more(self, frame: Frame) -> None:
        kind = self.token.kind
        if kind == ";":
            self.advance()
        elif kind in {".", "}", "]", "end"}:
            self._end_statement(frame)
        else:
            self._verb(frame)

    def _end_statement(self, frame: Frame) -> None:
        kind = self.token.kind
        if frame.bracket == "[":
            if kind != "]":
                raise self.unexpected("] or ; or ,")
            self._close_properties(frame)
            return
        if not frame.said and frame.subject is not None:
            self._note_lone(frame, frame.subject)
        frame.state = State.SUBJECT
        if kind == ".":
            self.advance()
        elif kind != "}" or not frame.opening:
            frame.state = State.AFTER_OBJECT if frame.said else State.VERB
            raise self.unexpected(". or ; or ," if frame.said else "a predicate")

    def _note_lone(self, frame: Frame, subject: Term) -> None:
        if not frame.opening and self.source.text[frame.subject_span[0]] != "[":
            self.lone.append((subject, frame.subject_span))

    # ---- terms ----

    def _item(self, frame: Frame) -> None:
        """Read one term, or open the bracket that begins one."""
        token = self.token
        kind = token.kind
        if kind == "name":
            term: Term = self.names.name(token)
        elif kind == "iri":
            term = self.names.iri(token)
        elif kind == "var":
            term = Variable(token.text[1:])
        elif kind in _LITERALS:
            self.advance()
            term = read_literal(self, token)
            self._deliver(frame, term, (token.start, token.end))
            return
        elif kind == "blank":
            term = self._labelled(frame.graph, token.text)
        elif kind == "word" and token.text in {"true", "false"}:
            term = TRUE if token.text == "true" else FALSE
        elif kind in {"{", "[", "("}:
            self._open(frame, token)
            return
        else:
            raise self.unexpected(complaints.WANTED[frame.state])
        if frame.graph.quantified:
            term = frame.graph.quantified.get(term, term)
        self.advance()
        self._deliver(frame, term, (token.start, token.end))

    def _labelled(self, graph: Graph, label: str) -> BlankNode:
        known = graph.labels.get(label)
        if known is None:
            known = graph.labels[label] = self.fresh(graph)
        return known

    def _deliver(self, frame: Frame, term: Term, span: Span) -> None:
        """Hand a finished term to its frame, after the path that it ends, unless a path goes on behind it."""
        if frame.path is not None:
            left, operator, left_span = frame.path
            node = self.fresh(frame.graph)
            triple = Triple(left, term, node) if operator == "!" else Triple(node, term, left)
            frame.graph.add(triple, (left_span, span, span) if operator == "!" else (span, span, left_span))
            term, span, frame.path = node, left_span, None
        if self.token.kind in {"!", "^"}:
            frame.path = (term, self.token.kind, span)
            self.advance()
            return
        state = frame.state
        if state is State.OBJECT:
            self._say(frame, term, span)
        elif state is State.PREDICATE:
            frame.verb, frame.verb_span = term, span
            frame.state = State.OF if frame.needs_of else State.OBJECT
        elif state is State.SUBJECT:
            frame.subject, frame.subject_span = term, span
            frame.state = State.VERB
        else:
            frame.items.append(term)

    def _say(self, frame: Frame, term: Term, span: Span) -> None:
        subject, verb = frame.subject, frame.verb
        if subject is None or verb is None:
            raise self.unexpected("a subject and a predicate")
        ends = (span, frame.subject_span) if frame.inverse else (frame.subject_span, span)
        triple = Triple(term, verb, subject) if frame.inverse else Triple(subject, verb, term)
        frame.graph.add(triple, (ends[0], frame.verb_span, ends[1]))
        frame.said = True
        frame.state = State.AFTER_OBJECT

    # ---- brackets ----

    def _open(self, frame: Frame, token: Token) -> None:
        if token.kind == "{":
            self.formulas += 1
            graph = Graph(f"{self.scope}{{{self.formulas}}}", frame.graph.quantified)
            inner = Frame(token, graph, State.SUBJECT)
            inner.is_body = (
                self.dialect
                and frame.state is State.OBJECT
                and frame.verb == _HTTP_BODY
                and not frame.inverse
            )
            if inner.is_body:
                self.names.enter_body()
        elif token.kind == "[":
            inner = Frame(token, frame.graph, State.PROPERTIES)
        else:
            inner = Frame(token, frame.graph, State.ITEM)
        self.stack.append(inner)
        self.frame = inner
        self.advance()

    def _pop(self) -> Frame:
        closed = self.stack.pop()
        if closed.is_body:
            self.names.leave_body()
        self.frame = self.stack[-1]
        return self.frame

    def _close(self, frame: Frame, term: Term) -> None:
        opening = frame.opening or self.token
        outer = self._pop()
        self.advance()
        self._deliver(outer, term, (opening.start, opening.end))

    def _close_formula(self, frame: Frame) -> None:
        formula = Formula(tuple(frame.graph.triples))
        if frame.opening:
            opening = (frame.opening.start, frame.opening.end)
            self.spans[id(formula)] = FormulaSpans(opening, tuple(frame.graph.spans))
        self._close(frame, formula)

    def _properties(self, frame: Frame) -> None:
        """Begin ``[ ... ]``: a new blank node, or the IRI after ``id``."""
        token = self.token
        if token.kind == "word" and token.text == "id":
            self.advance()
            if self.token.kind not in {"iri", "name"}:
                raise self.unexpected("an IRI")
            frame.subject = (
                self.names.iri(self.token) if self.token.kind == "iri" else self.names.name(self.token)
            )
            self.advance()
        else:
            frame.subject = self.fresh(frame.graph)
        if frame.opening:
            frame.subject_span = (frame.opening.start, frame.opening.end)
        frame.state = State.VERB

    def _close_properties(self, frame: Frame) -> None:
        if frame.subject is not None:
            self._close(frame, frame.subject)

    def _list(self, frame: Frame) -> None:
        if self.token.kind != ")":
            self._item(frame)
        elif frame.path is not None:
            raise self.unexpected("a predicate of the path")
        else:
            self._close(frame, ListTerm(tuple(frame.items)) if frame.items else RDF_NIL)
