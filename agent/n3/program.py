"""The program model: what a rule file means, kind by kind (ASM4LD, paper section 3.6).

A program holds facts, derivation rules and request rules. A bare request is a request rule with an empty body.
"""

from collections.abc import Iterator
from typing import TypeAlias, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from agent.errors import Finding, Place
from agent.rdf.terms import IRI, Formula, Literal, Term, Triple, variables_of
from agent.vocab import LOG

IMPLIES = IRI(LOG + "implies")
IS_IMPLIED_BY = IRI(LOG + "isImpliedBy")


class Pattern(Struct, frozen=True):
    """A triple of a rule together with the place where its object was written; ``left`` are those of its other parts."""

    triple: Triple
    place: Place
    left: tuple[Place, Place] | None = None

    @property
    def places(self) -> tuple[Place, Place, Place]:
        """Return the places of subject, predicate and object; that of the object for those which are not known."""
        subject, predicate = self.left or (self.place, self.place)
        return subject, predicate, self.place

    def place_of(self, variable: str) -> Place:
        """Return the place of the part that holds the variable named so."""
        for part, place in zip(self.triple, self.places, strict=True):
            if variable in variables_of([part]):
                return place
        return self.place


class DerivationRule(Struct, frozen=True):
    """``body => head``: whenever the body holds, the head's triples are known too.

    ``name`` is ``file:line`` of the rule and unique in a program.
    """

    name: str
    body: tuple[Pattern, ...]
    head: tuple[Pattern, ...]
    place: Place


class Inconsistency(Struct, frozen=True):
    """``body => false``: the body must never hold."""

    name: str
    body: tuple[Pattern, ...]
    place: Place


class RequestTemplate(Struct, frozen=True):
    """One request node of a head.

    ``method`` is an IRI of the HTTP methods vocabulary or a variable; ``uri`` an IRI or a variable; ``body`` a
    formula, a literal, a variable or nothing; ``headers`` pairs of field name and value; ``annotations`` all other
    statements about the node, as pairs of predicate and object, never sent; ``like`` the resource whose method,
    URI, body and header fields are taken from the final memory (``ag:likeRequest``), else nothing.
    Relative references inside a formula body are IRIs below ``vocab.THIS_BASE``.
    """

    node: Term
    method: Term | None
    uri: Term | None
    body: Formula | Literal | Term | None
    headers: tuple[tuple[Term, Term], ...]
    annotations: tuple[tuple[Term, Term], ...]
    like: Term | None
    place: Place


class RequestRule(Struct, frozen=True):
    """``body => request``: whenever the body holds, the requests are to be sent.

    Rules whose templates all have the constant method GET belong to the read phase (``is_retrieval``).
    """

    name: str
    body: tuple[Pattern, ...]
    requests: tuple[RequestTemplate, ...]
    place: Place
    is_retrieval: bool


class Program(Struct, frozen=True):
    """Facts and rules of one or several files, with what was found while loading them.

    ``backward`` are the rules ``{ head } <= { body }``: they answer the questions of others and derive nothing.
    ``base`` is the URI of the file, or of the first one.
    """

    facts: tuple[Triple, ...] = ()
    derivations: tuple[DerivationRule, ...] = ()
    requests: tuple[RequestRule, ...] = ()
    findings: tuple[Finding, ...] = ()
    prefixes: dict[str, str] = field(default_factory=dict)
    backward: tuple[DerivationRule, ...] = ()
    inconsistencies: tuple[Inconsistency, ...] = ()
    base: str = ""

    def __add__(self, other: "Program") -> "Program":
        """Return both programs as one; prefixes of ``self`` win, and rules that share a name get one each."""
        taken = {rule.name: rule for rule in self._rules()}
        return Program(
            self.facts + other.facts,
            self.derivations + _told_apart(other.derivations, taken),
            self.requests + _told_apart(other.requests, taken),
            self.findings + other.findings,
            {**other.prefixes, **self.prefixes},
            self.backward + _told_apart(other.backward, taken),
            self.inconsistencies + _told_apart(other.inconsistencies, taken),
            self.base or other.base,
        )

    def _rules(self) -> "Iterator[Rule]":
        yield from self.derivations
        yield from self.requests
        yield from self.backward
        yield from self.inconsistencies


Rule: TypeAlias = DerivationRule | RequestRule | Inconsistency
_Same = TypeVar("_Same", DerivationRule, RequestRule, Inconsistency)


def _told_apart(rules: tuple[_Same, ...], taken: dict[str, Rule]) -> tuple[_Same, ...]:
    """Return ``rules``, those renamed whose name another rule of ``taken`` has; all their names are taken then."""
    named: list[_Same] = []
    for rule in rules:
        own = rule
        while taken.setdefault(own.name, own) != own:
            own = replace(own, name=f"{own.name}'")
        named.append(own)
    return tuple(named)
