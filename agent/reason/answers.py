"""Answers of backward rules, found goal by goal and kept in tables while memory does not change.

A question is a triple of which some parts are known. The first time it is asked, a table is opened for it; memory and
the clauses of its predicate fill the table. A clause that asks a question itself waits at its table: it goes on with
every answer there is, and with every later one from the slots as they were (tabling with suspended consumers). So
nothing recurses however deep the questions go, no answer is worked out twice, and rules that ask themselves end when
there is nothing new. What is negated inside a clause is asked of tables of its own on the memory before the stratum.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct, field

from agent.errors import BudgetError, ProgramError
from agent.n3.builtins import Context
from agent.rdf.terms import IRI
from agent.reason.backward import BackwardRules, Clause
from agent.reason.body import MAX_NESTING
from agent.reason.budget import Budget, Tries, exceeded
from agent.reason.facts import Facts
from agent.reason.join import Go, Linker, Numbers, constants_of
from agent.reason.linked import link_inventions
from agent.reason.plan import Consult
from agent.reason.questions import Question, question_of, taker, told


class _Waiting(Struct, eq=False):
    """A clause that waits for answers: its slots as they were, where they are, and how many answers it has seen."""

    kept: list[int]
    slots: list[int]
    go_on: Callable[[Numbers], bool]
    seen: int = 0


class _Table(Struct, eq=False):
    """The answers to one question so far, and who waits for more."""

    question: Question
    asker: str
    number: int
    answers: list[Numbers] = field(default_factory=list)
    known: set[Numbers] = field(default_factory=set)
    waiting: list[_Waiting] = field(default_factory=list)
    is_queued: bool = True
    is_new: bool = True
    is_complete: bool = False


class _Runner(Struct, eq=False):
    """A clause linked to run for questions that tell the same slots; the last slot holds the number of the table."""

    slots: list[int]
    go: Go


class Answerer:
    """Answers the questions of one program on ``memory``; negated groups are tested against ``before``.

    Raises ``ProgramError`` for a question that no rule can answer, and ``BudgetError`` when a limit is passed.
    """

    def __init__(
        self,
        rules: BackwardRules,
        memory: Facts,
        before: Facts,
        context: Context,
        budget: Budget,
        tries: Tries,
    ) -> None:
        self._rules = rules
        self._memory = memory
        self._before = before
        self._context = context
        self._budget = budget
        self._tries = tries
        self._clauses: dict[int, list[tuple[Clause, list[int]]]] = {}
        self._runners: dict[tuple[int, frozenset[int]], _Runner | ProgramError] = {}
        self._tables: dict[Question, _Table] = {}
        self._opened: list[_Table] = []
        self._queue: list[_Table] = []
        self._inner: Answerer | None = None
        self._count = 0
        self._nesting = 0

    def forget(self) -> None:
        """Drop all tables, because memory has changed."""
        if self._tables:
            self._tables.clear()
            self._opened.clear()
            self._queue.clear()
            self._count = 0
        if self._inner is not None:
            self._inner.forget()

    def link(self, linker: Linker, move: Consult, then: Go) -> Go:
        """Return the function that does ``then`` for each answer to the question of ``move``."""
        ask, take = question_of(linker, move), taker(linker, move, then)
        rule, tries = linker.rule, self._tries

        def consult() -> bool:
            answers = self.answers(ask(), rule)
            tries.made += len(answers) + 1
            if tries.made > tries.limit:
                tries.check(rule)
            return any(map(take, answers))

        return consult

    def negated(self) -> "Answerer":
        """Return what answers the questions inside negated groups, which must be complete at once."""
        if self._inner is None:
            if self._nesting >= MAX_NESTING:
                raise ProgramError("ASM022", f"backward rules negate each other more than {MAX_NESTING} deep")
            self._inner = Answerer(
                self._rules, self._before, self._before, self._context, self._budget, self._tries
            )
            self._inner._nesting = self._nesting + 1
        return self._inner

    def answers(self, question: Question, asker: str) -> Sequence[Numbers]:
        """Return the triples that answer ``question``, asked by the rule ``asker``."""
        table = self._table(question, asker)
        if not table.is_complete:
            try:
                self._work()
            except (BudgetError, ProgramError):
                self.forget()
                raise
        return table.answers

    def _table(self, question: Question, asker: str) -> _Table:
        table = self._tables.get(question)
        if table is None:
            if len(self._tables) >= self._budget.questions:
                raise exceeded("questions to backward rules", self._budget.questions, asker)
            table = self._tables[question] = _Table(question, asker, len(self._opened))
            self._opened.append(table)
            self._queue.append(table)
        return table

    def _work(self) -> None:
        """Open what is new and hand on what was found, until nothing is left to do."""
        queue = self._queue
        while queue:
            table = queue.pop()
            table.is_queued = False
            if table.is_new:
                table.is_new = False
                self._open(table)
            else:
                self._hand_on(table)
        for table in self._opened:
            table.is_complete = True
            table.waiting.clear()
        self._opened.clear()

    def _open(self, table: _Table) -> None:
        """Fill ``table`` with what memory says and what the clauses of its predicate conclude."""
        subject, predicate, object_ = table.question
        for triple in self._memory.select(
            subject if isinstance(subject, int) else None,
            predicate,
            object_ if isinstance(object_, int) else None,
        ):
            self._add(table, triple, table.asker)
        refused: ProgramError | None = None
        answered = False
        for clause, constants in self._clauses_of(predicate):
            known = told(clause, constants, table.question, self._memory)
            if known is None:
                continue
            runner = self._runner(clause, frozenset(known))
            if isinstance(runner, ProgramError):
                refused = refused or runner
                continue
            answered = True
            slots = runner.slots
            for slot, value in known.items():
                slots[slot] = value
            slots[-1] = table.number
            runner.go()
        if refused is not None and not answered:
            raise self._unanswerable(table, refused)

    def _hand_on(self, table: _Table) -> None:
        """Go on with the answers that those who wait at ``table`` have not seen."""
        answers = table.answers
        for waiting in table.waiting:
            if waiting.seen < len(answers):
                waiting.slots[:] = waiting.kept
                while waiting.seen < len(answers):
                    waiting.seen += 1
                    waiting.go_on(answers[waiting.seen - 1])

    def _add(self, table: _Table, answer: Numbers, rule: str) -> None:
        """Add ``answer`` to ``table``, unless it is known or answers another question."""
        subject, _, object_ = table.question
        if answer in table.known:
            return
        if (isinstance(subject, int) and answer[0] != subject) or (
            isinstance(object_, int) and answer[2] != object_
        ):
            return
        self._count += 1
        if self._count > self._budget.facts:
            raise exceeded("answers of backward rules", self._budget.facts, rule)
        table.known.add(answer)
        table.answers.append(answer)
        if table.waiting and not table.is_queued:
            table.is_queued = True
            self._queue.append(table)

    def _clauses_of(self, predicate: int) -> list[tuple[Clause, list[int]]]:
        """Return the clauses for ``predicate``, each with the numbers of its constants by slot."""
        clauses = self._clauses.get(predicate)
        if clauses is None:
            name = self._memory.table.terms[predicate]
            found = self._rules.clauses.get(name.value, ()) if isinstance(name, IRI) else ()
            clauses = [(clause, constants_of(clause.slots, self._memory)) for clause in found]
            self._clauses[predicate] = clauses
        return clauses

    def _runner(self, clause: Clause, known: frozenset[int]) -> _Runner | ProgramError:
        key = (id(clause), known)
        runner = self._runners.get(key)
        if runner is None:
            runner = self._runners[key] = self._link_clause(clause, known)
        return runner

    def _link_clause(self, clause: Clause, known: frozenset[int]) -> _Runner | ProgramError:
        plan = clause.plan(known)
        if isinstance(plan, ProgramError):
            return plan
        rule, opened, add = clause.rule.name, self._opened, self._add
        slots = [*constants_of(clause.slots, self._memory), -1]
        linker = Linker(
            rule,
            clause.slots,
            self._memory,
            self._before,
            self._context,
            self._budget,
            self._tries,
            slots,
            _Suspending(self),
        )
        subject, predicate, object_ = clause.head

        def found() -> bool:
            add(opened[slots[-1]], (slots[subject], slots[predicate], slots[object_]), rule)
            return False

        then = link_inventions(plan.head, rule, linker, found) if plan.head.inventions else found
        return _Runner(slots, linker.link(plan.moves, then))

    def wait(self, question: Question, linker: Linker, go_on: Callable[[Numbers], bool]) -> None:
        """Do ``go_on`` for every answer to ``question``, now or later, with the slots of ``linker`` as they are."""
        table = self._table(question, linker.rule)
        answers = table.answers
        self._tries.made += len(answers) + 1
        if self._tries.made > self._tries.limit:
            self._tries.check(linker.rule)
        if table.is_complete:
            for answer in answers:
                go_on(answer)
            return
        waiting = _Waiting(linker.slots[:], linker.slots, go_on)
        table.waiting.append(waiting)
        while waiting.seen < len(answers):
            waiting.seen += 1
            go_on(answers[waiting.seen - 1])

    def _unanswerable(self, table: _Table, reason: ProgramError) -> ProgramError:
        subject, predicate, object_ = table.question
        name = self._memory.table.terms[predicate]
        parts = [
            part for part, known in (("subject", subject), ("object", object_)) if isinstance(known, int)
        ]
        return ProgramError(
            "ASM030",
            f"rule {table.asker} asks for <{name.value if isinstance(name, IRI) else name}> knowing "
            f"{' and '.join(parts) or 'neither subject nor object'}, which no rule can answer: {reason.message}",
            place=reason.place,
            hint="Bind more by patterns of the rule that asks, or by the body of the backward rule.",
        )


class _Suspending(Struct, frozen=True, eq=False):
    """Links the questions of clauses: they wait for answers instead of working them out."""

    answerer: Answerer

    def link(self, linker: Linker, move: Consult, then: Go) -> Go:
        """Return the function that does ``then`` for each answer to the question of ``move``, now or later."""
        ask, take, wait = question_of(linker, move), taker(linker, move, then), self.answerer.wait

        def consult() -> bool:
            wait(ask(), linker, take)
            return False

        return consult

    def negated(self) -> Answerer:
        """Return what answers the questions inside negated groups."""
        return self.answerer.negated()
