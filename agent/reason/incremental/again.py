"""Proofs where every step is recomputed: the step is done once more, in a memory that ranks what comes into it."""

from collections.abc import Iterable, Mapping, Sequence

from agent.n3.builtins import Context
from agent.n3.program import Program
from agent.n3.quoted import Quotation
from agent.rdf.terms import IRI, Triple, document_of
from agent.reason.budget import Budget
from agent.reason.fixpoint import Reasoner
from agent.reason.proof import THE_PROGRAM, THE_SENTRIES, Prover, RankedFacts


def prove_again(
    program: Program,
    context: Context,
    budget: Budget,
    protected: frozenset[str],
    given: Iterable[Triple],
    wants: Iterable[str],
    said: Mapping[str, Sequence[Triple]],
    quoted: Mapping[str, Quotation],
    concluded: Iterable[Triple],
) -> Prover:
    """Return what finds proofs in the memory of a step that was given and read these things.

    A triple that a document says is stated by it; why the document was read is not told.
    """
    memory = RankedFacts()
    reasoner = Reasoner(program, context, budget, protected=protected, memory=memory)
    reasoner.read(quoted)
    reasoner.add(given)
    sources = dict.fromkeys(program.facts, THE_PROGRAM)
    read: set[str] = set()
    while waiting := ({*map(document_of, wants), *reasoner.retrievals()} & said.keys()) - read:
        read |= waiting
        for uri in sorted(waiting):
            for triple in said[uri]:
                sources.setdefault(triple, uri)
            reasoner.add(said[uri])
    concluded = tuple(concluded)
    for triple in concluded:
        sources.setdefault(triple, THE_SENTRIES)
    reasoner.finish(lambda _: concluded)
    for quotation in reasoner.quotations:
        if isinstance(quotation.subject, IRI):
            sources.setdefault(quotation, document_of(quotation.subject.value))
    return Prover(
        program,
        memory,
        reasoner.context,
        lambda triple: sources.get(triple, ""),
        budget,
        protected=protected,
    )
