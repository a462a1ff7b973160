"""What reasoners are measured on: rules and generated facts, the same for the same seed.

A rule is written once and shown in two languages, as a rule of Notation3 and as a query of SPARQL.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple, TypeAlias

from msgspec import Struct

HERE = "http://example.org/bench#"
_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_INTEGER = "<http://www.w3.org/2001/XMLSchema#integer>"
_PREFIXES = {
    "": HERE,
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": _RDFS,
    "math": "http://www.w3.org/2000/10/swap/math#",
}
_PAPERS = 5
_COURSES = 3

WORKLOADS = ("rdfs", "taxonomy", "join", "chain")
"""The names of the workloads, in the order of the table."""

Fact: TypeAlias = tuple[str, str, str]
"""A triple, its terms in the notation of N-Triples."""


class Rule(NamedTuple):
    """``body`` implies ``head``, triples in the notation that Notation3 and SPARQL share; ``greater`` compares two variables."""

    body: tuple[str, ...]
    head: str
    greater: tuple[str, str] | None = None


class Workload(Struct, frozen=True):
    """Rules and the facts that they are applied to; ``facts`` takes the source of chance."""

    name: str
    title: str
    rules: tuple[Rule, ...]
    facts: Callable[[Random], Iterator[Fact]]

    def program(self) -> str:
        """Return the rules as Notation3."""
        lines = [f"@prefix {prefix}: <{iri}> ." for prefix, iri in _PREFIXES.items()]
        return "\n".join([*lines, *map(_as_rule, self.rules), ""])

    def queries(self) -> list[str]:
        """Return the rules as SPARQL CONSTRUCT queries."""
        return [_as_query(rule) for rule in self.rules]


_SIZES = {"full": (6, 100_000, 16_000, 500), "medium": (1, 10_000, 1_600, 150), "small": (0, 40, 160, 12)}


def workloads(size: str) -> tuple[Workload, ...]:
    """Return the four workloads in ``size``: "full", "medium" (about a tenth) or "small" (for a look)."""
    schools, depth, sensors, length = _SIZES[size]
    return (
        Workload(
            "rdfs",
            "closure under six RDFS rules of a university's data",
            _RDFS_RULES,
            lambda chance: universities(schools, chance),
        ),
        Workload("taxonomy", "classes nested deep", _TAXONOMY_RULES, lambda _: _taxonomy(depth)),
        Workload(
            "join", "four patterns and a comparison", _JOIN_RULES, lambda chance: _sensors(sensors, chance)
        ),
        Workload("chain", "transitive closure of a chain", _CHAIN_RULES, lambda _: _chain(length)),
    )


_RDFS_RULES = (
    Rule(("?p rdfs:domain ?c", "?x ?p ?y"), "?x rdf:type ?c"),
    Rule(("?p rdfs:range ?c", "?x ?p ?y"), "?y rdf:type ?c"),
    Rule(("?p rdfs:subPropertyOf ?q", "?q rdfs:subPropertyOf ?r"), "?p rdfs:subPropertyOf ?r"),
    Rule(("?p rdfs:subPropertyOf ?q", "?x ?p ?y"), "?x ?q ?y"),
    Rule(("?c rdfs:subClassOf ?d", "?d rdfs:subClassOf ?e"), "?c rdfs:subClassOf ?e"),
    Rule(("?c rdfs:subClassOf ?d", "?x rdf:type ?c"), "?x rdf:type ?d"),
)
_TAXONOMY_RULES = (Rule(("?c rdfs:subClassOf ?d", "?x rdf:type ?c"), "?x rdf:type ?d"),)
_JOIN_RULES = (
    Rule(
        ("?s rdf:type :Thermometer", "?s :hangsIn ?room", "?s :reads ?degrees", "?room :allows ?limit"),
        "?s :alarms ?room",
        ("?degrees", "?limit"),
    ),
)
_CHAIN_RULES = (Rule(("?a :before ?b", "?b :before ?c"), "?a :before ?c"),)


def _as_rule(rule: Rule) -> str:
    body = list(rule.body)
    if rule.greater:
        left, right = rule.greater
        body.append(f"{left} math:greaterThan {right}")
    return f"{{ {' . '.join(body)} }} => {{ {rule.head} }} ."


def _as_query(rule: Rule) -> str:
    prefixes = " ".join(f"PREFIX {prefix}: <{iri}>" for prefix, iri in _PREFIXES.items())
    condition = f" FILTER({' > '.join(rule.greater)})" if rule.greater else ""
    return f"{prefixes} CONSTRUCT {{ {rule.head} }} WHERE {{ {' . '.join(rule.body)}{condition} }}"


def _name(local: str) -> str:
    return f"<{HERE}{local}>"


def _schema(term: str) -> str:
    return f"<{_RDFS}{term}>"


def _number(value: int) -> str:
    return f'"{value}"^^{_INTEGER}'


def _taxonomy(depth: int) -> Iterator[Fact]:
    """Yield one individual of the lowest of ``depth`` nested classes, each of which has three superclasses."""
    yield _name("it"), _TYPE, _name("C0")
    for level in range(depth):
        for kind in "CDE":
            yield _name(f"C{level}"), _schema("subClassOf"), _name(f"{kind}{level + 1}")


def _chain(length: int) -> Iterator[Fact]:
    for number in range(length):
        yield _name(f"n{number}"), _name("before"), _name(f"n{number + 1}")


def _sensors(count: int, chance: Random) -> Iterator[Fact]:
    """Yield ``count`` sensors, half of them thermometers, in rooms that allow different temperatures."""
    rooms = max(count // 8, 1)
    for number in range(count):
        sensor = _name(f"sensor{number}")
        yield sensor, _TYPE, _name("Thermometer" if number % 2 else "Hygrometer")
        yield sensor, _name("hangsIn"), _name(f"room{chance.randrange(rooms)}")
        yield sensor, _name("reads"), _number(chance.randrange(1000))
    for room in range(rooms):
        yield _name(f"room{room}"), _name("allows"), _number(chance.randrange(300, 900))


_SUPERCLASS = {
    "FullProfessor": "Professor",
    "AssociateProfessor": "Professor",
    "AssistantProfessor": "Professor",
    "Professor": "Faculty",
    "Lecturer": "Faculty",
    "Faculty": "Employee",
    "Employee": "Person",
    "GraduateStudent": "Student",
    "UndergraduateStudent": "Student",
    "Student": "Person",
    "Person": "Actor",
    "University": "Organisation",
    "Department": "Organisation",
    "Organisation": "Actor",
    "Course": "Work",
    "Publication": "Work",
}
_SUPERPROPERTY = {
    "heads": "worksFor",
    "worksFor": "memberOf",
    "memberOf": "affiliatedWith",
    "doctorateFrom": "degreeFrom",
    "bachelorFrom": "degreeFrom",
    "advisedBy": "knows",
}
_DOMAIN_AND_RANGE = {
    "memberOf": ("Person", "Organisation"),
    "degreeFrom": ("Person", "University"),
    "advisedBy": ("Student", "Professor"),
    "teaches": ("Faculty", "Course"),
    "attends": ("Student", "Course"),
    "writtenBy": ("Publication", "Person"),
    "partOf": ("Organisation", "Organisation"),
    "knows": ("Person", "Person"),
}
_RANKS = ("FullProfessor", "AssociateProfessor", "AssistantProfessor", "Lecturer")


def universities(count: int, chance: Random) -> Iterator[Fact]:
    """Yield a schema and the people, courses and publications of ``count`` universities, or of one department for 0."""
    for sub, above in _SUPERCLASS.items():
        yield _name(sub), _schema("subClassOf"), _name(above)
    for sub, above in _SUPERPROPERTY.items():
        yield _name(sub), _schema("subPropertyOf"), _name(above)
    for term, (domain, reach) in _DOMAIN_AND_RANGE.items():
        yield _name(term), _schema("domain"), _name(domain)
        yield _name(term), _schema("range"), _name(reach)
    departments = 15 if count else 1
    for university in range(max(count, 1)):
        yield _name(f"u{university}"), _TYPE, _name("University")
        for number in range(departments):
            department = f"u{university}d{number}"
            yield _name(department), _TYPE, _name("Department")
            yield _name(department), _name("partOf"), _name(f"u{university}")
            yield from _department(department, f"u{chance.randrange(max(count, 1))}", chance)


def _department(department: str, alma_mater: str, chance: Random) -> Iterator[Fact]:
    teachers = [f"{department}t{number}" for number in range(20)]
    courses = [f"{department}c{number}" for number in range(20)]
    for number, (teacher, course) in enumerate(zip(teachers, courses, strict=True)):
        yield _name(teacher), _TYPE, _name(chance.choice(_RANKS))
        yield _name(teacher), _name("worksFor" if number else "heads"), _name(department)
        yield _name(teacher), _name("doctorateFrom"), _name(alma_mater)
        yield _name(teacher), _name("teaches"), _name(course)
        yield _name(teacher), _name("name"), f'"Teacher {teacher}"'
        for paper in range(_PAPERS):
            yield _name(f"{teacher}p{paper}"), _name("writtenBy"), _name(teacher)
    for number in range(150):
        student = f"{department}s{number}"
        graduate = number % 4 == 0
        yield _name(student), _TYPE, _name("GraduateStudent" if graduate else "UndergraduateStudent")
        yield _name(student), _name("memberOf"), _name(department)
        yield _name(student), _name("name"), f'"Student {student}"'
        for course in chance.sample(courses, _COURSES):
            yield _name(student), _name("attends"), _name(course)
        if graduate:
            yield _name(student), _name("advisedBy"), _name(chance.choice(teachers))
            yield _name(student), _name("bachelorFrom"), _name(alma_mater)
