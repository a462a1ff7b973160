"""What a user names on the command line or in a call: files, globs and URLs become programs and facts.

The base of relative references is
the URI of the file, or the URL.
"""

from collections.abc import Callable, Iterable

from agent.errors import UsageError
from agent.n3.load import read_program
from agent.n3.program import Program
from agent.rdf.documents import parse_document
from agent.rdf.terms import Triple, document_of
from agent.runtime.files import base_of, expand, is_url, read_bytes, read_text

Retrieve = Callable[[str], tuple[str, str, bytes]]
"""Fetches a URL: the URI that answered, the media type, the body. WorldError if there is no good answer."""


def load_programs(names: Iterable[str], retrieve: Retrieve) -> Program:
    """Return the program that the files, globs and URLs ``names`` hold together."""
    program = Program()
    for name in expand(names):
        if is_url(name):
            if document_of(name) != name:
                raise UsageError(
                    "USE001",
                    f"{name} cannot be a program, since it has a fragment",
                    hint="URIs of instances and containers come before -p, or after --.",
                )
            base, _, body = retrieve(name)
            text = body.decode("utf-8", "replace")
        else:
            base, text = base_of(name), read_text(name)
        program += read_program(text, source=name, base=base)
    return program


def load_facts(names: Iterable[str], retrieve: Retrieve) -> tuple[Triple, ...]:
    """Return what the RDF files, globs and URLs ``names`` say, read strictly."""
    found: list[Triple] = []
    for name in expand(names):
        base, media_type, body = retrieve(name) if is_url(name) else (base_of(name), "", read_bytes(name))
        found += parse_document(body, media_type, base, strict=True).triples
    return tuple(found)
