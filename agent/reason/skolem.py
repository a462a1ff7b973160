"""Names of nodes that a rule's head invents: the same rule with the same bindings always invents the same node."""

from collections.abc import Mapping

from agent.rdf.digests import digest_of
from agent.rdf.terms import BlankNode, Term, spelling

_DIGITS = 32


def skolem(rule: str, label: str, values: Mapping[str, Term]) -> BlankNode:
    """Return the node that ``rule`` invents for its blank node ``label`` when its head's variables have ``values``."""
    text = "\n".join(f"{name}={spelling(values[name])}" for name in sorted(values))
    digest = digest_of(text, _DIGITS)
    return BlankNode(f"{label}.{digest}", f"rule {rule}")
