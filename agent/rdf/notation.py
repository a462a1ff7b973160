"""How one term is written, whatever kind it is (N3)."""

import re
from collections.abc import Callable
from typing import TypeAlias

from agent.rdf.terms import IRI, XSD_STRING, BlankNode, Formula, ListTerm, Literal, Term, Variable

_IRI_FORBIDDEN = re.compile('[\x00-\x20<>"{}|^`\\\\\ud800-\udfff]')
_STRING_FORBIDDEN = re.compile('[\x00-\x1f"\\\\\x7f\ud800-\udfff]')
_STRING_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

NodeName: TypeAlias = Callable[[BlankNode], str]
IriName: TypeAlias = Callable[[str], str]


def term_text(term: Term, node_name: NodeName | None = None, iri_name: IriName | None = None) -> str:
    """Return ``term`` as N3, whatever kind it is; depth costs no stack.

    ``node_name`` and ``iri_name`` say how blank nodes and IRIs are written, for those who need it otherwise.
    """
    write_iri = iri_name or iri_text
    pieces: list[str] = []
    pending: list[Term | str] = [term]
    while pending:
        match pending.pop():
            case str(piece):
                pieces.append(piece)
            case IRI(value):
                pieces.append(write_iri(value))
            case BlankNode() as node:
                pieces.append(node_name(node) if node_name else f"_:{node.label}")
            case Literal() as literal:
                pieces.append(_literal_text(literal, write_iri))
            case Variable(name):
                pieces.append(f"?{name}")
            case ListTerm(items):
                pending += [")", *(part for item in reversed(items) for part in (" ", item)), "( "]
            case Formula(triples):
                pending.append("}")
                for subject, predicate, object_ in reversed(triples):
                    pending += [" . ", object_, " ", predicate, " ", subject]
                pending.append("{ ")
    return "".join(pieces)


def iri_text(value: str) -> str:
    """Return ``<value>`` with the characters that may not stand there escaped."""
    return f"<{_IRI_FORBIDDEN.sub(_unicode_escape, value)}>"


def _literal_text(literal: Literal, write_iri: IriName) -> str:
    quoted = f'"{_STRING_FORBIDDEN.sub(_string_escape, literal.lexical)}"'
    if literal.language:
        return f"{quoted}@{literal.language}"
    if literal.datatype == XSD_STRING:
        return quoted
    return f"{quoted}^^{write_iri(literal.datatype)}"


def _string_escape(match: re.Match[str]) -> str:
    return _STRING_ESCAPES.get(match[0]) or _unicode_escape(match)


def _unicode_escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04X}"
