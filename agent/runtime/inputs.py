"""What a user names on the command line or in a call: files, globs and URLs become programs and facts.

The base of relative references is the URI of the file, or the URL that answered.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from agent.errors import UsageError
from agent.n3.load import read_program
from agent.n3.program import Program
from agent.rdf.documents import parse_document
from agent.rdf.terms import Triple, document_of
from agent.runtime.files import base_of, decode, expand, is_url, read_bytes, read_text


class Retrieved(NamedTuple):
    """What a URL gave: the URI that answered, the media type without parameters, the body."""

    base: str
    media_type: str
    body: bytes


Retrieve: TypeAlias = Callable[[str], Retrieved]
"""Fetches a URL; WorldError if there is no good answer."""


def load_programs(names: Iterable[str], retrieve: Retrieve) -> Program:
    """Return the program that the files, globs and URLs ``names`` hold together."""
    program = Program()
    for name in expand(names):
        base, text = _program_text(name, retrieve)
        program += read_program(text, source=name, base=base)
    return program


def load_facts(names: Iterable[str], retrieve: Retrieve) -> tuple[Triple, ...]:
    """Return what the RDF files, globs and URLs ``names`` say, read strictly."""
    found: list[Triple] = []
    for name in expand(names):
        given = retrieve(name) if is_url(name) else Retrieved(base_of(name), "", read_bytes(name))
        found += parse_document(given.body, given.media_type, given.base, strict=True, source=name).triples
    return tuple(found)


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
