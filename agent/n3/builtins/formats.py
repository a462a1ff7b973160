"""``string:format``: texts made of a pattern and values, as C's printf and Python's ``%`` do it."""

import math
import re
from collections.abc import Iterator

from agent.n3.builtins.characters import MAX_CHARACTERS, string_of
from agent.n3.builtins.numbers import Kind, promote, read_number
from agent.n3.builtins.registry import SUBJECT, Context, function
from agent.rdf.terms import ListTerm, Literal, Term
from agent.vocab import STRING

# Width and precision are small numbers, so that a short pattern cannot ask for a huge text.
_DIRECTIVE = re.compile(
    r"%(?:(?P<form>[-+ 0#]{0,5}[0-9]{0,4}(?:\.[0-9]{0,3})?)(?P<kind>[sdiouxXeEfFgGc])|(?P<percent>%)|)"
)


@function(STRING + "format", lists=SUBJECT)
def format_text(subject: Term, context: Context) -> Term | None:
    """Return the text that a list's first member, a format, makes of the others: ``("%s-%d" "a" 1)`` gives "a-1".

    The subject must be known. ``%s`` takes IRIs and literals as XPath casts them to strings, ``%d %i %o %u %x %X`` the
    whole part of a number, ``%e %E %f %F %g %G`` a number made a double, ``%c`` the first character, ``%%`` is a percent
    sign; flags, widths of up to 4 digits and precisions of up to 3 are those of C. Numbers are read from any literal
    that spells one, in both numeric modes. Too few or too many values, a value of the wrong sort, or an unknown
    directive do not hold. Source: cwm's string vocabulary.
    """
    if not isinstance(subject, ListTerm) or not subject.items or not isinstance(subject.items[0], Literal):
        return None
    values = iter(subject.items[1:])
    parts: list[str] = []
    length = 0
    for part in _parts(subject.items[0].lexical, values):
        if part is None or (length := length + len(part)) > MAX_CHARACTERS:
            return None
        parts.append(part)
    return Literal("".join(parts)) if next(values, None) is None else None


def _parts(pattern: str, values: Iterator[Term]) -> Iterator[str | None]:
    """Yield the pieces of the result, nothing in the place of one that cannot be made."""
    end = 0
    for directive in _DIRECTIVE.finditer(pattern):
        yield pattern[end : directive.start()]
        end = directive.end()
        if directive["percent"]:
            yield "%"
        elif directive["kind"] is None or (value := next(values, None)) is None:
            yield None
        else:
            yield _filled(directive["form"], directive["kind"], value)
    yield pattern[end:]


def _filled(form: str, kind: str, value: Term) -> str | None:
    """Return ``value`` as the directive of ``form`` and ``kind`` writes it."""
    if kind in "sc":
        text = string_of(value)
        return (
            None
            if text is None or (kind == "c" and not text)
            else f"%{form}s" % (text[0] if kind == "c" else text)
        )
    number = read_number(value) if isinstance(value, Literal) else None
    if number is None:
        return None
    if kind in "eEfFgG":
        return f"%{form}{kind}" % promote([number], Kind.DOUBLE)[1][0]
    if isinstance(number.value, float) and not math.isfinite(number.value):
        return None
    return f"%{form}{kind}" % int(number.value)
