"""Models that a user names, read and checked."""

from collections.abc import Iterable
from pathlib import Path

from agent.errors import Finding, Place, ProgramError, UsageError
from agent.gsm.check.checking import check_texts
from agent.gsm.check.texts import ModelText
from agent.rdf.terms import document_of
from agent.runtime.files import base_of, decode, expand, is_url, read_bytes
from agent.runtime.inputs import Retrieve

_OTHER_SYNTAXES = frozenset({".jsonld", ".rdf", ".owl", ".nq", ".trig"})


def check_models(names: Iterable[str], retrieve: Retrieve, *, verbose: bool = False) -> tuple[Finding, ...]:
    """Return what is wrong with the model in the files, globs and URLs ``names``, checked together.

    UsageError if one cannot be found, WorldError if a URL gives no good answer.
    """
    texts: list[ModelText] = []
    findings: list[Finding] = []
    for name in dict.fromkeys(document_of(each) if is_url(each) else each for each in expand(names)):
        try:
            texts.append(_text(name, retrieve))
        except ProgramError as error:
            findings.append(
                Finding("error", error.code, error.message, error.place or Place(name), error.hint)
            )
    return (*findings, *check_texts(texts, verbose=verbose)) if texts else tuple(findings)


def _text(name: str, retrieve: Retrieve) -> ModelText:
    if not is_url(name):
        if Path(name).suffix.lower() in _OTHER_SYNTAXES:
            raise UsageError("USE002", f"{name} is no Turtle", hint="Models are checked in Turtle or N3.")
        return ModelText(decode(read_bytes(name), name), name, base_of(name))
    given = retrieve(name)
    return ModelText(decode(given.body, name), name, given.base)
