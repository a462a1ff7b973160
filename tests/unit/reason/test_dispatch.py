"""Which rules a fact reaches."""

from collections.abc import Sequence
from typing import Any

from agent.reason.containers import Container
from agent.reason.incremental.dispatch import Dispatch, Fact, Gate, Lazy, Trigger


def test_a_rule_that_leaves_the_predicate_open_starts_where_the_schema_says_something_of_it_now() -> None:
    started: list[int] = []

    def start(facts: Sequence[Fact], predicate: int, _: set[Any]) -> None:
        started.append(predicate)

    has_domain: dict[int, Container] = {}
    has_type: dict[int, Container] = {7: (6,)}
    dispatch = Dispatch()
    dispatch.add(0, None, None, Lazy(lambda: start), Gate(has_domain, None))
    dispatch.add(1, None, None, Lazy(lambda: start), Gate(has_type, 7))
    facts: dict[int, list[Fact]] = {5: [(1, 5, 2)], 6: [(1, 6, 2)]}
    dispatch.fire(facts, set())
    assert started == [6]
    has_domain[5] = (9,)
    del has_type[7]
    dispatch.fire(facts, set())
    assert started == [6, 5]


def test_a_function_is_compiled_when_it_can_find_something() -> None:
    compiled: list[str] = []
    possible: list[bool] = [False]

    def start(facts: Sequence[Fact], predicate: int, new: set[Any]) -> None:
        new.update(facts)

    def compile_() -> Trigger:
        compiled.append("once")
        return start

    new: set[Any] = set()
    lazy = Lazy(compile_, is_possible=lambda: possible[0])
    lazy([(1, 5, 2)], 5, new)
    assert (compiled, new) == ([], set())
    possible[0] = True
    lazy([(1, 5, 2)], 5, new)
    possible[0] = False
    lazy([(3, 5, 2)], 5, new)
    assert (compiled, new) == (["once"], {(1, 5, 2), (3, 5, 2)})
