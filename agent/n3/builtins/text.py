"""``string:`` builtins over the characters of literals, whatever their datatype or language.

Order is that of code points, which for xsd:dateTime in UTC with equal decimals is the order of time. "Ignoring case"
compares case-folded text; "roughly" also takes every run of white space for one space. Anything but a literal does
not hold. Results are xsd:string of at most ``MAX_CHARACTERS``; what is longer does not hold. Conditions need both sides,
functions the subject; the numeric modes do not matter. Sources: cwm's string vocabulary; EYE for length and case.
"""

from urllib.parse import quote

from agent.n3.builtins.characters import MAX_CHARACTERS, string_of
from agent.n3.builtins.numbers import Kind, number_literal
from agent.n3.builtins.registry import SUBJECT, Context, function, test
from agent.rdf.terms import LANG_STRING, ListTerm, Literal, Term
from agent.vocab import STRING


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


@function(STRING + "concatenation", lists=SUBJECT)
def concatenation(subject: Term, context: Context) -> Term | None:
    """Return the members of a list one after the other, each as XPath casts it to a string; IRIs are spelled."""
    if not isinstance(subject, ListTerm):
        return None
    texts = [text for item in subject.items if (text := string_of(item)) is not None]
    if len(texts) < len(subject.items) or sum(map(len, texts)) > MAX_CHARACTERS:
        return None
    return Literal("".join(texts))


@function(STRING + "length")
def length(subject: Term, context: Context) -> Term | None:
    """Return how many characters a literal has, an xsd:integer."""
    if not isinstance(subject, Literal):
        return None
    return number_literal(len(subject.lexical), Kind.INTEGER, python_doubles=False)


def _changed(literal: Literal, text: str) -> Term | None:
    """Return ``text`` in the language of ``literal``."""
    if len(text) > MAX_CHARACTERS:
        return None
    return Literal(text, LANG_STRING, literal.language) if literal.language else Literal(text)


@function(STRING + "lowerCase")
def lower_case(subject: Term, context: Context) -> Term | None:
    """Return a literal in lower case; a language stays, any other type becomes xsd:string."""
    return _changed(subject, subject.lexical.lower()) if isinstance(subject, Literal) else None


@function(STRING + "upperCase")
def upper_case(subject: Term, context: Context) -> Term | None:
    """Return a literal in upper case; a language stays, any other type becomes xsd:string."""
    return _changed(subject, subject.lexical.upper()) if isinstance(subject, Literal) else None


@function(STRING + "capitalize")
def capitalize(subject: Term, context: Context) -> Term | None:
    """Return a literal with its first character in upper case and all others in lower case; a language stays."""
    return _changed(subject, subject.lexical.capitalize()) if isinstance(subject, Literal) else None


def _encoded(subject: Term, safe: str) -> Term | None:
    if not isinstance(subject, Literal):
        return None
    text = quote(subject.lexical, safe, encoding="utf-8", errors="surrogatepass")
    return Literal(text) if len(text) <= MAX_CHARACTERS else None


@function(STRING + "encodeForURI")
def encode_for_uri(subject: Term, context: Context) -> Term | None:
    """Return a literal as it may stand in a segment of an IRI's path: percent-encoded except ``A-Za-z0-9-_.~#!*'()``.

    Like cwm, unlike XPath's encode-for-uri, it leaves the number sign and ``!*'()`` alone.
    """
    return _encoded(subject, "#!~*'()")


@function(STRING + "encodeForFragID")
def encode_for_fragment(subject: Term, context: Context) -> Term | None:
    """Return a literal as it may stand after the number sign of an IRI: percent-encoded except ``A-Za-z0-9-_./``."""
    encoded = _encoded(subject, "/")
    return Literal(encoded.lexical.replace("~", "%7E")) if isinstance(encoded, Literal) else None
