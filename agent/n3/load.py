"""From a parsed text to a program (facts, derivation rules, request rules) or to the data of a model."""

from collections import Counter
from collections.abc import Iterator

from agent.errors import Place
from agent.n3.bodies import as_body
from agent.n3.data_lists import spell_out_lists
from agent.n3.parsed import ParsedFile
from agent.n3.parser import parse
from agent.n3.problems import Problems
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
from agent.n3.requests import asks_for_request, read_requests
from agent.n3.safety import SafetyCheck, unquoted_variables
from agent.n3.write import show
from agent.rdf.terms import FALSE, IRI, TRUE, BlankNode, Formula, Term, Variable
from agent.vocab import METHODS

_GET = IRI(METHODS + "GET")


def read_program(text: str, *, source: str, base: str, scope: str = "") -> Program:
    """Return the program that ``text`` is.

    ``source`` names it in messages and rule names, ``base`` is its URI. ProgramError for the first fault, the others
    (at most 20 in all) in its ``others``: either all faults of the syntax or, if there are none, all of the meaning.
    Blank nodes of facts are numbered in the order of the text, in ``scope``, which is ``base`` if it is empty; those of rule bodies become
    variables; those of derivation heads and of payloads stay.
    """
    return _ProgramReader(parse(text, source=source, base=base, scope=scope)).program()


def read_model(text: str, *, source: str, base: str) -> tuple[Pattern, ...]:
    """Return the triples of ``text``, strict RDF data with a place each; lists as rdf:first and rdf:rest.

    The place of a triple is where its object begins. ProgramError for syntax, rules, variables, formulas and
    anything else that RDF cannot hold.
    """
    parsed = parse(text, source=source, base=base, dialect=False)
    problems = Problems(parsed.source)
    for lone in parsed.lone:
        shown = show(lone.term, parsed.prefixes)
        problems.error("N3013", f"expected data, got {shown} alone", lone.place, _NO_RULES_HERE)
    patterns = tuple(spell_out_lists(parsed.statements, base))
    for pattern in patterns:
        _check_is_rdf(pattern, parsed, problems)
    problems.raise_errors()
    return patterns


class _ProgramReader:
    """Reads one parsed file."""

    def __init__(self, parsed: ParsedFile) -> None:
        self._parsed = parsed
        self._problems = Problems(parsed.source)
        self._safety = SafetyCheck(parsed.prefixes, self._problems)
        self._names: Counter[str] = Counter()
        self._derivations: list[DerivationRule] = []
        self._requests: list[RequestRule] = []
        self._backward: list[DerivationRule] = []
        self._inconsistencies: list[Inconsistency] = []

    def program(self) -> Program:
        """Return the program, or raise what is wrong with it."""
        facts: list[Pattern] = []
        for pattern in self._parsed.statements:
            subject, predicate, object_ = pattern.triple
            if predicate == IMPLIES:
                self._rule(subject, object_, pattern.place)
            elif predicate == IS_IMPLIED_BY:
                self._rule(object_, subject, pattern.place, is_backward=True)
            else:
                self._check_fact(pattern)
                facts.append(pattern)
        for lone in self._parsed.lone:
            self._bare(lone.term, lone.place)
        self._problems.raise_errors()
        triples = tuple(pattern.triple for pattern in spell_out_lists(facts, self._parsed.scope))
        return Program(
            triples,
            tuple(self._derivations),
            tuple(sorted(self._requests, key=lambda rule: (rule.place.line, rule.place.column))),
            tuple(self._problems.warnings),
            self._parsed.prefixes,
            tuple(self._backward),
            tuple(self._inconsistencies),
            self._parsed.base,
        )

    def _check_fact(self, fact: Pattern) -> None:
        for name in unquoted_variables(fact.triple):
            message = f"unexpected variable ?{name} in a fact"
            self._problems.error(
                "N3009", message, fact.place_of(name), "variables belong into rules: { ... } => { ... } ."
            )
            return

    def _bare(self, term: Term, place: Place) -> None:
        if isinstance(term, Formula) and asks_for_request(self._parsed.patterns_of(term)):
            self._request_rule((), self._parsed.patterns_of(term), place)
        else:
            shown = show(term, self._parsed.prefixes)
            self._problems.warning(
                "N3012",
                f"{shown} stands alone and says nothing",
                place,
                "a formula alone has to be a request; a rule is  { body } => { head } .",
            )

    def _rule(self, body: Term, head: Term, place: Place, *, is_backward: bool = False) -> None:
        body_patterns, head_patterns = self._side(body, "body", place), self._side(head, "head", place)
        if body_patterns is None or head_patterns is None:
            return
        openings = [self._parsed.opening_of(side) for side in (body, head) if isinstance(side, Formula)]
        opening = min(openings, key=lambda each: (each.line, each.column), default=place)
        patterns = as_body(body_patterns)
        if head == FALSE:
            inconsistency = Inconsistency(self._name(opening), patterns, opening)
            self._safety.inconsistency(inconsistency)
            self._inconsistencies.append(inconsistency)
            return
        if asks_for_request(head_patterns):
            self._request_rule(patterns, head_patterns, opening)
            return
        if not head_patterns:
            self._problems.warning(
                "N3012", "a rule with an empty head says nothing", place, "put triples into it"
            )
        for pattern in head_patterns:
            if pattern.triple.predicate in {IMPLIES, IS_IMPLIED_BY}:
                self._problems.warning(
                    "N3012",
                    "a rule that a rule derives is data and never runs",
                    pattern.places[1],
                    "write one rule with both bodies",
                )
        rule = DerivationRule(self._name(opening), patterns, head_patterns, opening)
        if is_backward:
            self._safety.backward(rule)
            self._backward.append(rule)
        else:
            self._safety.derivation(rule)
            self._derivations.append(rule)

    def _side(self, term: Term, side: str, place: Place) -> tuple[Pattern, ...] | None:
        """Return the triples of a side of a rule, or nothing if it is no formula; ``true`` and ``false`` have none."""
        if isinstance(term, Formula):
            return self._parsed.patterns_of(term)
        if term == TRUE or (term == FALSE and side == "head"):
            return ()
        message = f"expected a formula as {side} of a rule, got {show(term, self._parsed.prefixes)}"
        self._problems.error("N3008", message, place, "a rule is  { body } => { head } .")
        return None

    def _request_rule(self, body: tuple[Pattern, ...], head: tuple[Pattern, ...], place: Place) -> None:
        templates = read_requests(head, self._parsed.prefixes, self._problems)
        self._safety.request(body, self._said(head))
        for requests in _by_phase(templates):
            is_retrieval = requests[0].method == _GET
            self._requests.append(RequestRule(self._name(place), body, requests, place, is_retrieval))

    def _said(self, head: tuple[Pattern, ...]) -> Iterator[Pattern]:
        """Yield the triples of ``head``, those of a payload in place of its formula."""
        for pattern in head:
            payload = pattern.triple.object
            if isinstance(payload, Formula):
                subject = pattern.triple.subject
                yield Pattern(pattern.triple._replace(object=subject), pattern.places[0], pattern.left)
                yield from self._parsed.patterns_of(payload)
            else:
                yield pattern

    def _name(self, place: Place) -> str:
        """Return ``file:line``, with a number behind it from the second rule of a line on."""
        name = f"{place.source}:{place.line}"
        self._names[name] += 1
        return name if self._names[name] == 1 else f"{name}.{self._names[name]}"


_NO_RULES_HERE = "a model holds data only; put rules and requests into a program (-p)"


def _by_phase(templates: tuple[RequestTemplate, ...]) -> Iterator[tuple[RequestTemplate, ...]]:
    """Yield the requests of the read phase, then those of the write phase, without empty groups."""
    reads = tuple(template for template in templates if template.method == _GET)
    writes = tuple(template for template in templates if template.method != _GET)
    return (group for group in (reads, writes) if group)


def _check_is_rdf(pattern: Pattern, parsed: ParsedFile, problems: Problems) -> None:
    """Report what RDF cannot hold at its place in a triple."""
    subject, predicate, object_ = pattern.triple
    if predicate in {IMPLIES, IS_IMPLIED_BY}:
        problems.error("N3013", "expected data, got a rule", pattern.place, _NO_RULES_HERE)
        return
    if not isinstance(subject, IRI | BlankNode):
        part, expected = 0, "an IRI or a blank node as subject"
    elif not isinstance(predicate, IRI):
        part, expected = 1, "an IRI as predicate"
    elif isinstance(object_, Variable | Formula):
        part, expected = 2, "an IRI, a blank node or a literal as object"
    else:
        return
    message = f"expected {expected}, got {show(pattern.triple[part], parsed.prefixes)}"
    problems.error("N3013", message, pattern.places[part], "models are plain RDF")
