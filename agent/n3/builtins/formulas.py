"""``log:`` builtins on formulas. Sources: the log vocabulary of the Notation3 community group, and cwm.

``log:notIncludes``, ``log:collectAllIn`` and ``log:forAllIn`` are not here: the reasoner makes them of ``log:includes``.
"""

from collections.abc import Iterable

from agent.n3.builtins.registry import SUBJECT, Bindings, Context, Spend, completion, function
from agent.rdf.matching import inclusions, renamed
from agent.rdf.structure import fill_in
from agent.rdf.terms import BlankNode, Formula, ListTerm, Term, Triple
from agent.vocab import LOG


@completion(LOG + "includes", SUBJECT)
def includes(
    subject: Term, object_: Term, known: Bindings, context: Context, spend: Spend
) -> Iterable[Bindings]:
    """Hold if the triples of the object, with values for its variables, are all among those of the subject.

    Builtins are triples like others in there; every list has its rdf:first and rdf:rest. An object that is a
    variable binds nothing: the variables and blank nodes of its formula stand for anything.
    """
    formula = fill_in(subject, known.get)
    return _included(formula, object_, known, spend) if isinstance(formula, Formula) else ()


def _included(formula: Formula, object_: Term, known: Bindings, spend: Spend) -> Iterable[Bindings]:
    if isinstance(object_, Formula):
        yield from inclusions(object_, formula, known, spend)
        return
    pattern = known.get(object_)
    if isinstance(pattern, Formula) and any(True for _ in inclusions(pattern, formula, {}, spend)):
        yield {}


@completion(LOG + "supports", SUBJECT)
def supports(
    subject: Term, object_: Term, known: Bindings, context: Context, spend: Spend
) -> Iterable[Bindings]:
    """Hold if what follows from the subject by its own rules includes the object, as ``log:includes`` says."""
    formula = fill_in(subject, known.get)
    if not isinstance(formula, Formula) or context.conclude is None:
        return ()
    closure = context.conclude(formula)
    return _included(closure, object_, known, spend) if closure is not None else ()


@function(LOG + "conclusion")
def conclusion(subject: Term, context: Context) -> Term | None:
    """Compute the formula of all that the rules in a formula make of its triples, with those triples.

    There is none if a rule in it cannot run; the limits of the step hold inside too.
    """
    if not isinstance(subject, Formula) or context.conclude is None:
        return None
    return context.conclude(subject)


@function(LOG + "conjunction", lists=SUBJECT)
def conjunction(subject: Term, context: Context) -> Term | None:
    """Compute the union of a list of formulas; blank nodes of different formulas stay different."""
    if not isinstance(subject, ListTerm):
        return None
    triples: list[Triple] = []
    for position, formula in enumerate(dict.fromkeys(subject.items)):
        if not isinstance(formula, Formula):
            return None
        own = formula.own_nodes
        names = {node: BlankNode(f"{position}.{number}", "conjunction{}") for node, number in own.items()}
        triples += (
            [Triple(*(renamed(part, names) for part in triple)) for triple in formula.triples]
            if names
            else formula.triples
        )
    return Formula(tuple(dict.fromkeys(triples)))
