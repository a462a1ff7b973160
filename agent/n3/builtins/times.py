"""``time:`` builtins. The present is the instant of the step, the same in the whole step. Source: cwm's time vocabulary."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from agent.n3.builtins.numbers import Kind, number_literal
from agent.n3.builtins.registry import NEITHER, Context, function, relation
from agent.rdf.terms import XSD_DATETIME, XSD_STRING, Literal, Term
from agent.vocab import TIME

_DATETIME = re.compile(
    r"(?P<seconds>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})"
    r"(?P<fraction>\.[0-9]{1,12})?(?P<zone>Z|[+-][0-9]{2}:[0-9]{2})"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _present(subject: Term | None, object_: Term | None, context: Context) -> Iterable[tuple[Term, Term]]:
    instant = Literal(context.instant, XSD_DATETIME)
    if object_ is None or object_ == instant:
        yield subject if subject is not None else Literal(""), instant


@relation(TIME + "localTime", NEITHER, waits=True)
def local_time(subject: Term | None, object_: Term | None, context: Context) -> Iterable[tuple[Term, Term]]:
    """Relate anything to the instant of the step, in UTC; an unknown subject becomes the empty string."""
    return _present(subject, object_, context)


@relation(TIME + "gmTime", NEITHER, waits=True)
def gm_time(subject: Term | None, object_: Term | None, context: Context) -> Iterable[tuple[Term, Term]]:
    """Relate anything to the instant of the step, in UTC; an unknown subject becomes the empty string."""
    return _present(subject, object_, context)


@function(TIME + "inSeconds", numeric=True)
def in_seconds(subject: Term, context: Context) -> Term | None:
    """Return the seconds since 1970-01-01T00:00:00Z of an xsd:dateTime or string: an integer, with a fraction a decimal.

    An instant without time zone does not hold: its seconds are not known.
    """
    if not isinstance(subject, Literal) or subject.datatype not in {XSD_DATETIME, XSD_STRING}:
        return None
    match = _DATETIME.fullmatch(subject.lexical)
    if match is None:
        return None
    try:
        instant = datetime.fromisoformat(match["seconds"] + match["zone"])
    except ValueError:
        return None
    seconds = (instant - _EPOCH) // timedelta(seconds=1)
    fraction = Decimal("0" + (match["fraction"] or ""))
    if fraction:
        return number_literal(seconds + fraction, Kind.DECIMAL, python_doubles=False)
    return number_literal(seconds, Kind.INTEGER, python_doubles=False)
