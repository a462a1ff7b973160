"""What a user names on the command line or in a call: files, globs and URLs become programs and facts.

Names are taken literally first; one that names no file is tried as a glob. The base of relative references is
the URI of the file, or the URL.
"""

import glob
from collections.abc import Callable, Iterable
from pathlib import Path

from agent.errors import Place, ProgramError, UsageError
from agent.n3.load import read_program
from agent.n3.program import Program
from agent.rdf.documents import parse_document
from agent.rdf.terms import Triple, document_of

Retrieve = Callable[[str], tuple[str, str, bytes]]
"""Fetches a URL: the URI that answered, the media type, the body. WorldError if there is no good answer."""


def is_url(name: str) -> bool:
    """Tell whether ``name`` is a URL rather than a path."""
    return name.startswith(("http://", "https://"))


def expand(names: Iterable[str]) -> tuple[str, ...]:
    """Return ``names`` with every glob replaced by the files it matches, sorted; USE002 if it matches none."""
    return tuple(name for given in names for name in _matches(given))


def read_text(name: str) -> str:
    """Return the text of the file ``name``; USE002 if it cannot be read, N3051 if it is not UTF-8."""
    body = read_bytes(name)
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ProgramError(
            "N3051", f"byte {error.start} is not UTF-8", place=Place(name), hint="Save the file as UTF-8."
        ) from None


def read_bytes(name: str) -> bytes:
    """Return the content of the file ``name``; USE002 if it cannot be read."""
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise UsageError("USE002", f"{name} cannot be read: {error.strerror}") from None


def base_of(name: str) -> str:
    """Return the URI that relative references in the file ``name`` are relative to."""
    return Path(name).resolve().as_uri()


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


def _matches(name: str) -> list[str]:
    if is_url(name) or Path(name).is_file():
        return [name]
    found = sorted(path for path in glob.glob(name, recursive=True) if Path(path).is_file())
    if not found:
        kind = "is a folder, not a file" if Path(name).is_dir() else "does not exist"
        raise UsageError(
            "USE002", f"{name} {kind}", hint="Check the path; a glob has to match at least one file."
        )
    return found
