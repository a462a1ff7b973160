"""``log:`` builtins on formulas. Sources: the log vocabulary of the Notation3 community group, and cwm.

``log:notIncludes``, ``log:collectAllIn`` and ``log:forAllIn`` are not here: the reasoner makes them of ``log:includes``.
"""

from collections.abc import Iterable

from agent.n3.builtins.registry import SUBJECT, Bindings, Spend, completion
from agent.rdf.matching import inclusions
from agent.rdf.structure import fill_in
from agent.rdf.terms import Formula, Term
from agent.vocab import LOG


@completion(LOG + "includes", SUBJECT)
def includes(subject: Term, object_: Term, known: Bindings, spend: Spend) -> Iterable[Bindings]:
    """Hold if the triples of the object, with values for its variables, are all among those of the subject.

    Builtins are triples like others in there; every list has its rdf:first and rdf:rest. An object that is a
    variable binds nothing: the variables and blank nodes of its formula stand for anything.
    """
    formula = fill_in(subject, known.get)
    if not isinstance(formula, Formula):
        return
    if isinstance(object_, Formula):
        yield from inclusions(object_, formula, known, spend)
        return
    pattern = known.get(object_)
    if isinstance(pattern, Formula) and any(True for _ in inclusions(pattern, formula, {}, spend)):
        yield {}
