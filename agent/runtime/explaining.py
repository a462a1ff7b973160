"""Proofs on demand: of everything that rules derived, or of what a pattern asks for."""

from collections.abc import Iterable, Mapping

from agent.errors import ProgramError, UsageError
from agent.n3.parser import parse
from agent.n3.program import Program
from agent.rdf.matching import matches
from agent.rdf.terms import IRI, ListTerm, Triple, document_of
from agent.reason.absence import Absence, Absences
from agent.reason.budget import Budget, Tries
from agent.reason.proof import Prover, RankedFacts, Step
from agent.runtime.derivation import Derivation

_NOWHERE = "http://example.org/"


def explain(
    program: Program,
    derivation: Derivation,
    wanted: Iterable[Triple],
    sources: Iterable[tuple[str, Iterable[Triple]]],
    *,
    budget: Budget | None = None,
) -> tuple[Step, ...]:
    """Return the steps that prove the known triples ``wanted``, in the order in which they came; none comes twice.

    ``derivation`` has to be one with a RankedFacts as memory; ``sources`` are the facts by the name of their file. What
    a document says that a rule looked into is stated by that document.
    BudgetError if looking for proofs takes too long.
    """
    stated: dict[Triple, str] = {}
    for name, triples in sources:
        for triple in triples:
            stated.setdefault(triple, name)
    for quotation in derivation.quotations:
        if isinstance(quotation.subject, IRI):
            stated.setdefault(quotation, document_of(quotation.subject.value))
    memory = derivation.memory
    if not isinstance(memory, RankedFacts):
        raise TypeError("only a memory that ranks its triples can be explained")
    prover = Prover(program, memory, derivation.context, lambda triple: stated.get(triple, ""), budget)
    for triple in sorted(wanted, key=memory.rank):
        prover.prove(triple)
    return tuple(prover.steps)


def explain_absence(
    program: Program, derivation: Derivation, pattern: Triple, *, budget: Budget | None = None
) -> Absence | None:
    """Return what the rules that could give ``pattern`` lack, if no triple that is known is it.

    BudgetError if trying them takes too long.
    """
    return Absences(program, derivation.memory, derivation.context, budget=budget).explain(pattern)


def matching(triples: Iterable[Triple], pattern: Triple) -> tuple[Triple, ...]:
    """Return those of ``triples`` that are ``pattern`` for some values of its variables and blank nodes."""
    wanted = ListTerm(pattern)
    tries = Tries(Budget().bindings)

    def spend() -> None:
        tries.made += 1
        tries.check("(the pattern)")

    def is_wanted(triple: Triple) -> bool:
        return any(True for _ in matches(wanted, ListTerm(triple), {}, spend))

    return tuple(filter(is_wanted, triples))


def read_pattern(text: str, prefixes: Mapping[str, str]) -> Triple:
    """Return the triple that ``text`` is, written with ``prefixes``; UsageError if it is none."""
    head = "".join(f"@prefix {prefix}: <{iri}> . " for prefix, iri in prefixes.items())
    try:
        statements = parse(
            f"{head}\n{text.rstrip().removesuffix('.')} .", source="pattern", base=_NOWHERE
        ).statements
    except ProgramError as error:
        raise UsageError(
            "USE001", f"{text} is no triple: {error.message}", hint="Write it as in a rule: ':ann :knows ?x'."
        ) from None
    if len(statements) != 1:
        raise UsageError(
            "USE001", f"{text} is not one triple", hint="Write it as in a rule: ':ann :knows ?x'."
        )
    return statements[0].triple
