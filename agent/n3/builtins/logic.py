"""``log:`` builtins on terms; ``log:notIncludes`` is no builtin but negation, and belongs to the reasoner.

Sources: cwm's log vocabulary; Linked Data-Fu for uriToString and stringToUri.
"""

import re
from collections.abc import Iterable

from agent.n3.builtins.registry import OBJECT, SUBJECT, Context, function, relation, test
from agent.rdf.terms import IRI, LANG_STRING, RDF_NIL, XSD_STRING, Formula, ListTerm, Literal, Term
from agent.vocab import LOG, RDF

# An IRI that N-Triples can carry: a scheme, and none of the characters that IRIREF excludes.
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\]*")
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")


@relation(LOG + "equalTo", SUBJECT, OBJECT)
def equal_to(subject: Term | None, object_: Term | None, context: Context) -> Iterable[tuple[Term, Term]]:
    """Hold if both are the same term; one known side binds the other."""
    left = subject if subject is not None else object_
    right = object_ if object_ is not None else subject
    if left is not None and right is not None and left == right:
        yield left, right


@test(LOG + "notEqualTo")
def not_equal_to(left: Term, right: Term) -> bool:
    """Hold if both are different terms; ``1`` and ``1.0`` are."""
    return left != right


def _relate_iri_and_text(iri: Term | None, text: Term | None) -> Iterable[tuple[Term, Term]]:
    """Yield the IRI and the string that spells it, whichever of both is known."""
    if isinstance(iri, IRI):
        spelled = Literal(iri.value)
        if text is None or text == spelled:
            yield iri, spelled
    elif (
        iri is None
        and isinstance(text, Literal)
        and text.datatype == XSD_STRING
        and _ABSOLUTE.fullmatch(text.lexical)
    ):
        yield IRI(text.lexical), text


@relation(LOG + "uri", SUBJECT, OBJECT)
def uri(subject: Term | None, object_: Term | None, context: Context) -> Iterable[tuple[Term, Term]]:
    """Relate an IRI to the string that spells it; only an absolute IRI is made of a string."""
    return _relate_iri_and_text(subject, object_)


@relation(LOG + "uriToString", SUBJECT, OBJECT)
def uri_to_string(
    subject: Term | None, object_: Term | None, context: Context
) -> Iterable[tuple[Term, Term]]:
    """Relate an IRI to the string that spells it, like ``log:uri``."""
    return _relate_iri_and_text(subject, object_)


@relation(LOG + "stringToUri", SUBJECT, OBJECT)
def string_to_uri(
    subject: Term | None, object_: Term | None, context: Context
) -> Iterable[tuple[Term, Term]]:
    """Relate a string to the IRI it spells: ``log:uri`` with the sides exchanged."""
    for iri, text in _relate_iri_and_text(object_, subject):
        yield text, iri


@relation(LOG + "dtlit", SUBJECT, OBJECT, lists=SUBJECT, waits=True)
def typed_literal(
    subject: Term | None, object_: Term | None, context: Context
) -> Iterable[tuple[Term, Term]]:
    """Relate the list of a string and a datatype to the literal of both; literals with a language have none."""
    if isinstance(subject, ListTerm) and len(subject.items) == 2:
        literal = _typed(*subject.items)
        if literal is not None and (object_ is None or object_ == literal):
            yield subject, literal
    elif subject is None and isinstance(object_, Literal) and not object_.language:
        yield ListTerm((Literal(object_.lexical), IRI(object_.datatype))), object_


def _typed(text: Term, datatype: Term) -> Literal | None:
    if not isinstance(text, Literal) or text.datatype != XSD_STRING or not isinstance(datatype, IRI):
        return None
    return Literal(text.lexical, datatype.value) if datatype.value != LANG_STRING else None


@relation(LOG + "langlit", SUBJECT, OBJECT, lists=SUBJECT, waits=True)
def tagged_literal(
    subject: Term | None, object_: Term | None, context: Context
) -> Iterable[tuple[Term, Term]]:
    """Relate the list of a string and a language tag, also a string, to the literal of both.

    The tag is written in lower case when the literal is what is known.
    """
    if isinstance(subject, ListTerm) and len(subject.items) == 2:
        literal = _tagged(*subject.items)
        if literal is not None and (object_ is None or object_ == literal):
            yield subject, literal
    elif subject is None and isinstance(object_, Literal) and object_.language:
        yield ListTerm((Literal(object_.lexical), Literal(object_.language))), object_


def _tagged(text: Term, language: Term) -> Literal | None:
    if not (isinstance(text, Literal) and isinstance(language, Literal)):
        return None
    if {text.datatype, language.datatype} != {XSD_STRING} or not _LANGUAGE.fullmatch(language.lexical):
        return None
    return Literal(text.lexical, LANG_STRING, language.lexical.lower())


@function(LOG + "rawType")
def raw_type(subject: Term, context: Context) -> Term:
    """Return the kind of a term: log:Formula, log:Literal, rdf:List, or log:Other for all else.

    A list of the data is the node of its first cell, and thus log:Other.
    """
    match subject:
        case Formula():
            return IRI(LOG + "Formula")
        case Literal():
            return IRI(LOG + "Literal")
        case ListTerm():
            return IRI(RDF + "List")
        case _:
            return IRI(RDF + "List") if subject == RDF_NIL else IRI(LOG + "Other")
