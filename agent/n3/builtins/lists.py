"""``list:`` builtins, and ``math:memberCount``. Sources: the list vocabulary of the Notation3 community group, and cwm.

Lists are compared member by member, members as terms. rdf:nil is the empty list.
"""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from agent.n3.builtins.numbers import Kind, read_typed_number
from agent.n3.builtins.order import sort_key
from agent.n3.builtins.registry import BOTH, EVERY, OBJECT, SUBJECT, Context, Positions, function, relation
from agent.rdf.terms import RDF_NIL, XSD_INTEGER, ListTerm, Literal, Term
from agent.vocab import LIST, MATH

Members: TypeAlias = tuple[Term, ...]
MAX_LENGTH = 1_000_000

Pairs: TypeAlias = Iterable[tuple[Term, Term]]


def _members(term: Term | None) -> Members | None:
    """Return the members of a list, nothing for what is none."""
    if isinstance(term, ListTerm):
        return term.items
    return () if term == RDF_NIL else None


def _list(members: Members) -> Term:
    return ListTerm(members) if members else RDF_NIL


def _integer(value: int) -> Literal:
    return Literal(str(value), XSD_INTEGER)


def _becomes(
    name: str, inner: Positions = frozenset()
) -> Callable[[Callable[[Members], Members | None]], Callable[[Members], Members | None]]:
    """Register the decorated computation as ``list:name``: the members of the subject become those of the object."""

    def register(compute: Callable[[Members], Members | None]) -> Callable[[Members], Members | None]:
        def evaluate(subject: Term | None, object_: Term | None, context: Context) -> Pairs:
            members = _members(subject)
            result = None if members is None else compute(members)
            if subject is None or result is None:
                return
            if object_ is None:
                yield subject, _list(result)
            elif _members(object_) == result:
                yield subject, object_

        relation(LIST + name, SUBJECT, lists=BOTH, waits=True, inner=inner)(evaluate)
        return compute

    return register


@relation(LIST + "member", SUBJECT, lists=SUBJECT)
def member(subject: Term | None, object_: Term | None, context: Context) -> Pairs:
    """Relate a known list to each of its members."""
    for item in _members(subject) or ():
        if subject is not None and (object_ is None or object_ == item):
            yield subject, item


@relation(LIST + "in", OBJECT, lists=OBJECT)
def contained_in(subject: Term | None, object_: Term | None, context: Context) -> Pairs:
    """Relate each member of a known list to it: ``list:member`` with the sides exchanged."""
    for known, item in member(object_, subject, context):
        yield item, known


@function(LIST + "first", lists=SUBJECT)
def first(subject: Term, context: Context) -> Term | None:
    """Return the first member; the empty list has none."""
    members = _members(subject)
    return members[0] if members else None


@function(LIST + "last", lists=SUBJECT)
def last(subject: Term, context: Context) -> Term | None:
    """Return the last member; the empty list has none."""
    members = _members(subject)
    return members[-1] if members else None


@_becomes("rest")
def rest(members: Members) -> Members | None:
    """Return the list without its first member; the empty list has no rest."""
    return members[1:] if members else None


@function(LIST + "length", lists=SUBJECT, numeric=True)
def length(subject: Term, context: Context) -> Term | None:
    """Return the number of members, an xsd:integer."""
    members = _members(subject)
    return None if members is None else _integer(len(members))


@function(MATH + "memberCount", lists=SUBJECT, numeric=True)
def member_count(subject: Term, context: Context) -> Term | None:
    """Return the number of members, as ``list:length`` does. Source: cwm's math vocabulary."""
    return length(subject, context)


@relation(LIST + "iterate", SUBJECT, lists=SUBJECT)
def iterate(subject: Term | None, object_: Term | None, context: Context) -> Pairs:
    """Relate a known list to ``(index member)`` for each member, the index an xsd:integer from 0."""
    for index, item in enumerate(_members(subject) or ()):
        pair = ListTerm((_integer(index), item))
        if subject is not None and (object_ is None or object_ == pair):
            yield subject, pair


@function(LIST + "memberAt", lists=SUBJECT, inner=frozenset({("subject", 0)}))
def member_at(subject: Term, context: Context) -> Term | None:
    """Return what stands at an index in a list: the subject is ``(list index)``, the index an integer from 0."""
    match _members(subject):
        case (items, Literal() as index):
            members, number = _members(items), read_typed_number(index, plain_too=False)
        case _:
            return None
    if members is None or number is None or number.kind is not Kind.INTEGER:
        return None
    return members[int(number.value)] if 0 <= number.value < len(members) else None


@_becomes("remove", frozenset({("subject", 0)}))
def remove(members: Members) -> Members | None:
    """Return a list without a term, wherever it stands in there: the subject is ``(list term)``."""
    if len(members) != 2:
        return None
    items = _members(members[0])
    return None if items is None else tuple(item for item in items if item != members[1])


@_becomes("removeDuplicates")
def remove_duplicates(members: Members) -> Members:
    """Return the list with the first of equal members only."""
    return tuple(dict.fromkeys(members))


@_becomes("sort")
def sort(members: Members) -> Members | None:
    """Return the members in ascending order; those with more than 100,000 parts are too large to be sorted.

    Blank nodes come first, then IRIs, numbers by value, other literals, lists member by member, and formulas by a digest; texts
    are compared by code points. Source: SPARQL 1.1, section 15.1, extended to terms that it does not have.
    """
    keyed = [(key, item) for item in members if (key := sort_key(item)) is not None]
    if len(keyed) < len(members):
        return None
    return tuple(item for _, item in sorted(keyed, key=lambda pair: pair[0]))


@relation(LIST + "append", SUBJECT, OBJECT, lists=BOTH, waits=True, inner=frozenset({("subject", EVERY)}))
def append(subject: Term | None, object_: Term | None, context: Context) -> Pairs:
    """Relate a list of lists to all their members in one list; a known object to each way to cut it in two."""
    whole = _members(object_)
    if subject is not None:
        appended = _appended(_members(subject))
        if appended is not None and object_ is None:
            yield subject, _list(appended)
        elif appended is not None and object_ is not None and whole == appended:
            yield subject, object_
    elif object_ is not None and whole is not None:
        for cut in range(len(whole) + 1):
            yield ListTerm((_list(whole[:cut]), _list(whole[cut:]))), object_


def _appended(lists: Members | None) -> Members | None:
    parts = [_members(part) for part in lists or ()]
    known = [part for part in parts if part is not None]
    if lists is None or len(known) != len(parts) or sum(map(len, known)) > MAX_LENGTH:
        return None
    return tuple(item for part in known for item in part)


@relation(LIST + "firstRest", SUBJECT, OBJECT, lists=BOTH, waits=True, inner=frozenset({("object", 1)}))
def first_rest(subject: Term | None, object_: Term | None, context: Context) -> Pairs:
    """Relate a list that is not empty to ``(first rest)``: its first member and the list of all others."""
    members = _members(subject)
    whole = _put_before(_members(object_))
    if subject is None and object_ is not None and whole is not None:
        yield ListTerm(whole), object_
    elif subject is not None and object_ is None and members:
        yield subject, ListTerm((members[0], _list(members[1:])))
    elif subject is not None and object_ is not None and members and members == whole:
        yield subject, object_


def _put_before(pair: Members | None) -> Members | None:
    others = _members(pair[1]) if pair is not None and len(pair) == 2 else None
    if pair is None or others is None or len(others) >= MAX_LENGTH:
        return None
    return pair[0], *others
