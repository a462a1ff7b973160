"""A program as both baselines take it: bodies sorted into what must be there, what is computed, what must be absent."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agent.n3.builtins import BUILTINS
from agent.n3.builtins.registry import Builtin
from agent.n3.program import Pattern
from agent.rdf.terms import IRI, Formula, ListTerm, Term, Triple, Variable
from agent.vocab import LOG

_NOT_INCLUDES = IRI(LOG + "notIncludes")


@dataclass(frozen=True, slots=True)
class Computed:
    """A pattern whose predicate is a builtin."""

    builtin: Builtin
    subject: Term
    object: Term


@dataclass(frozen=True, slots=True)
class Body:
    """The body of a rule, or a negated group in one."""

    atoms: tuple[Triple, ...]
    computed: tuple[Computed, ...]
    absent: tuple["Body", ...]


def body_of(patterns: Iterable[Pattern]) -> Body:
    """Return a body sorted; ValueError for what rules/gsm does not use and the baselines do not know."""
    return _sorted_out([pattern.triple for pattern in patterns])


def _sorted_out(triples: Iterable[Triple]) -> Body:
    atoms: list[Triple] = []
    computed: list[Computed] = []
    absent: list[Body] = []
    for triple in triples:
        builtin = BUILTINS.get(triple.predicate.value) if isinstance(triple.predicate, IRI) else None
        if triple.predicate == _NOT_INCLUDES and isinstance(triple.object, Formula):
            absent.append(_sorted_out(triple.object.triples))
        elif builtin is not None:
            computed.append(Computed(builtin, triple.subject, triple.object))
        elif any(isinstance(term, Formula | ListTerm) for term in triple):
            raise ValueError(f"no baseline knows {triple}")
        else:
            atoms.append(triple)
    return Body(tuple(atoms), tuple(computed), tuple(absent))


def variables_in(terms: Iterable[Term]) -> Iterator[str]:
    """Yield the names of the variables in ``terms``, also inside lists and formulas."""
    pending = list(terms)
    while pending:
        match pending.pop():
            case Variable(name):
                yield name
            case ListTerm(items):
                pending.extend(items)
            case Formula(triples):
                pending.extend(part for triple in triples for part in triple)
            case _:
                pass
