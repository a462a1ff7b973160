"""Short ways to read Notation3 in tests."""

import pytest

from agent.errors import ProgramError
from agent.n3.load import read_program
from agent.n3.parser import parse
from agent.n3.program import Program
from agent.rdf.terms import IRI, Term, Triple

BASE = "http://example.org/app/program.n3"
SOURCE = "program.n3"
PREFIXES = (
    "@prefix ex: <http://example.org/ns#> . @prefix http: <http://www.w3.org/2011/http#> . "
    "@prefix http_m: <http://www.w3.org/2011/http-methods#> . "
    "@prefix ag: <https://w3id.org/milepost/agent#> . "
    "@prefix log: <http://www.w3.org/2000/10/swap/log#> . "
    "@prefix math: <http://www.w3.org/2000/10/swap/math#> . "
    "@prefix string: <http://www.w3.org/2000/10/swap/string#> . "
    "@prefix list: <http://www.w3.org/2000/10/swap/list#> . "
    "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . "
    "@prefix this: <http://this.nxparser.github.io/reference/to/URI/of/current/rdf/graph/for/representing/"
    "permanently/relative/URIs/in/N-Triples/#> .\n"
)
"""One line, so that the text of a test begins on line 2."""

PROGRAM = PREFIXES + (
    "ex:a ex:p 1, 'x'@en, (ex:b 2.0), [ ex:q true ], { ?x a ex:Said } .\n"
    "{ [] http:mthd http_m:GET ; http:requestURI <u> ; http:fieldName 'A' ; http:fieldValue 'b' . }\n"
    "{ ?x ex:p [ ex:q ?y ] . (?y 1) math:sum ?z . [] log:notIncludes { ?x ex:r _:n } } => { ?x ex:s [ ex:t ?z ] } .\n"
    "{ ?x ex:p ?y } => { _:h http:mthd http_m:PUT ; http:requestURI ?x ; ag:rank 1 ;"
    " http:body { <#it> ex:p ?y . _:c ex:q <>, _:c } . } .\n"
    "{ ?x ex:p ?r } => { [] ag:likeRequest ?r ; ag:unit ?x } .\n"
)
"""Something of every kind of statement."""


def ex(name: str) -> IRI:
    """Return ``ex:name``."""
    return IRI(f"http://example.org/ns#{name}")


def triples(text: str, *, base: str = BASE) -> list[Triple]:
    """Return the triples of ``text``, after the usual prefixes."""
    return [statement.triple for statement in parse(PREFIXES + text, source=SOURCE, base=base).statements]


def object_of(text: str) -> Term:
    """Return the term that ``text`` writes, as object of a triple."""
    return triples(f"ex:s ex:p {text} .")[-1].object


def program(text: str) -> Program:
    """Return the program ``text``, after the usual prefixes."""
    return read_program(PREFIXES + text, source=SOURCE, base=BASE)


def syntax_error(text: str) -> ProgramError:
    """Return the error that parsing ``text`` alone gives."""
    with pytest.raises(ProgramError) as caught:
        parse(text, source=SOURCE, base=BASE)
    return caught.value


def load_error(text: str) -> ProgramError:
    """Return the error that reading the program ``text`` gives, after the usual prefixes."""
    with pytest.raises(ProgramError) as caught:
        program(text)
    return caught.value


def findings(text: str) -> list[tuple[str, str]]:
    """Return the code of each error of the program ``text``, and the characters that it points at."""
    error = load_error(text)
    places = [(each.code, each.place) for each in (error, *error.others)]
    return [
        (code, place.text[place.column - 1 : place.end_column - 1])
        for code, place in places
        if place is not None
    ]
