"""``time:`` builtins. The present is the instant of the step, the same in the whole step.

The subject is a literal in the form of an xsd:dateTime, xsd:date, xsd:gYearMonth or xsd:gYear, typed so or plain;
minutes without seconds are taken too (W3C note on date and time formats). The parts of it that are not written do not
hold. Years are those from 0001 to 9999. Parts are xsd:integer and compared by value. Source: cwm's time vocabulary.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from decimal import ROUND_FLOOR, Decimal

from msgspec import Struct

from agent.n3.builtins.numbers import EXACT, Kind, as_decimal, number_literal, read_typed_number
from agent.n3.builtins.registry import NEITHER, OBJECT, SUBJECT, Context, function, relation, same_value
from agent.rdf.terms import XSD_DATETIME, XSD_STRING, Literal, Term
from agent.vocab import TIME, XSD

_INSTANT = re.compile(
    r"(?P<year>[0-9]{4})(?:-(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2})"
    r"(?:T(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?P<fraction>\.[0-9]{1,12})?)?)?)?)?"
    r"(?P<zone>Z|[+-][0-9]{2}:[0-9]{2})?"
)
_DATATYPES = {XSD_STRING, XSD_DATETIME} | {
    XSD + name for name in ("dateTimeStamp", "date", "gYearMonth", "gYear")
}
_DIGITS = len(".") + 12
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class _Instant(Struct, frozen=True):
    """A point in time as written: the first moment of what is said, and which ``parts`` of it are."""

    start: datetime
    fraction: Decimal
    parts: frozenset[str]
    zone: str

    @property
    def seconds(self) -> int:
        """Return the whole seconds since 1970-01-01T00:00:00Z; without a zone they are counted as in UTC."""
        start = self.start if self.start.tzinfo is not None else self.start.replace(tzinfo=UTC)
        return (start - _EPOCH) // timedelta(seconds=1)


def _read(term: Term) -> _Instant | None:
    if not isinstance(term, Literal) or term.datatype not in _DATATYPES:
        return None
    match = _INSTANT.fullmatch(term.lexical)
    if match is None:
        return None
    said = match.groupdict(default="")
    date = f"{said['year']}-{said['month'] or '01'}-{said['day'] or '01'}"
    clock = f"T{said['hour'] or '00'}:{said['minute'] or '00'}:{said['second'] or '00'}"
    try:
        start = datetime.fromisoformat(date + clock + said["zone"])
    except ValueError:
        return None
    parts = frozenset(name for name, text in said.items() if text)
    return _Instant(start, Decimal("0" + (said["fraction"] or "")), parts, said["zone"])


def _part(subject: Term, name: str) -> Term | None:
    """Return the part called ``name`` of an instant, if it is written."""
    instant = _read(subject)
    if instant is None or name not in instant.parts:
        return None
    return number_literal(getattr(instant.start, name), Kind.INTEGER, python_doubles=False)


@function(TIME + "year", numeric=True)
def year(subject: Term, context: Context) -> Term | None:
    """Return the year."""
    return _part(subject, "year")


@function(TIME + "month", numeric=True)
def month(subject: Term, context: Context) -> Term | None:
    """Return the month, 1 to 12."""
    return _part(subject, "month")


@function(TIME + "day", numeric=True)
def day(subject: Term, context: Context) -> Term | None:
    """Return the day of the month, 1 to 31."""
    return _part(subject, "day")


@function(TIME + "hour", numeric=True)
def hour(subject: Term, context: Context) -> Term | None:
    """Return the hour as written, 0 to 23, in the time zone as written."""
    return _part(subject, "hour")


@function(TIME + "minute", numeric=True)
def minute(subject: Term, context: Context) -> Term | None:
    """Return the minute, 0 to 59."""
    return _part(subject, "minute")


@function(TIME + "second", numeric=True)
def second(subject: Term, context: Context) -> Term | None:
    """Return the whole second, 0 to 59."""
    return _part(subject, "second")


@function(TIME + "dayOfWeek", numeric=True)
def day_of_week(subject: Term, context: Context) -> Term | None:
    """Return the day of the week of the date as written: 0 is Sunday, 6 is Saturday.

    A year or month stands for its first day under ``cwm``, and does not hold under ``strict``.
    """
    instant = _read(subject)
    if instant is None or (context.numeric == "strict" and "day" not in instant.parts):
        return None
    return number_literal(instant.start.isoweekday() % 7, Kind.INTEGER, python_doubles=False)


@function(TIME + "timeZone")
def time_zone(subject: Term, context: Context) -> Term | None:
    """Return the offset from UTC as written, like "-05:00"; ``Z`` is none."""
    instant = _read(subject)
    return None if instant is None or instant.zone in {"", "Z"} else Literal(instant.zone)


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


@relation(TIME + "inSeconds", SUBJECT, OBJECT, waits=True)
def in_seconds(subject: Term | None, object_: Term | None, context: Context) -> Iterable[tuple[Term, Term]]:
    """Relate an instant to the seconds since 1970-01-01T00:00:00Z; one known side is enough.

    Under ``strict`` they are an integer, with a fraction a decimal; an instant without date, time of day or zone does
    not hold, because its seconds are not known. Under ``cwm`` they are the whole seconds, what is not written is the
    first moment, in UTC. Of a known object the subject is the instant in UTC: an xsd:dateTime, under ``cwm`` a string
    and of whole seconds only.
    """
    if subject is None:
        instant = None if object_ is None else _instant_after(object_, context)
        if instant is not None and object_ is not None:
            yield instant, object_
        return
    seconds = _seconds(subject, context)
    if seconds is not None and object_ is None:
        yield subject, seconds
    elif seconds is not None and object_ is not None and same_value(seconds, object_):
        yield subject, object_


def _seconds(subject: Term, context: Context) -> Term | None:
    instant = _read(subject)
    if instant is None or (context.numeric == "strict" and not {"second", "zone"} <= instant.parts):
        return None
    if instant.fraction and context.numeric == "strict":
        return number_literal(instant.seconds + instant.fraction, Kind.DECIMAL, python_doubles=False)
    return number_literal(instant.seconds, Kind.INTEGER, python_doubles=False)


def _instant_after(seconds: Term, context: Context) -> Term | None:
    """Return the instant so many seconds after the epoch; beyond the years of dates, or finer than we read, there is none."""
    number = None
    if isinstance(seconds, Literal):
        number = read_typed_number(seconds, plain_too=context.numeric == "cwm")
    if number is None or number.kind > Kind.DECIMAL:
        return None
    exact = as_decimal(number.value)
    whole = exact.to_integral_value(ROUND_FLOOR, EXACT)
    fraction = f"{EXACT.subtract(exact, whole):f}".removeprefix("0").rstrip("0").rstrip(".")
    try:
        start = (_EPOCH + timedelta(seconds=int(whole))).isoformat()[:19]
    except OverflowError:
        return None
    if context.numeric == "cwm":
        return None if fraction else Literal(f"{start}Z")
    return Literal(f"{start}{fraction}Z", XSD_DATETIME) if len(fraction) <= _DIGITS else None
