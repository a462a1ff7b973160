"""A program compiled for one memory: triggers, checks, runs; each is written and compiled when it is first needed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial, reduce
from types import CodeType, FunctionType
from typing import Any, ParamSpec, TypeAlias, TypeVar

from agent.n3.builtins import Context
from agent.rdf.matching import part_of_list
from agent.rdf.terms import ListTerm, Literal, Term
from agent.reason.body import Match
from agent.reason.budget import Budget, Tries, exceeded
from agent.reason.containers import Container, common
from agent.reason.facts import Facts
from agent.reason.incremental.builtin_call import BuiltinCall, ExactNumbers
from agent.reason.incremental.dispatch import Dispatch, Lazy, Trigger, gate_of
from agent.reason.incremental.functions import Change, Functions, serves_both
from agent.reason.incremental.instances import Instances
from agent.reason.incremental.levels import NotMaintainedError
from agent.reason.incremental.numbering import Documents, Inventions, Packed
from agent.reason.incremental.source import Needs, index_name, target_of
from agent.reason.incremental.units import FIELD, RETRIEVED, Group, Unit
from agent.reason.join import constants_of
from agent.reason.plan import Call
from agent.reason.state import RuleState, intern_within

Check: TypeAlias = Callable[[int, int, int], bool]
InstancesOf: TypeAlias = Callable[[int, int, int], Iterable[tuple[int, ...]]]
Found: TypeAlias = set[Any]
Index: TypeAlias = Mapping[int, Any]
Inputs = ParamSpec("Inputs")
Result = TypeVar("Result")
_NAME = "f"
W = TypeVar("W", bound=Functions)
Write: TypeAlias = Callable[[Functions, str], str]
WriteChange: TypeAlias = Callable[[Change, Functions, str], str]


class Compiled:
    """The functions of ``units`` on ``facts`` (visible) and ``hidden``; ``protected`` are predicates by number.

    ``room`` is how many more facts there may be, ``left`` how many more bindings may be tried in bulk, each in a list
    of one; ``context`` is what builtins know, set anew in each step.
    """

    def __init__(
        self,
        units: Sequence[Unit],
        facts: Facts,
        hidden: Facts,
        budget: Budget,
        protected: frozenset[int],
        context: Context,
    ) -> None:
        self.units = units
        self.facts = facts
        self.hidden = hidden
        self.packed = Packed()
        self.documents = Documents(facts)
        self.room = [budget.facts]
        self.left = [budget.bindings]
        self._budget = budget
        self._protected = protected
        self._contexts = [context]
        self._tries = Tries(budget.bindings)
        self.inventions = Inventions(units, self._intern, facts)
        self._numbers = {unit.number: constants_of(unit.slots, facts) for unit in units}
        self._names = self._namespace()
        self._possibilities: dict[int, Callable[[], bool]] = {}
        self._both: dict[tuple[int, int], FunctionType] = {}

    def numbers_of(self, unit: Unit) -> Sequence[int]:
        """Return the numbers of the terms in the slots of a unit that are constants."""
        return self._numbers[unit.number]

    def begin(self, context: Context) -> None:
        """Take the context of a step."""
        self._contexts[0] = context
        self._tries.made = 0
        self.left[0] = self._budget.bindings

    def memory_of(self, predicate: int) -> Facts:
        """Return the memory that a predicate belongs to."""
        return self.hidden if predicate < 0 else self.facts

    # ---- functions of a unit

    def dispatch(self, units: Iterable[Unit], change: Change, into: Mapping[int, Found] = {}) -> Dispatch:
        """Return the triggers of ``units``, those of their negated groups left out.

        ``into`` has the sets, by number of the unit, that what is found goes into.
        """
        found = Dispatch()
        for unit in units:
            numbers = self.numbers_of(unit)
            for position, goal in unit.starts:
                _, p, o = goal.slots
                constant = unit.slots.constants
                found.add(
                    unit.number,
                    numbers[p] if p in constant else None,
                    numbers[o] if o in constant else None,
                    self._lazy(unit, position, partial(_trigger, position), change, into),
                    None if p in constant else gate_of(unit, goal, numbers, self.facts),
                )
        return found

    def group_dispatch(
        self, units: Iterable[Unit], change: Change, into: Mapping[int, Found] = {}
    ) -> Dispatch:
        """Return the triggers of ``units`` for facts of their negated groups: gone (gained), or come (lost)."""
        found = Dispatch()
        for unit in units:
            for group in unit.groups:
                found.add(
                    unit.number,
                    group.predicate,
                    None,
                    self._lazy(unit, group.predicate, partial(_group_trigger, group), change, into),
                )
        return found

    def run_of(self, unit: Unit) -> Callable[[Found], None]:
        """Return the function that finds what follows from all instances of a unit."""
        return _late(
            lambda: self._compile(unit, lambda f, n: f.run(n)), self._possibility(unit), lambda new: None
        )

    def row_check(self, unit: Unit) -> Callable[[tuple[int, ...]], bool]:
        """Return the function that tells whether a row of a view still holds."""
        return _late(
            lambda: self._compile(unit, lambda f, n: f.row_check(n)),
            self._possibility(unit),
            lambda row: False,
        )

    def checks(self, unit: Unit) -> list[tuple[int | None, Check]]:
        """Return the checks of a unit's conclusions, each with the predicate it is for; ``None`` stands for any."""
        return [
            (
                predicate,
                _late(partial(self._compile, unit, write), self._possibility(unit), lambda s, p, o: False),
            )
            for predicate, write in self._ways_to_check(unit)
        ]

    def instances(self, unit: Unit) -> list[tuple[int | None, InstancesOf]]:
        """Return, like ``checks``, the functions that give the instances which support a conclusion."""
        return [
            (
                predicate,
                _late(
                    partial(self.function, unit, write, Instances),
                    self._possibility(unit),
                    lambda s, p, o: (),
                ),
            )
            for predicate, write in self._ways_to_check(unit)
        ]

    def row_instances(self, unit: Unit) -> Callable[[tuple[int, ...]], Iterable[tuple[int, ...]]]:
        """Return the function that gives the instances with a row of a view, as the numbers in the unit's slots."""
        return _late(
            lambda: self.function(unit, lambda f, n: f.row_check(n), Instances),
            self._possibility(unit),
            lambda row: (),
        )

    def _ways_to_check(self, unit: Unit) -> Iterator[tuple[int | None, Write]]:
        if unit.group is not None:
            yield unit.group.predicate, lambda f, n: f.group_check(n)
        for position, retrieval in enumerate(unit.retrievals):
            yield RETRIEVED, partial(_retrieval_check, position, None)
            for field in range(len(retrieval.fields)):
                yield FIELD, partial(_retrieval_check, position, field)
        if unit.head is not None:
            numbers = self.numbers_of(unit)
            for position, (_, p, _) in enumerate(unit.head.triples):
                yield numbers[p] if p in unit.slots.constants else None, partial(_head_check, position)

    # ---- compiling

    def _lazy(
        self, unit: Unit, start: int, write: WriteChange, change: Change, into: Mapping[int, Found]
    ) -> Lazy:
        """Return a trigger; ``start`` is the position of its goal, or the predicate of its group."""

        def one() -> Trigger:
            found: Trigger = self._compile(unit, partial(write, change))
            return found

        def one_of_both() -> Trigger:
            both = self._both.get((unit.number, start))
            if both is None:
                both = self._both[unit.number, start] = self._compile(unit, partial(write, "both"))
            if change == "gained":
                return both
            return FunctionType(both.__code__, both.__globals__, both.__name__, (True,))

        compile_ = one_of_both if serves_both(unit) else one
        return Lazy(compile_, into.get(unit.number), self._possibility(unit))

    def _possibility(self, unit: Unit) -> Callable[[], bool]:
        """Return the function that tells whether each pattern of a unit has facts with its constants: else none holds."""
        found = self._possibilities.get(unit.number)
        if found is None:
            numbers, constants = self.numbers_of(unit), unit.slots.constants
            found = self._possibilities[unit.number] = partial(
                _is_possible,
                [
                    (
                        *self.memory_of(numbers[p]).indexes(numbers[p]),
                        numbers[s] if s in constants else None,
                        numbers[o] if o in constants else None,
                    )
                    for s, p, o in (goal.slots for goal in unit.goals if isinstance(goal, Match))
                    if p in constants
                ],
            )
        return found

    def _compile(self, unit: Unit, write: Write) -> Any:  # noqa: ANN401  what comes out is what is written
        return self.function(unit, write, Functions)

    def function(
        self, unit: Unit, write: Callable[[W, str], str], writer: Callable[[Unit, Sequence[int], Needs], W]
    ) -> Any:  # noqa: ANN401  what comes out is what is written
        """Return the function of a unit that ``write`` writes with a ``writer``."""
        needs = Needs()
        text = write(writer(unit, self.numbers_of(unit), needs), _NAME)
        names = dict(self._names)
        for predicate in needs.predicates:
            for table, index in zip("SO", self.memory_of(predicate).indexes(predicate), strict=True):
                names[index_name(table, predicate)] = index
        for number, move in needs.calls.items():
            call = self._builtin(unit, move)
            names[f"b{number}"], names[f"m{number}"] = call, call.memo
        exec(_code(text), names)  # noqa: S102  the text is ours: integers and fixed words
        return names[_NAME]

    def _builtin(self, unit: Unit, move: Call) -> BuiltinCall:
        state = RuleState(
            unit.rule,
            unit.slots,
            self.facts,
            self.facts,
            self._contexts[0],
            self._budget,
            self._tries,
            list(self.numbers_of(unit)),
        )
        target = target_of(move.compute, move.bound, unit.slots)
        return BuiltinCall(
            state, self._contexts, move, tuple(sorted(move.compute.parts & move.bound)), target
        )

    def _namespace(self) -> dict[str, Any]:
        packed, documents, terms = self.packed, self.documents, self.facts.table.terms

        def cells(node: int, said: dict[int, Container], predicate: int) -> Container:
            found = said.get(node, ())
            term = terms[node]
            if isinstance(term, ListTerm) and term.items:
                part = self._intern(part_of_list(term, terms[predicate]), "")
                return found if part in found else (*found, part)
            return found

        def is_field(name: int, value: int) -> bool:
            return isinstance(terms[name], Literal) and isinstance(terms[value], Literal)

        def over(unit: int, tries: int) -> None:
            rule = self.units[unit].rule
            if self.units[unit].group is not None:
                raise NotMaintainedError
            if tries > self._budget.bindings:
                raise exceeded("bindings tried", self._budget.bindings, rule)
            raise exceeded("facts", self._budget.facts, rule)

        return {
            "S": self.facts.by_subject,
            "O": self.facts.by_object,
            "E": {},
            "T": (),
            "MOST_TRIES": self._budget.bindings,
            "PROTECTED": self._protected,
            "room": self.room,
            "left": self.left,
            "hidden_room": [self._budget.bindings // 10],
            "over": over,
            "common": common_to_all,
            "cells": cells,
            "exact": ExactNumbers(terms),
            "is_field": is_field,
            "document_of": documents.of,
            "names_of": documents.names_of,
            "packed": packed.number,
            "packed_if_known": packed.find,
            "unpacked": packed.parts,
            "invented": self.inventions.made,
            "invented_before": self.inventions.made_before,
            "frontiers": self.inventions.frontiers,
            "__builtins__": {"len": len, "list": list},
        }

    def _intern(self, term: Term, rule: str) -> int:
        return intern_within(self.facts.table, term, self._budget, rule)


def _is_possible(patterns: Sequence[tuple[Index, Index, int | None, int | None]]) -> bool:
    for by_subject, by_object, subject, object_ in patterns:
        if not by_subject:
            return False
        if subject is not None and subject not in by_subject:
            return False
        if object_ is not None and object_ not in by_object:
            return False
    return True


def _late(
    compile_: Callable[[], Callable[Inputs, Result]],
    is_possible: Callable[[], bool],
    otherwise: Callable[Inputs, Result],
) -> Callable[Inputs, Result]:
    """Return the function that ``compile_`` gives, compiled when it is called and ``is_possible`` for the first time.

    Before that ``otherwise`` gives its result.
    """
    made: list[Callable[Inputs, Result]] = []

    def call(*arguments: Inputs.args, **named: Inputs.kwargs) -> Result:
        if not made:
            if not is_possible():
                return otherwise(*arguments, **named)
            made.append(compile_())
        return made[0](*arguments, **named)

    return call


@lru_cache(maxsize=2048)
def _code(text: str) -> CodeType:
    """Return the code of a text; rules of one shape have the same for some functions, and so has a memory made anew."""
    return compile(text, "<rule>", "exec")


def _trigger(position: int, change: Change, functions: Functions, name: str) -> str:
    return functions.trigger(name, position, change)


def _group_trigger(group: Group, change: Change, functions: Functions, name: str) -> str:
    return functions.group_trigger(name, group, change)


def _head_check(position: int, functions: Functions, name: str) -> str:
    return functions.head_check(name, position)


def _retrieval_check(position: int, field: int | None, functions: Functions, name: str) -> str:
    return functions.retrieval_check(name, position, field)


def common_to_all(*containers: Container) -> Container:
    """Return what is in all of some containers of numbers."""
    return reduce(common, sorted(containers, key=len))
