"""Lists of data, cell by cell, read as one term for the builtins that want a list."""

from agent.rdf.terms import RDF_FIRST, RDF_NIL, RDF_REST, ListTerm
from agent.reason.facts import Facts

MAX_LENGTH = 10_000
MAX_READINGS = 64

Members = tuple["Members", int] | None


def read_lists(facts: Facts, node: int) -> list[ListTerm]:
    """Return the lists that start at ``node`` by rdf:first and rdf:rest and end at rdf:nil.

    A well-formed list gives one. A cell with several first or rest values gives one for each choice, so that what was
    read stays true when memory grows; more than ``MAX_READINGS`` of them, a cycle, an open end or more than
    ``MAX_LENGTH`` members give none.
    """
    table = facts.table
    nil, first, rest = (table.intern(term) for term in (RDF_NIL, RDF_FIRST, RDF_REST))
    firsts, rests = facts.by_subject.get(first, {}), facts.by_subject.get(rest, {})
    finished: list[ListTerm] = []
    paths: list[tuple[int, Members]] = [(node, None)]
    cells: set[int] = set()
    for length in range(MAX_LENGTH + 1):
        longer: list[tuple[int, Members]] = []
        for cell, members in paths:
            if cell == nil:
                finished.append(_list_of(facts, members))
                continue
            cells.add(cell)
            items, afters = firsts.get(cell, ()), rests.get(cell, ())
            if len(items) * len(afters) > MAX_READINGS:
                return []
            longer += [(after, (members, item)) for item in items for after in afters]
        if len(finished) + len(longer) > MAX_READINGS:
            return []
        # A path of more cells than there are has been through one of them twice.
        if not longer or length >= len(cells):
            return finished
        paths = longer
    return []


def _list_of(facts: Facts, members: Members) -> ListTerm:
    items = []
    while members is not None:
        members, member = members
        items.append(facts.table.terms[member])
    return ListTerm(tuple(reversed(items)))
