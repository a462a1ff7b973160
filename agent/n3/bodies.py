"""Rule bodies: patterns, with the blank nodes of the body turned into variables."""

from collections.abc import Iterable

from agent.n3.program import Pattern
from agent.n3.write import BODY_BLANK
from agent.rdf.terms import IRI, BlankNode, Formula, ListTerm, Term, Triple, Variable, put_together
from agent.vocab import LOG

NOT_INCLUDES = IRI(LOG + "notIncludes")


def as_body(patterns: Iterable[Pattern]) -> tuple[Pattern, ...]:
    """Return ``patterns`` as a rule body: its blank nodes are existential, so they become variables.

    The same holds inside groups of ``log:notIncludes``. A blank node left of log:notIncludes stays: it stands for
    the memory. Blank nodes of other formulas in the body belong to those.
    """
    return tuple(Pattern(_opened(pattern.triple), pattern.place, pattern.left) for pattern in patterns)


def _opened(triple: Triple) -> Triple:
    if triple.predicate == NOT_INCLUDES:
        subject = (
            triple.subject if isinstance(triple.subject, BlankNode) else _replaced(triple.subject, into=False)
        )
        return Triple(subject, triple.predicate, _replaced(triple.object, into=True))
    return Triple(*(_replaced(part, into=False) for part in triple))


def _replaced(term: Term, *, into: bool) -> Term:
    """Return ``term`` with variables for its blank nodes; formulas are entered if ``into``, else kept."""
    if isinstance(term, IRI):
        return term
    results: list[Term] = []
    pending: list[tuple[Term, bool]] = [(term, False)]
    while pending:
        part, is_read = pending.pop()
        if is_read and isinstance(part, ListTerm | Formula):
            put_together(part, results)
        elif is_read:
            results.append(part)
        elif isinstance(part, ListTerm):
            pending.append((part, True))
            pending.extend((item, False) for item in reversed(part.items))
        elif isinstance(part, Formula) and into:
            pending.append((part, True))
            for triple in reversed(part.triples):
                is_memory = triple.predicate == NOT_INCLUDES and isinstance(triple.subject, BlankNode)
                pending += [(triple.object, False), (triple.predicate, False), (triple.subject, is_memory)]
        elif isinstance(part, BlankNode):
            results.append(Variable(f"{BODY_BLANK}{part.label}"))
        else:
            results.append(part)
    return results.pop()
