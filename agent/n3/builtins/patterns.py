"""``string:`` builtins on regular expressions, matched without backtracking, so that time is bounded by both sizes.

Expressions are those of XPath without look-around and back references; they match anywhere in the text unless they
are anchored by ``^`` and ``$``. One that is malformed, or too large for the text, does not hold, and neither does its
negation.
Sources: cwm's string vocabulary; XPath Functions 3.1, section 5.6.
"""

import re
from typing import TypeAlias

import pyoxigraph

from agent.n3.builtins.characters import MAX_CHARACTERS, texts_of
from agent.n3.builtins.registry import SUBJECT, Context, function, test
from agent.rdf.terms import Literal, Term
from agent.vocab import STRING

# Steps are characters of the text times size of the expression: a search takes so many, replacing one more scan a match.
MAX_PATTERN = 10_000
MAX_STEPS = 50_000_000
MAX_STEPS_OF_REPLACING = 1_000_000_000

_PIECE = re.compile(r"\\[pPxuU]\{[^{}]*\}|\\.|\[\^?\]?(?:\\.|[^\[\]\\])*\]|\{[^{}]*\}|.", re.DOTALL)
_REFERENCE = re.compile(r"\\(?P<escaped>[\\$])|\$(?P<group>[0-9]*)")
_SPECIAL = frozenset(r"\.[](){}*+?^$|#&-~")

_MATCHES = "SELECT ?text ?pattern (REGEX(?text, ?pattern) AS ?result) {}"
_REPLACE = "SELECT ?text ?pattern ?by (REPLACE(?text, ?pattern, ?by) AS ?result) {}"
_EMPTY = pyoxigraph.Store()
_Value: TypeAlias = pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal | pyoxigraph.Triple


def _asked(query: str, **texts: str) -> str | None:
    """Return what ``query`` makes of ``texts``, or nothing where it has no value."""
    try:
        values: dict[pyoxigraph.Variable, _Value] = {
            pyoxigraph.Variable(name): pyoxigraph.Literal(value) for name, value in texts.items()
        }
    except ValueError:
        return None  # half of a surrogate pair, which no text in UTF-8 can hold
    rows = _EMPTY.query(query, substitutions=values)
    result = next(iter(rows))["result"] if isinstance(rows, pyoxigraph.QuerySolutions) else None
    return result.value if isinstance(result, pyoxigraph.Literal) else None


def _size(pattern: str) -> int:
    """Return about how many characters ``pattern`` has with counted repetitions written out; it may be malformed."""
    totals, last = [0], 0
    for piece in _PIECE.findall(pattern):
        if piece == "(":
            totals.append(0)
        elif piece == ")" and len(totals) > 1:
            last = totals.pop()
            totals[-1] += last
        elif piece[0] == "{":
            times = max((int(count[:6]) for count in re.findall("[0-9]+", piece)), default=1)
            totals[-1] += last * max(times - 1, 0)
            last *= max(times, 1)
        else:
            last = 1
            totals[-1] += last
    return sum(totals) + 1


def _is_quick(text: str, pattern: str) -> bool:
    return len(pattern) <= MAX_PATTERN and _size(pattern) * (len(text) + 1) <= MAX_STEPS


def _matching(text: Term, pattern: Term) -> str | None:
    """Return "true" or "false", or nothing if that cannot be said."""
    if not isinstance(text, Literal) or not isinstance(pattern, Literal):
        return None
    if not _is_quick(text.lexical, pattern.lexical):
        return None
    return _asked(_MATCHES, text=text.lexical, pattern=pattern.lexical)


@test(STRING + "matches")
def matches(left: Term, right: Term) -> bool:
    """Hold if the object, a regular expression, matches in the subject; both must be known literals."""
    return _matching(left, right) == "true"


@test(STRING + "notMatches")
def not_matches(left: Term, right: Term) -> bool:
    """Hold if the object is a regular expression that matches nowhere in the subject; both must be known literals."""
    return _matching(left, right) == "false"


@function(STRING + "scrape", lists=SUBJECT)
def scrape(subject: Term, context: Context) -> Term | None:
    """Return what the first group of the second of two texts, a regular expression, matches in the first, an xsd:string.

    It is the leftmost match that counts; without a match or a group it does not hold.
    """
    texts = texts_of(subject)
    if texts is None or len(texts) != 2 or not _is_quick(*texts):
        return None
    text, pattern = texts
    if _asked(_MATCHES, text=text, pattern=pattern) != "true" or not _has_group(pattern):
        return None
    found = _asked(_REPLACE, text=text, pattern=rf"^(?s:.*?)(?:{pattern})(?s:.*)$", by="$1")
    return None if found is None else Literal(found)


def _has_group(pattern: str) -> bool:
    """Tell whether ``pattern`` captures anything: a group put after it is not the first one then."""
    return _asked(_REPLACE, text="x", pattern=rf"(?:[^\s\S](?:{pattern}))|(x)", by="$1") == ""


@function(STRING + "replace", lists=SUBJECT)
def replace(subject: Term, context: Context) -> Term | None:
    r"""Return the first of three texts with every match of the second, a regular expression, replaced by the third.

    ``$1`` in the third is the first group, ``\$`` a dollar sign, ``\\`` a backslash (XPath fn:replace).
    """
    texts = texts_of(subject)
    if texts is None or len(texts) != 3 or sum(map(len, texts)) > MAX_CHARACTERS:
        return None
    text, pattern, by = texts
    if pattern and _SPECIAL.isdisjoint(pattern) and _SPECIAL.isdisjoint(by):
        count = text.count(pattern)
        if len(text) + count * (len(by) - len(pattern)) > MAX_CHARACTERS:
            return None
        return Literal(text.replace(pattern, by))
    quick = _is_quick(text, pattern) and _size(pattern) * len(text) ** 2 <= MAX_STEPS_OF_REPLACING
    replaced = _replaced(text, pattern, by) if quick and _fits(text, pattern, by) else None
    return None if replaced is None else Literal(replaced)


def _fits(text: str, pattern: str, by: str) -> bool:
    """Tell whether the text is short enough after replacing, from the number of matches: making it would be too late."""
    groups = by.count("$") * len(text)
    if (len(text) + 1) * (len(by) + 1) + groups <= MAX_CHARACTERS:
        return True
    without, with_one = _replaced(text, pattern, ""), _replaced(text, pattern, "x")
    if without is None or with_one is None:
        return False
    times = len(with_one) - len(without)
    return len(without) + times * len(by) + groups <= MAX_CHARACTERS


def _replaced(text: str, pattern: str, by: str) -> str | None:
    return _asked(_REPLACE, text=text, pattern=pattern, by=_REFERENCE.sub(_rewritten, by))


def _rewritten(reference: re.Match[str]) -> str:
    """Return what XPath writes as ``reference`` in the way of the library, where ``$1a`` were a group called 1a."""
    if reference["group"]:
        return f"${{{reference['group']}}}"
    return "$$" if reference["escaped"] != "\\" else "\\"
