"""Terms with parts: what is unknown in a list or formula of a rule, filling it in, taking it apart.

All of it is iterative, because the depth of nesting comes from input.
"""

from collections.abc import Callable, Iterator, Mapping

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


def take_apart(pattern: Term, term: Term, known: Mapping[Term, Term]) -> dict[Term, Term] | None:
    """Return the values that the open parts of ``pattern`` must have to make it ``term``, beyond those ``known``.

    Nothing if it cannot be ``term``. Formulas correspond triple by triple in the order of their text.
    """
    found: dict[Term, Term] = {}
    pending: list[tuple[Term, Term, bool]] = [(pattern, term, False)]
    while pending:
        part, value, quoted = pending.pop()
        if isinstance(part, Variable) or (isinstance(part, BlankNode) and not quoted):
            expected = known.get(part, found.get(part))
            if expected is None:
                found[part] = value
            elif expected != value:
                return None
        elif (
            isinstance(part, ListTerm) and isinstance(value, ListTerm) and len(part.items) == len(value.items)
        ):
            pending.extend((one, other, quoted) for one, other in zip(part.items, value.items, strict=True))
        elif (
            isinstance(part, Formula)
            and isinstance(value, Formula)
            and len(part.triples) == len(value.triples)
        ):
            for mine, theirs in zip(part.triples, value.triples, strict=True):
                pending.extend((one, other, True) for one, other in zip(mine, theirs, strict=True))
        elif part != value:
            return None
    return found
