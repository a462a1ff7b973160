"""Random sentries over random small memories, with everything in them that two engines could see differently."""

import random

from agent.gsm.terms import IS_RUNNING
from agent.rdf.terms import (
    IRI,
    RDF_FIRST,
    RDF_NIL,
    RDF_REST,
    TRUE,
    XSD_BOOLEAN,
    XSD_DATETIME,
    XSD_DECIMAL,
    XSD_INTEGER,
    BlankNode,
    Formula,
    ListTerm,
    Literal,
    Term,
    Triple,
)
from agent.vocab import AG, XSD

INSTANT = "2026-01-05T12:00:00.000Z"
INSTANCES = tuple(f"http://e/i{number}" for number in range(3))
THINGS = (*(f"http://e/t{number}" for number in range(3)), *INSTANCES[:2])
PROPERTIES = tuple(f"http://e/p{number}" for number in range(3))
VALUES: tuple[Term, ...] = (
    *(Literal(text, XSD_INTEGER) for text in ("1", "01", "+1", "2", "one")),
    *(Literal(text, XSD_DECIMAL) for text in ("1.0", "2.50")),
    Literal("1", XSD + "int"),
    Literal("1.0E0", XSD + "double"),
    *(Literal(text, XSD_BOOLEAN) for text in ("true", "1", "false")),
    *(Literal(text, XSD_DATETIME) for text in ("2026-01-05T12:00:00Z", "2026-01-05T12:00:00.0Z")),
    Literal("1"),
    Literal("a"),
    Literal('quo"te\n\\'),
    Literal("a", language="en", datatype="http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"),
    Literal("a", "http://e/type"),
)
HOSTILE: tuple[Term, ...] = (
    IRI("http://e/not an IRI"),
    IRI("relative"),
    Literal("\ud800"),
    Literal("a", "no datatype"),
    ListTerm((IRI(THINGS[0]), Literal("1", XSD_INTEGER))),
    Formula((Triple(IRI(THINGS[0]), IRI(PROPERTIES[0]), IRI(THINGS[1])),)),
)
WRITTEN = (
    *("1", "01", "+1", "2.50", "1.0", "1.0E0", "true", '"1"', '"a"', '"a"@EN', "'a'^^<http://e/type>"),
    *('"1"^^xsd:boolean', '"01"^^xsd:int', '"2026-01-05T12:00:00.00Z"^^xsd:dateTime'),
)
VARIABLES = ("?a", "?b", "?c", "?d")
THIS = ("?thisArtifactInstance", "gsm:thisArtifactInstance")


def draw_memory(chance: random.Random) -> list[Triple]:
    """Return a memory with running instances and the instant."""
    nodes: list[Term] = [*map(IRI, THINGS), BlankNode("b0", "http://e/doc"), BlankNode("b1")]
    predicates: list[Term] = [*map(IRI, PROPERTIES), RDF_FIRST, RDF_REST]
    values = chance.sample(VALUES, 4)

    def draw() -> Triple:
        subject, predicate, object_ = (
            chance.choice(nodes),
            chance.choice(predicates[:3]),
            chance.choice(nodes),
        )
        if chance.random() < 0.15:
            predicate, object_ = chance.choice(predicates[3:]), chance.choice([*nodes, RDF_NIL])
        if chance.random() < 0.5:
            object_ = chance.choice(values)
        if chance.random() < 0.1:
            object_ = chance.choice(HOSTILE)
        if chance.random() < 0.1:
            subject = chance.choice([*values, *HOSTILE])
        if chance.random() < 0.03:
            predicate = chance.choice([*HOSTILE, BlankNode("b1"), values[0]])
        return Triple(subject, predicate, object_)

    given = [Triple(IRI(instance), IS_RUNNING, TRUE) for instance in INSTANCES]
    given.append(Triple(IRI(AG + "thisStep"), IRI(AG + "instant"), Literal(INSTANT, XSD_DATETIME)))
    return given + [draw() for _ in range(chance.randrange(4, 22))]


class Drawing:
    """Draws one query."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._nodes = 0

    def query(self) -> str:
        """Return the text of an ASK query."""
        return f"ASK {{ {self._group(2)} }}"

    def _group(self, depth: int) -> str:
        pieces = [self._pattern() for _ in range(self._chance.choice((0, 1, 1, 2, 2, 3)))]
        if depth:
            pieces += [self._part(depth) for _ in range(self._chance.choice((0, 0, 1, 1, 2)))]
        pieces += [f"FILTER({self._condition()})" for _ in range(self._chance.choice((0, 0, 0, 1)))]
        if self._chance.random() < 0.3:
            self._chance.shuffle(pieces)
        return " ".join(pieces)

    def _part(self, depth: int) -> str:
        inner = self._group(depth - 1)
        match self._chance.randrange(9):
            case 0 | 1:
                return f"{{ {inner} }} UNION {{ {self._group(depth - 1)} }}"
            case 2:
                return f"FILTER NOT EXISTS {{ {inner} }}"
            case 3:
                return f"FILTER(!EXISTS {{ {inner} }})"
            case 4:
                return f"FILTER EXISTS {{ {inner} }}"
            case 5:
                return f"MINUS {{ {inner} }}"
            case 6:
                return f"{{ {inner} }}"
            case 7:
                return f"VALUES ({self._variable()}) {{ ({self._constant()}) ({self._constant()}) }}"
            case _:
                return f"BIND({self._expression()} AS {self._chance.choice(('?e', '?f'))})"

    def _pattern(self) -> str:
        subject, object_ = self._subject(), self._object()
        roll = self._chance.random()
        if roll < 0.08:
            self._nodes += 1
            return f"{subject} {self._path()} [ {self._property()} {object_} ] ."
        if roll < 0.12:
            return f"{subject} {self._property()} ( {object_} {self._object()} ) ."
        if roll < 0.16:
            return (
                f"{subject} {self._path()} {object_} , {self._object()} ; {self._path()} {self._object()} ."
            )
        return f"{subject} {self._path()} {object_} ."

    def _subject(self) -> str:
        roll = self._chance.random()
        if roll < 0.15:
            return self._chance.choice(THIS)
        if roll < 0.25:
            return f"<{self._chance.choice(THINGS)}>"
        return self._variable() if roll < 0.99 else self._chance.choice(WRITTEN)

    def _object(self) -> str:
        roll = self._chance.random()
        if roll < 0.1:
            return self._chance.choice(THIS)
        return self._constant() if roll < 0.3 else self._variable()

    def _constant(self) -> str:
        if self._chance.random() < 0.5:
            return f"<{self._chance.choice(THINGS)}>"
        return self._chance.choice(WRITTEN)

    def _variable(self) -> str:
        return self._chance.choice((*VARIABLES, "?e") if self._chance.random() < 0.1 else VARIABLES)

    def _property(self) -> str:
        return f"<{self._chance.choice(PROPERTIES)}>"

    def _path(self, depth: int = 2) -> str:
        roll = self._chance.random()
        if roll < 0.7 or not depth:
            return self._property()
        one, other = self._path(depth - 1), self._path(depth - 1)
        match self._chance.randrange(9):
            case 0:
                return f"{one}/{other}"
            case 1:
                return f"({one}|{other})"
            case 2:
                return f"^({one})"
            case 3 | 4:
                return f"({one}){self._chance.choice('+*?')}"
            case 5:
                return f"{self._property()}{self._chance.choice('+*')}/{other}"
            case 6:
                return self._variable() if depth == 2 else self._property()
            case 7:
                return f"!({self._property()}|{self._property()})"
            case _:
                return f"!{self._property()}"

    def _expression(self) -> str:
        one, other = self._variable(), self._chance.choice((self._variable(), self._constant()))
        return self._chance.choice(
            (f"{one} + {other}", f"STR({one})", one, other, f"COALESCE({one}, {other})")
        )

    def _condition(self) -> str:
        one = self._chance.choice((*VARIABLES, "?e", *THIS))
        other = self._chance.choice((self._variable(), self._constant()))
        return self._chance.choice(
            (
                f"{one} {self._chance.choice(('<', '>', '=', '!=', '>='))} {other}",
                f"{one} {self._chance.choice(('<', '>', '=', '!=', '>='))} {other}",
                f"STR({one}) = {other}",
                f"BOUND({one})",
                f"!BOUND({self._chance.choice(VARIABLES)})",
                f"isLiteral({one}) || {one} = {other}",
                f"{one} IN ({other}, {self._constant()})",
                f"sameTerm({one}, {other})",
                f"NOW() >= {other}",
                f"xsd:integer({one}) = 1",
                "1 < 2",
                "regex(STR(?a), 't[0-9]', 'i')",
            )
        )
