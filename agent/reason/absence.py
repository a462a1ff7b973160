"""Why a triple is not in memory: what each rule that could give it lacks, asked of the memory alone.

A rule's body is tried in the order in which a join would try it, with the head's variables bound to what is asked for. The
explanation is the longest beginning that holds for some values, and what fails next for these.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal as Choice
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from agent.errors import ProgramError
from agent.n3.builtins import Context
from agent.n3.program import DerivationRule, Program
from agent.n3.scopes import COLLECT_ALL_IN, FOR_ALL_IN, NOT_INCLUDES
from agent.rdf.structure import fill_in
from agent.rdf.terms import IRI, BlankNode, ListTerm, Literal, Term, Triple, Variable, document_of, spelling
from agent.reason.answers import Answerer
from agent.reason.body import Absent
from agent.reason.budget import Budget, Tries
from agent.reason.facts import Facts
from agent.reason.join import Go, Linker
from agent.reason.linked import link_inventions
from agent.reason.plan import Call, Check, Choose, Consult, Follow, Gather, Move, Pack, Refuse, Select, Unpack
from agent.reason.plan import order as order_of
from agent.reason.prepared import PreparedDerivation, prepare_derivation
from agent.reason.proof_parts import Binding, Search, data_slots
from agent.reason.rules import prepare_rules

Kind: TypeAlias = Choice["pattern", "builtin", "group", "shape", "head", "nothing", "untried"]
"""What fails: a pattern, a builtin, a negated group (something is there), a list or formula that has another shape, a
head that gives other triples; nothing (it holds by now); or the rule cannot be tried from its head."""

MOST_DOCUMENTS = 12


class Attempt(Struct, frozen=True):
    """What ``rule`` lacks to give a triple: ``held`` holds for ``binding``, and ``failing`` does not.

    ``reached`` counts the bindings that got as far. ``because`` goes on with a pattern that rules could give.
    """

    rule: str
    kind: Kind
    held: tuple[Triple, ...] = ()
    binding: Binding = ()
    failing: Triple | None = None
    reached: int = 0
    because: "Absence | None" = None


class Absence(Struct, frozen=True):
    """Why nothing in memory is ``pattern``: the rules that could give it, and documents that are not known to be silent.

    ``documents`` are pairs of URI and what became of it: one that is named in the pattern and was not read, or any that
    could not be read.
    """

    pattern: Triple
    attempts: tuple[Attempt, ...]
    documents: tuple[tuple[str, str], ...] = ()


class Absences:
    """Explains what is not in ``memory`` after ``program`` ran on it.

    ``protected`` predicates are not derived by a head whose predicate is a variable; ``read`` are the documents that were
    read and ``unread`` those that could not be, with what became of them. Without ``read`` documents are left aside.
    BudgetError if a body takes too many tries.
    """

    def __init__(
        self,
        program: Program,
        memory: Facts,
        context: Context,
        *,
        budget: Budget | None = None,
        protected: frozenset[str] = frozenset(),
        read: Container[str] | None = None,
        unread: Mapping[str, str] | None = None,
    ) -> None:
        budget = budget or Budget()
        backward = prepare_rules(program, protected).backward
        tries = Tries(budget.bindings)
        answerer = Answerer(backward, memory, memory, context, budget, tries)
        self._search = Search(memory, {}, context, budget, tries, answerer)
        self._memory = memory
        self._rules = (*program.derivations, *program.backward)
        self._asked = backward.asked
        self._protected = protected
        self._read = read
        self._unread = dict(unread or {})

    def explain(self, pattern: Triple, depth: int = 3) -> Absence | None:
        """Return why nothing is ``pattern``, whose variables and blank nodes stand for anything; nothing if something is.

        Patterns that fail in bodies are explained in the same way down to ``depth`` rules.
        """
        pattern = Triple(*map(_open, pattern))
        return None if self._is_known(pattern) else self._explain(pattern, depth, ())

    def _explain(self, pattern: Triple, depth: int, above: tuple[Triple, ...]) -> Absence:
        attempts = [
            self._deeper(attempt, depth, (*above, _shape(pattern)))
            for rule in self._rules
            for number in range(len(rule.head))
            for attempt in self._attempt(rule, number, pattern)
        ]
        return Absence(pattern, tuple(attempts), tuple(self._documents(pattern)))

    def _deeper(self, attempt: Attempt, depth: int, above: tuple[Triple, ...]) -> Attempt:
        failing = attempt.failing
        if attempt.kind != "pattern" or failing is None or depth <= 1 or _shape(failing) in above:
            return attempt
        because = self._explain(failing, depth - 1, above)
        return replace(attempt, because=because) if because.attempts or because.documents else attempt

    def _is_known(self, pattern: Triple) -> bool:
        constants = [None if isinstance(term, Variable) else term for term in pattern]
        return any(_is_instance(triple, pattern) for triple in self._memory.match(*constants))

    def _documents(self, pattern: Triple) -> Iterator[tuple[str, str]]:
        if self._read is None:
            return
        named = [document_of(term.value) for term in pattern if isinstance(term, IRI)]
        of_web = [uri for uri in dict.fromkeys(named) if uri.lower().startswith(("http://", "https://"))]
        predicate = document_of(pattern.predicate.value) if isinstance(pattern.predicate, IRI) else ""
        for uri in of_web:
            if uri != predicate and uri not in self._read and uri not in self._unread:
                yield uri, "was not read"
        yield from sorted(self._unread.items())[:MOST_DOCUMENTS]

    def _attempt(self, rule: DerivationRule, number: int, pattern: Triple) -> Iterator[Attempt]:
        """Yield what the triple ``number`` of a head lacks, if it could be ``pattern`` at all."""
        head = rule.head[number].triple
        is_open = isinstance(head.predicate, Variable)
        if is_open and isinstance(pattern.predicate, IRI) and pattern.predicate.value in self._protected:
            return
        if not all(_may_be(part, wanted) for part, wanted in zip(head, pattern, strict=True)):
            return
        try:
            yield _Trial(rule, number, pattern, self._search, self._asked).attempt()
        except ProgramError:
            yield Attempt(rule.name, "untried")


@dataclass(slots=True)
class _Trial:
    """One triple of a rule's head, tried for a pattern."""

    rule: DerivationRule
    number: int
    pattern: Triple
    search: Search
    asked: frozenset[str]
    _prepared: PreparedDerivation = field(init=False)
    _linker: Linker = field(init=False)
    _moves: tuple[Move, ...] = field(init=False)
    _bound: list[frozenset[int]] = field(init=False)
    _reached: list[int] = field(init=False)
    _slots: list[int] = field(init=False)
    _holds: bool = False

    def __post_init__(self) -> None:
        prepared = self._prepared = prepare_derivation(self.rule, self.asked)
        body, slots = prepared.body, prepared.body.slots
        linker = self._linker = self.search.linker(self.rule.name, slots)
        data = data_slots(body.goals)
        known: set[int] = set()
        for slot, wanted in zip(prepared.head.triples[self.number], self.pattern, strict=True):
            if slot in data and slot not in slots.constants and not isinstance(wanted, Variable):
                linker.slots[slot] = self.search.memory.table.intern(wanted)
                known.add(slot)
        self._moves = tuple(_singly(order_of(body.goals, slots, known, self.rule.name, self.rule.place)))
        bound = [frozenset(known | slots.constants)]
        for move in self._moves:
            bound.append(bound[-1] | _binds(move))
        self._bound = bound
        self._reached = [0] * (len(self._moves) + 1)
        self._slots = list(linker.slots)

    def attempt(self) -> Attempt:
        """Return how far the body gets."""
        go = link_inventions(self._prepared.head, self.rule.name, self._linker, self._gives)
        go = self._mark(len(self._moves), go)
        for number in range(len(self._moves) - 1, -1, -1):
            go = self._mark(number, self._linker.link([self._moves[number]], go))
        go()
        depth = max(number for number, count in enumerate(self._reached) if count)
        values = self._values(self._bound[depth])
        held = [triple for move in self._moves[:depth] if (triple := self._said(move)) is not None]
        kind, failing = self._failing(depth)
        return Attempt(
            self.rule.name,
            kind,
            tuple(_filled(triple, values) for triple in held),
            tuple((name.name, value) for name, value in values.items() if isinstance(name, Variable)),
            None if failing is None else _filled(failing, values),
            self._reached[depth],
        )

    def _mark(self, depth: int, go: Go) -> Go:
        """Return ``go`` with a note that the moves before ``depth`` held."""
        reached, slots = self._reached, self._linker.slots

        def noted() -> bool:
            reached[depth] += 1
            if reached[depth] == 1:
                self._slots = list(slots)
            return go()

        return noted

    def _gives(self) -> bool:
        """Tell whether the head gives what is asked for after all."""
        slots, terms = self._linker.slots, self.search.memory.table.terms
        given = Triple(*(terms[slots[slot]] for slot in self._prepared.head.triples[self.number]))
        self._holds = _is_instance(given, self.pattern)
        return self._holds

    def _failing(self, depth: int) -> tuple[Kind, Triple | None]:
        if self._holds:
            return "nothing", None
        if depth == len(self._moves):
            return "head", self.rule.head[self.number].triple
        move = self._moves[depth]
        match move:
            case Call() | Gather():
                return "builtin", self._said(move)
            case Refuse():
                return "group", self._said(move)
            case Unpack() | Pack():
                return "shape", None
            case _:
                return "pattern", self._said(move)

    def _said(self, move: Move) -> Triple | None:
        """Return what the body says that ``move`` tries."""
        names = self._linker.names.names
        match move:
            case Check(match) | Select(match, _) | Choose(_, (match,)):
                return Triple(*(names[slot] for slot in match.slots))
            case Follow(cell, _):
                return Triple(*(names[slot] for slot in cell.slots))
            case Consult(ask, _):
                return Triple(*(names[slot] for slot in ask.slots))
            case Call(compute, _):
                return Triple(compute.subject, IRI(compute.builtin.iri), compute.object)
            case Gather(collect, _, _):
                return self._written(
                    lambda triple: spelling(triple.subject) == collect.key[1], COLLECT_ALL_IN
                )
            case Refuse():
                earlier = self._moves[: self._moves.index(move)]
                return self._group(sum(isinstance(other, Refuse) for other in earlier))
            case _:
                return None

    def _group(self, number: int) -> Triple | None:
        absent = [goal for goal in self._prepared.body.goals if isinstance(goal, Absent)]
        said = list(dict.fromkeys(self._all_written(NOT_INCLUDES, FOR_ALL_IN)))
        return said[number] if len(said) == len(absent) else next(iter(said), None)

    def _written(self, is_it: Callable[[Triple], bool], *predicates: IRI) -> Triple | None:
        return next(filter(is_it, self._all_written(*predicates)), None)

    def _all_written(self, *predicates: IRI) -> Iterator[Triple]:
        yield from (each.triple for each in self.rule.body if each.triple.predicate in predicates)

    def _values(self, bound: frozenset[int]) -> dict[Term, Term]:
        names, terms = self._linker.names.names, self.search.memory.table.terms
        constants = self._linker.names.constants
        return {
            names[slot]: terms[self._slots[slot]]
            for slot in sorted(bound)
            if slot not in constants and self._slots[slot] >= 0
        }


def _singly(moves: Iterable[Move]) -> Iterator[Move]:
    """Yield ``moves`` with one pattern each, so that the one that fails is known."""
    for move in moves:
        if isinstance(move, Choose):
            first, *others = move.matches
            yield Choose(move.slot, (first,))
            yield from map(Check, others)
        else:
            yield move


def _binds(move: Move) -> frozenset[int]:
    match move:
        case Choose(slot, _):
            return frozenset({slot})
        case Select(match, _):
            return frozenset(match.slots)
        case Follow(cell, _):
            return frozenset(cell.slots)
        case Unpack(structure, _) | Pack(structure):
            return structure.parts | {structure.slot}
        case Call(compute, _):
            return compute.parts
        case Consult(ask, _):
            return frozenset(ask.slots)
        case Gather(collect, _, _):
            return collect.result_parts
        case _:
            return frozenset()


def _filled(triple: Triple, values: Mapping[Term, Term]) -> Triple:
    # A list or formula that is found may have another shape than the one that is written.
    return Triple(*(values.get(x) or fill_in(x, lambda part: values.get(part, _open(part))) for x in triple))


def _open(term: Term) -> Term:
    """Return a blank node that stands for anything as a variable: those of the memory are terms like others."""
    return Variable(f"_{term.label}") if isinstance(term, BlankNode) else term


def _may_be(part: Term, wanted: Term) -> bool:
    """Tell whether a part of a head may become ``wanted``: a new node becomes no name that is given."""
    if isinstance(part, Variable | ListTerm) or isinstance(wanted, Variable):
        return True
    if isinstance(part, IRI | Literal):
        return part == wanted
    return isinstance(wanted, type(part))


def _shape(pattern: Triple) -> Triple:
    """Return ``pattern`` with variables that are called the same in all patterns that ask the same."""
    names: dict[Term, Term] = {}
    return Triple(
        *(
            names.setdefault(term, Variable(f"_{len(names)}")) if isinstance(term, Variable) else term
            for term in pattern
        )
    )


def _is_instance(triple: Triple, pattern: Triple) -> bool:
    values: dict[Term, Term] = {}
    for term, wanted in zip(triple, pattern, strict=True):
        is_open = isinstance(wanted, Variable)
        if (values.setdefault(wanted, term) if is_open else wanted) != term:
            return False
    return True


def attempts_of(absence: Absence) -> Sequence[Attempt]:
    """Return all attempts in an explanation, those inside others after them."""
    found = list(absence.attempts)
    for attempt in found:
        if attempt.because is not None:
            found += attempt.because.attempts
    return found
