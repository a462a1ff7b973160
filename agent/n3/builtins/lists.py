"""``list:`` builtins. Source: cwm's list vocabulary."""

from collections.abc import Iterable

from agent.n3.builtins.registry import OBJECT, SUBJECT, Context, relation
from agent.rdf.terms import ListTerm, Term
from agent.vocab import LIST


@relation(LIST + "member", SUBJECT, lists=SUBJECT)
def member(subject: Term | None, object_: Term | None, context: Context) -> Iterable[tuple[Term, Term]]:
    """Relate a known list to each of its members, compared as terms."""
    if isinstance(subject, ListTerm):
        for item in subject.items:
            if object_ is None or object_ == item:
                yield subject, item


@relation(LIST + "in", OBJECT, lists=OBJECT)
def contained_in(subject: Term | None, object_: Term | None, context: Context) -> Iterable[tuple[Term, Term]]:
    """Relate each member of a known list to it: ``list:member`` with the sides exchanged."""
    for known, item in member(object_, subject, context):
        yield item, known
