"""``string:`` builtins on regular expressions, matched in time linear in the text, whatever the expression.

Expressions are those of XPath without look-around and back references; they match anywhere in the text unless they
are anchored by ``^`` and ``$``. One that is malformed, or too large, does not hold, and neither does its negation.
Sources: cwm's string vocabulary; XPath Functions 3.1, section 5.6.
"""

from typing import TypeAlias

import pyoxigraph

from agent.n3.builtins.characters import MAX_CHARACTERS, texts_of
from agent.n3.builtins.registry import SUBJECT, Context, function, test
from agent.rdf.terms import Literal, Term
from agent.vocab import STRING

# No pattern and no text can make the matching there hang, and compiled expressions are bounded in size.
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


def _matching(text: Term, pattern: Term) -> str | None:
    """Return "true" or "false", or nothing if that cannot be said."""
    if not isinstance(text, Literal) or not isinstance(pattern, Literal):
        return None
    if len(text.lexical) + len(pattern.lexical) > MAX_CHARACTERS:
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
    if texts is None or len(texts) != 2 or sum(map(len, texts)) > MAX_CHARACTERS:
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
    """Return the first of three texts with every match of the second, a regular expression, replaced by the third.

    ``$1`` in the third is the first group (XPath fn:replace).
    """
    texts = texts_of(subject)
    if texts is None or len(texts) != 3 or sum(map(len, texts)) > MAX_CHARACTERS:
        return None
    text, pattern, by = texts
    replaced = _replaced(text, pattern, by) if _fits(text, pattern, by) else None
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
    return _asked(_REPLACE, text=text, pattern=pattern, by=by)
