"""How builtins on numbers read their arguments and write their results, and what they note when a text is no number.

Inputs need a numeric datatype under ``strict``; under ``cwm`` plain strings that spell a number count too. Anything
else makes the builtin not hold; if it is a text, the tally of misreadings says so afterwards.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from agent.n3.builtins.numbers import Kind, Number, Value, number_literal, promote, read_typed_number
from agent.n3.builtins.registry import OBJECT, SUBJECT, Context, function, relation, same_value
from agent.rdf.terms import ListTerm, Literal, Term
from agent.vocab import MATH

OfNumber: TypeAlias = Callable[[Number, Context], Term | None]
OfNumbers: TypeAlias = Callable[[list[Number], Context], Term | None]
OfDouble: TypeAlias = Callable[[float], float]


def read(terms: Sequence[Term], context: Context, name: str) -> list[Number] | None:
    """Return the numbers that ``terms`` are to the builtin ``math:name``, or nothing if one is none.

    If all are literals, the texts that are no numbers are noted.
    """
    numbers = []
    for term in terms:
        number = _number(term, context)
        if number is None:
            _note_texts(terms, context, name)
            return None
        numbers.append(number)
    return numbers


def _number(term: Term, context: Context) -> Number | None:
    if not isinstance(term, Literal):
        return None
    return read_typed_number(term, plain_too=context.numeric == "cwm")


def _note_texts(terms: Sequence[Term], context: Context, name: str) -> None:
    texts = [term for term in terms if isinstance(term, Literal)]
    if len(texts) < len(terms):
        return
    for text in texts:
        if _number(text, context) is None:
            context.misreadings.note("math:" + name, text)


def written(value: Value, kind: Kind, context: Context) -> Literal | None:
    """Return the literal of a result, or nothing if it is too large."""
    return number_literal(value, kind, python_doubles=context.numeric == "cwm")


def of_number(name: str) -> Callable[[OfNumber], OfNumber]:
    """Register the decorated computation as ``math:name``: it gets the number that the subject is."""

    def register(compute: OfNumber) -> OfNumber:
        def evaluate(subject: Term, context: Context) -> Term | None:
            numbers = read([subject], context, name)
            return None if numbers is None else compute(numbers[0], context)

        function(MATH + name, numeric=True)(evaluate)
        return compute

    return register


def of_numbers(name: str, count: int | None = None) -> Callable[[OfNumbers], OfNumbers]:
    """Register the decorated computation as ``math:name``: it gets the numbers of the list that the subject is.

    A list of any other length than ``count`` does not hold.
    """

    def register(compute: OfNumbers) -> OfNumbers:
        def evaluate(subject: Term, context: Context) -> Term | None:
            if not isinstance(subject, ListTerm) or (count is not None and len(subject.items) != count):
                return None
            numbers = read(subject.items, context, name)
            return None if numbers is None else compute(numbers, context)

        function(MATH + name, lists=SUBJECT, numeric=True)(evaluate)
        return compute

    return register


def both_ways(name: str, inverse: OfNumber) -> Callable[[OfNumber], OfNumber]:
    """Register the decorated computation as ``math:name``; from a known object ``inverse`` computes the subject.

    With both sides known either direction may show that they belong together.
    """

    def register(compute: OfNumber) -> OfNumber:
        def evaluate(
            subject: Term | None, object_: Term | None, context: Context
        ) -> Iterable[tuple[Term, Term]]:
            numbers = read([side for side in (subject, object_) if side is not None], context, name)
            if not numbers:
                return
            result = compute(numbers[0], context) if subject is not None else None
            origin = inverse(numbers[-1], context) if object_ is not None else None
            if subject is not None and object_ is not None:
                if _agree(result, object_) or _agree(origin, subject):
                    yield subject, object_
            elif subject is not None and result is not None:
                yield subject, result
            elif object_ is not None and origin is not None:
                yield origin, object_

        relation(MATH + name, SUBJECT, OBJECT, waits=True)(evaluate)
        return compute

    return register


def _agree(value: Term | None, known: Term) -> bool:
    return value is not None and same_value(value, known)


def as_double(number: Number, compute: OfDouble, context: Context) -> Literal | None:
    """Return the xsd:double that ``compute`` makes of ``number``; where it has no value, or none that is finite, nothing."""
    _, (value,) = promote([number], Kind.DOUBLE)
    try:
        return written(compute(float(value)), Kind.DOUBLE, context)
    except (ValueError, OverflowError):
        return None
