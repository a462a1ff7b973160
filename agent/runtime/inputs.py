"""What a user names on the command line or in a call: files, globs and URLs become programs and facts.

The base of relative references is the URI of the file, or the URL that answered.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from agent.errors import ProgramError, UsageError
from agent.n3.load import read_program
from agent.n3.program import Program
from agent.n3.quoted import Quotation, quotation_of, quoted_document
from agent.rdf.documents import parse_document
from agent.rdf.syntax import Syntax, syntax_of
from agent.rdf.terms import Triple, document_of
from agent.runtime.files import base_of, decode, expand, is_url, read_bytes, read_text

_PREFIX = re.compile(
    r"^[ \t]*@?prefix[ \t]+([\w-]*):[ \t]*<([A-Za-z][^<>\s\\]*)>", re.IGNORECASE | re.MULTILINE
)
_HEAD_BYTES = 65_536


class Retrieved(NamedTuple):
    """What a URL gave: the URI that answered, the media type without parameters, the body."""

    base: str
    media_type: str
    body: bytes


Retrieve: TypeAlias = Callable[[str], Retrieved]
"""Fetches a URL; WorldError if there is no good answer."""


class Given(NamedTuple):
    """What one file or URL, called ``name``, says; ``prefixes`` are those it declares at its beginning."""

    name: str
    triples: Sequence[Triple]
    prefixes: Mapping[str, str]


def load_programs(names: Iterable[str], retrieve: Retrieve) -> Program:
    """Return the program that the files, globs and URLs ``names`` hold together."""
    program = Program()
    for _, part in read_programs(names, retrieve):
        program += part
    return program


def read_programs(names: Iterable[str], retrieve: Retrieve) -> tuple[tuple[str, Program], ...]:
    """Return the programs in the files, globs and URLs ``names``, each with the name of its file."""
    return tuple(
        (name, read_program(text, source=name, base=base))
        for name in expand(names)
        for base, text in [_program_text(name, retrieve)]
    )


def load_facts(names: Iterable[str], retrieve: Retrieve) -> tuple[Triple, ...]:
    """Return what the RDF files, globs and URLs ``names`` say, read strictly."""
    return tuple(triple for given in read_data(names, retrieve) for triple in given.triples)


def read_data(names: Iterable[str], retrieve: Retrieve) -> tuple[Given, ...]:
    """Return what each of the files, globs and URLs ``names`` says, read strictly.

    Notation3 may hold formulas, but rules belong into programs: ProgramError N3013.
    """
    return tuple(_data(name, retrieve) for name in expand(names))


def open_named(names: Iterable[str], retrieve: Retrieve) -> Callable[[str], Quotation | None]:
    """Return what opens a document for rules that look into it, if it is among the files, globs and URLs ``names``."""
    known = {document_of(name if is_url(name) else base_of(name)): name for name in expand(names)}

    def open_document(uri: str) -> Quotation | None:
        name = known.get(uri)
        return None if name is None else _quotation(name, retrieve)

    return open_document


def _read(name: str, retrieve: Retrieve) -> Retrieved:
    return retrieve(name) if is_url(name) else Retrieved(base_of(name), "", read_bytes(name))


def _quotation(name: str, retrieve: Retrieve) -> Quotation:
    base, media_type, body = _read(name, retrieve)
    if syntax_of(media_type, document_of(base)) is Syntax.N3:
        return quotation_of(decode(body, name), source=name, base=base)
    document = parse_document(body, media_type, base, strict=True, source=name)
    return Quotation(quoted_document(document.triples), body.decode("utf-8", "replace"))


def _data(name: str, retrieve: Retrieve) -> Given:
    base, media_type, body = _read(name, retrieve)
    syntax = syntax_of(media_type, document_of(base))
    if syntax is Syntax.N3:
        program = read_program(decode(body, name), source=name, base=base)
        _refuse_rules(program)
        return Given(name, program.facts, program.prefixes)
    document = parse_document(body, media_type, base, strict=True, source=name)
    in_turtle = syntax in {Syntax.TURTLE, Syntax.TRIG}
    head = body[:_HEAD_BYTES].decode(errors="replace") if in_turtle else ""
    return Given(name, document.statements, dict(_PREFIX.findall(head)))


def _refuse_rules(program: Program) -> None:
    places = [rule.place for rule in (*program.derivations, *program.backward)]
    places += [rule.place for rule in program.requests] + [rule.place for rule in program.inconsistencies]
    if places:
        raise ProgramError(
            "N3013", "expected data, got a rule", place=places[0], hint="Give the file with -p instead of -i."
        )


def _program_text(name: str, retrieve: Retrieve) -> tuple[str, str]:
    if not is_url(name):
        return base_of(name), read_text(name)
    if document_of(name) != name:
        raise UsageError(
            "USE001",
            f"{name} cannot be a program, since it has a fragment",
            hint="URIs of instances and containers come before -p, or after --.",
        )
    given = retrieve(name)
    return given.base, decode(given.body, name)
