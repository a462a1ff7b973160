"""Writing terms and triples as Notation3, a line each; ``document`` and ``programs`` lay them out for people."""

import re
from collections.abc import Iterable, Mapping

from agent.n3.program import IMPLIES, IS_IMPLIED_BY
from agent.rdf.terms import (
    IRI,
    RDF_NIL,
    RDF_TYPE,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    XSD_STRING,
    BlankNode,
    Formula,
    ListTerm,
    Literal,
    Term,
    Triple,
    Variable,
)

BODY_BLANK = "_:"
"""Variables whose names begin so are blank nodes of a rule body, and are written as such."""

_LOCAL = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_UNSAFE_IN_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\]')
_SPECIAL = re.compile(r'[\x00-\x1f\x7f"\\]')
_ESCAPES = {"\t": "\\t", "\b": "\\b", "\n": "\\n", "\r": "\\r", "\f": "\\f", '"': '\\"', "\\": "\\\\"}
_BARE = {
    XSD_INTEGER: re.compile(r"[+-]?[0-9]+"),
    XSD_DECIMAL: re.compile(r"[+-]?[0-9]*\.[0-9]+"),
    XSD_DOUBLE: re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]+"),
    XSD_BOOLEAN: re.compile(r"true|false"),
}
VERBS: dict[Term, str] = {RDF_TYPE: "a", IMPLIES: "=>", IS_IMPLIED_BY: "<="}
"""Predicates that have a sign of their own."""

_LONGEST_SHOWN = 60


class Writer:
    """Writes terms with ``prefixes``; blank nodes are named in the order of their first appearance."""

    def __init__(self, prefixes: Mapping[str, str] | None = None) -> None:
        self.prefixes = dict(prefixes or {})
        self._namespaces = {
            namespace: prefix for prefix, namespace in sorted(self.prefixes.items(), reverse=True)
        }
        self._blank_nodes: dict[BlankNode, str] = {}
        self._iris: dict[IRI, str] = {}
        self._used: set[str] = set()

    def head(self) -> str:
        """Return the prefix declarations."""
        return _declarations(self.prefixes)

    def head_of_used(self) -> str:
        """Return the declarations of the prefixes that were used so far."""
        return _declarations({prefix: self.prefixes[prefix] for prefix in self._used})

    def term(self, term: Term) -> str:
        """Return ``term`` as one line of text."""
        return "".join(self._pieces([term]))

    def triple(self, triple: Triple) -> str:
        """Return ``triple`` as one line, without a dot."""
        return "".join(self._pieces(self._sentence(triple)))

    def _sentence(self, triple: Triple) -> list[Term | str]:
        subject, predicate, object_ = triple
        is_plain = predicate != RDF_NIL and isinstance(predicate, IRI | Variable)
        has = "" if is_plain else "has "  # else a formula before it would be taken for a statement of its own
        return [subject, " ", has, VERBS.get(predicate, predicate), " ", object_]

    def _pieces(self, parts: list[Term | str]) -> Iterable[str]:
        pending = parts[::-1]
        while pending:
            part = pending.pop()
            match part:
                case str():
                    yield part
                case ListTerm(items):
                    pending.append(" )")
                    pending.extend(piece for item in reversed(items) for piece in (item, " "))
                    yield "("
                case Formula(triples):
                    pending.append(" }" if triples else "}")
                    for number, triple in reversed(list(enumerate(triples))):
                        pending.extend(reversed(self._sentence(triple)))
                        pending.append(" . " if number else " ")
                    yield "{"
                case _:
                    yield self.atom(part)

    def atom(self, term: Term) -> str:
        """Return a term without parts as text."""
        match term:
            case IRI():
                return self._iri(term)
            case BlankNode():
                label = self._blank_nodes.setdefault(term, f"n{len(self._blank_nodes)}")
                return f"_:{label}"
            case Variable(name):
                return name if name.startswith(BODY_BLANK) else f"?{name}"
            case Literal():
                return self._literal(term)
            case ListTerm():
                return "()"
            case Formula():
                return "{}"

    def _iri(self, iri: IRI) -> str:
        known = self._iris.get(iri)
        if known is None:
            known = self._iris[iri] = self._shortened(iri)
        return known

    def _shortened(self, iri: IRI) -> str:
        value = iri.value
        if iri == RDF_NIL:
            return "()"
        cut = max(value.rfind("#"), value.rfind("/"), value.rfind(":")) + 1
        prefix = self._namespaces.get(value[:cut])
        if prefix is not None and _LOCAL.fullmatch(value, cut):
            self._used.add(prefix)
            return f"{prefix}:{value[cut:]}"
        return f"<{_UNSAFE_IN_IRI.sub(lambda bad: f'%{ord(bad[0]):02X}', value)}>"

    def _literal(self, literal: Literal) -> str:
        bare = _BARE.get(literal.datatype)
        if bare and bare.fullmatch(literal.lexical):
            return literal.lexical
        quoted = '"' + _SPECIAL.sub(_escape, literal.lexical) + '"'
        if literal.language:
            return f"{quoted}@{literal.language}"
        if literal.datatype == XSD_STRING:
            return quoted
        return f"{quoted}^^{self._iri(IRI(literal.datatype))}"


def _declarations(prefixes: Mapping[str, str]) -> str:
    return "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in sorted(prefixes.items()))


def show(term: Term, prefixes: Mapping[str, str] | None = None) -> str:
    """Return ``term`` for a message: at most 60 characters."""
    text = Writer(prefixes).term(term)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "..."


def write_triples(triples: Iterable[Triple], prefixes: Mapping[str, str] | None = None) -> str:
    """Return ``triples`` as Notation3, a line each, after the declarations of ``prefixes``."""
    writer = Writer(prefixes)
    return writer.head() + "".join(f"{writer.triple(triple)} .\n" for triple in triples)


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return _ESCAPES.get(character) or f"\\u{ord(character):04X}"
