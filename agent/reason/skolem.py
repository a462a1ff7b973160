"""Names of nodes that a rule's head invents: the same rule with the same bindings always invents the same node."""

from collections.abc import Mapping
from hashlib import sha256

from agent.rdf.terms import IRI, BlankNode, Formula, ListTerm, Literal, Term, Variable

_DIGITS = 32


def skolem(rule: str, label: str, values: Mapping[str, Term]) -> BlankNode:
    """Return the node that ``rule`` invents for its blank node ``label`` when its head's variables have ``values``."""
    text = "\n".join(f"{name}={spelling(values[name])}" for name in sorted(values))
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return BlankNode(f"{label}.{digest}", f"rule {rule}")


def spelling(term: Term) -> str:
    """Return a text that differs for different terms."""
    spelled: list[str] = []
    pending: list[Term | str] = [term]
    while pending:
        part = pending.pop()
        match part:
            case ListTerm(items):
                pending += [")", *reversed(items), "("]
            case Formula(triples):
                pending += ["}", *(item for triple in reversed(triples) for item in reversed(triple)), "{"]
            case IRI(value):
                spelled.append(f"<{value}>")
            case Literal(lexical, datatype, language):
                spelled.append(repr((lexical, datatype, language)))
            case BlankNode(label, scope):
                spelled.append(f"_:{label!r}{scope!r}")
            case Variable(name):
                spelled.append(f"?{name!r}")
            case str():
                spelled.append(part)
    return " ".join(spelled)
