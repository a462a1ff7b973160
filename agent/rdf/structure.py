"""Terms with parts: what is unknown in a list or formula of a rule, and filling it in.

All of it is iterative, because the depth of nesting comes from input.
"""

from collections.abc import Callable, Iterator, Sequence

from agent.rdf.terms import BlankNode, Formula, ListTerm, Term, Variable, put_together


def unknowns_of(term: Term) -> Iterator[Term]:
    """Yield what a pattern leaves open: variables anywhere, blank nodes outside formulas; with repetitions.

    A blank node inside a quoted formula belongs to that formula.
    """
    pending: list[tuple[Term, bool]] = [(term, False)]
    while pending:
        part, quoted = pending.pop()
        match part:
            case Variable():
                yield part
            case BlankNode() if not quoted:
                yield part
            case ListTerm(items):
                pending.extend((item, quoted) for item in reversed(items))
            case Formula(triples):
                pending.extend((item, True) for triple in reversed(triples) for item in reversed(triple))
            case _:
                pass


def fill_in(term: Term, value_of: Callable[[Term], Term | None]) -> Term:
    """Return ``term`` with every open part replaced by its value; parts without a value stay."""
    results: list[Term] = []
    pending: list[tuple[Term, bool, bool]] = [(term, False, False)]
    while pending:
        part, quoted, parts_done = pending.pop()
        if parts_done:
            put_together(part, results)
        elif isinstance(part, ListTerm):
            pending.append((part, quoted, True))
            pending.extend((item, quoted, False) for item in reversed(part.items))
        elif isinstance(part, Formula):
            pending.append((part, quoted, True))
            pending.extend(
                (item, True, False) for triple in reversed(part.triples) for item in reversed(triple)
            )
        else:
            is_open = isinstance(part, Variable) or (isinstance(part, BlankNode) and not quoted)
            value = value_of(part) if is_open else None
            results.append(part if value is None else value)
    return results.pop()


def count_parts(term: Term, known: dict[Term, int]) -> int:
    """Return how many terms stand in ``term``, itself included, each as often as it stands there.

    ``known`` has the numbers for lists and formulas counted before, and takes the new ones: terms share their parts,
    so a few steps of a rule make one that nobody could write down.
    """
    pending: list[Term] = [term]
    while pending:
        part = pending[-1]
        parts = _parts_of(part)
        inner = [each for each in parts if isinstance(each, ListTerm | Formula)]
        missing = [each for each in inner if each not in known]
        if missing:
            pending.extend(missing)
            continue
        pending.pop()
        known[part] = 1 + len(parts) - len(inner) + sum(known[each] for each in inner)
    return known[term]


def _parts_of(term: Term) -> Sequence[Term]:
    match term:
        case ListTerm(items):
            return items
        case Formula(triples):
            return [part for triple in triples for part in triple]
        case _:
            return ()
