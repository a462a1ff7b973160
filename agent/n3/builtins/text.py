"""``string:`` builtins over the characters of literals, whatever their datatype or language.

Order is that of code points, which for xsd:dateTime in UTC with equal decimals is the order of time. "Ignoring case"
compares case-folded text; "roughly" also takes every run of white space for one space. Anything but a literal does
not hold. Results are xsd:string of at most ``MAX_CHARACTERS``; what is longer does not hold.
Source: cwm's string vocabulary.
"""

import pyoxigraph

from agent.n3.builtins.registry import SUBJECT, Context, function, test
from agent.rdf.terms import ListTerm, Literal, Term
from agent.vocab import STRING

MAX_CHARACTERS = 1_000_000


def _pair(left: Term, right: Term) -> tuple[str, str] | None:
    if isinstance(left, Literal) and isinstance(right, Literal):
        return left.lexical, right.lexical
    return None


def _roughly(text: str) -> str:
    return " ".join(text.casefold().split())


@test(STRING + "lessThan")
def text_less_than(left: Term, right: Term) -> bool:
    """Hold if the subject comes before the object in the order of code points."""
    pair = _pair(left, right)
    return pair is not None and pair[0] < pair[1]


@test(STRING + "greaterThan")
def text_greater_than(left: Term, right: Term) -> bool:
    """Hold if the subject comes after the object in the order of code points."""
    pair = _pair(left, right)
    return pair is not None and pair[0] > pair[1]


@test(STRING + "notLessThan")
def text_not_less_than(left: Term, right: Term) -> bool:
    """Hold if the subject is the object or comes after it in the order of code points."""
    pair = _pair(left, right)
    return pair is not None and pair[0] >= pair[1]


@test(STRING + "notGreaterThan")
def text_not_greater_than(left: Term, right: Term) -> bool:
    """Hold if the subject is the object or comes before it in the order of code points."""
    pair = _pair(left, right)
    return pair is not None and pair[0] <= pair[1]


@test(STRING + "contains")
def contains(left: Term, right: Term) -> bool:
    """Hold if the object occurs in the subject."""
    pair = _pair(left, right)
    return pair is not None and pair[1] in pair[0]


@test(STRING + "containsIgnoringCase")
def contains_ignoring_case(left: Term, right: Term) -> bool:
    """Hold if the object occurs in the subject, ignoring case."""
    pair = _pair(left, right)
    return pair is not None and pair[1].casefold() in pair[0].casefold()


@test(STRING + "containsRoughly")
def contains_roughly(left: Term, right: Term) -> bool:
    """Hold if the object occurs in the subject, ignoring case and amounts of white space."""
    pair = _pair(left, right)
    return pair is not None and _roughly(pair[1]) in _roughly(pair[0])


@test(STRING + "notContainsRoughly")
def not_contains_roughly(left: Term, right: Term) -> bool:
    """Hold if both are literals and the object does not occur roughly in the subject."""
    pair = _pair(left, right)
    return pair is not None and _roughly(pair[1]) not in _roughly(pair[0])


@test(STRING + "startsWith")
def starts_with(left: Term, right: Term) -> bool:
    """Hold if the subject begins with the object."""
    pair = _pair(left, right)
    return pair is not None and pair[0].startswith(pair[1])


@test(STRING + "endsWith")
def ends_with(left: Term, right: Term) -> bool:
    """Hold if the subject ends with the object."""
    pair = _pair(left, right)
    return pair is not None and pair[0].endswith(pair[1])


@test(STRING + "equalIgnoringCase")
def equal_ignoring_case(left: Term, right: Term) -> bool:
    """Hold if both are the same text but for case."""
    pair = _pair(left, right)
    return pair is not None and pair[0].casefold() == pair[1].casefold()


@test(STRING + "notEqualIgnoringCase")
def not_equal_ignoring_case(left: Term, right: Term) -> bool:
    """Hold if both are literals that differ in more than case."""
    pair = _pair(left, right)
    return pair is not None and pair[0].casefold() != pair[1].casefold()


def _texts(subject: Term) -> list[str] | None:
    """Return the characters of a list of literals, or nothing if it is anything else."""
    if not isinstance(subject, ListTerm):
        return None
    texts = [item.lexical for item in subject.items if isinstance(item, Literal)]
    return texts if len(texts) == len(subject.items) else None


@function(STRING + "concatenation", lists=SUBJECT)
def concatenation(subject: Term, context: Context) -> Term | None:
    """Return the texts of a list of literals, one after the other."""
    texts = _texts(subject)
    if texts is None or sum(map(len, texts)) > MAX_CHARACTERS:
        return None
    return Literal("".join(texts))


# Matching runs in time linear in the text there, so that no pattern and no text can make it hang.
_REPLACE = "SELECT ?text ?pattern ?by (REPLACE(?text, ?pattern, ?by) AS ?result) {}"
_EMPTY = pyoxigraph.Store()


@function(STRING + "replace", lists=SUBJECT)
def replace(subject: Term, context: Context) -> Term | None:
    """Return the first of three texts with every match of the second, a regular expression, replaced by the third.

    ``$1`` in the third is the first group (XPath fn:replace). A pattern that is malformed or uses look-around or
    back references does not hold.
    """
    texts = _texts(subject)
    if texts is None or len(texts) != 3 or sum(map(len, texts)) > MAX_CHARACTERS:
        return None
    return _replaced(*texts) if _fits(*texts) else None


def _fits(text: str, pattern: str, by: str) -> bool:
    """Tell whether the text is short enough after replacing, from the number of matches: making it would be too late."""
    groups = by.count("$") * len(text)
    if (len(text) + 1) * (len(by) + 1) + groups <= MAX_CHARACTERS:
        return True
    without, with_one = _replaced(text, pattern, ""), _replaced(text, pattern, "x")
    if without is None or with_one is None:
        return False
    matches = len(with_one.lexical) - len(without.lexical)
    return len(without.lexical) + matches * len(by) + groups <= MAX_CHARACTERS


def _replaced(text: str, pattern: str, by: str) -> Literal | None:
    variables = {"text": text, "pattern": pattern, "by": by}
    rows = _EMPTY.query(
        _REPLACE,
        substitutions={
            pyoxigraph.Variable(name): pyoxigraph.Literal(value) for name, value in variables.items()
        },
    )
    result = next(iter(rows))["result"] if isinstance(rows, pyoxigraph.QuerySolutions) else None
    return Literal(result.value) if isinstance(result, pyoxigraph.Literal) else None
