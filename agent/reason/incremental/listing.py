"""The text that the rules of a program are compiled to, for people who look for a fault."""

from collections.abc import Iterator
from typing import NamedTuple

from agent.n3.program import Program
from agent.reason.facts import Facts
from agent.reason.incremental.bulk_text import BulkFunctions
from agent.reason.incremental.functions import Change, Functions, serves_both
from agent.reason.incremental.source import Needs
from agent.reason.incremental.units import Unit, Units
from agent.reason.join import constants_of
from agent.reason.prepared import prepare_derivation, prepare_inconsistency, prepare_request


class Listed(NamedTuple):
    """A function: the rule it belongs to, with its place, what the function is for, and its text."""

    rule: str
    purpose: str
    text: str


def compiled_text(program: Program) -> str:
    """Return all functions that the rules of ``program`` may be compiled to; the numbers of terms are not those of a run.

    Only rules for which ``why_not_incremental`` finds nothing are compiled. Raises ``ProgramError`` for rules that cannot be run.
    """
    return "\n\n".join(
        f"# {' '.join(each.rule.split())}: {each.purpose}\n{each.text}" for each in functions_of(program)
    )


def functions_of(program: Program) -> Iterator[Listed]:
    """Yield the functions of ``program``, as ``compiled_text`` shows them."""
    facts = Facts()
    for unit in _units_of(program):
        numbers = constants_of(unit.slots, facts)
        one_by_one, in_bulk = Functions(unit, numbers, Needs()), BulkFunctions(unit, numbers, Needs())
        for purpose, text in (*_of_facts(unit, one_by_one), *_of_everything(unit, in_bulk, one_by_one)):
            yield Listed(f"{unit.rule} at {unit.place}", purpose, text)


def _units_of(program: Program) -> list[Unit]:
    units = Units()
    for rule in program.derivations:
        units.derivation(prepare_derivation(rule))
    for request in program.requests:
        if request.is_retrieval:
            units.retrieval(request, prepare_request(request))
        else:
            units.view(prepare_request(request))
    for inconsistency in program.inconsistencies:
        units.view(prepare_inconsistency(inconsistency))
    return units.all


def _of_facts(unit: Unit, functions: Functions) -> Iterator[tuple[str, str]]:
    """Yield what a unit does with facts that came, and with those that went if it concludes facts itself."""
    changes: tuple[Change, ...] = ("gained", "lost") if unit.row is None else ("gained",)
    for change in ("both",) if serves_both(unit) else changes:
        told = "gained, or lost with w," if change == "both" else change
        for position, _ in unit.starts:
            yield f"facts {told} in pattern {position}", functions.trigger("f", position, change)
        for group in unit.groups:
            purpose = f"facts of negated group {group.predicate}, conclusions {told.rstrip(',')}"
            yield purpose, functions.group_trigger("f", group, change)


def _of_everything(unit: Unit, in_bulk: BulkFunctions, functions: Functions) -> Iterator[tuple[str, str]]:
    """Yield what finds everything that a unit concludes, and what looks for a support of a conclusion."""
    yield "all instances", functions.run("f")
    if unit.row is not None:
        yield "whether a row holds", functions.row_check("f")
        return
    yield "all instances, in bulk", in_bulk.all("f")
    for position, _ in unit.starts:
        yield f"many facts in pattern {position}", in_bulk.start("f", position, is_whole=False)
        yield f"all facts in pattern {position}", in_bulk.start("f", position, is_whole=True)
    if unit.group is not None:
        yield "support of a fact of the group", functions.group_check("f")
    for position in range(len(unit.head.triples) if unit.head else 0):
        yield f"support of triple {position} of the head", functions.head_check("f", position)
    for position, retrieval in enumerate(unit.retrievals):
        for field in (None, *range(len(retrieval.fields))):
            text = functions.retrieval_check("f", position, field)
            yield f"support of request {position}, field {field}", text
