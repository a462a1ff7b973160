"""Manifests in the form of the W3C N3 test suite: which tests there are, and what each of them wants."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agent.n3.load import read_model
from agent.rdf.terms import IRI, RDF_TYPE, Literal, Term

SUITE_BASE = "https://w3c.github.io/N3/tests/"
"""Where the files of the W3C suite live; the folder given to the runner stands for it."""

_MANIFEST = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
_TEST = "https://w3c.github.io/N3/tests/test.n3#"
_OWN = "https://w3id.org/milepost/test#"
_APPROVAL = IRI("http://www.w3.org/ns/rdftest#approval")
_REJECTED = IRI("http://www.w3.org/ns/rdftest#Rejected")
_ACTION = IRI(_MANIFEST + "action")
_RESULT = IRI(_MANIFEST + "result")
_OPTIONS = IRI(_TEST + "options")

KINDS = {
    _TEST + "TestN3PositiveSyntax": "positive syntax",
    _TEST + "TestN3NegativeSyntax": "negative syntax",
    _TEST + "TestN3Eval": "evaluation",
    _TEST + "TestN3Reason": "reasoning",
    _OWN + "ErrorText": "error text",
}
"""The types of tests that the runner has a handler for; tests of another type belong to other runners."""


@dataclass(frozen=True, slots=True)
class Case:
    """A test: ``name`` is its IRI below the base, ``action`` and ``result`` are files with the IRI they stand for."""

    name: str
    manifest: str
    kind: str
    action: Path
    action_iri: str
    result: Path | None
    options: frozenset[str]
    root: Path


def read_cases(root: Path, base: str) -> list[Case]:
    """Return the tests of all manifests below ``root``, which stands for ``base``, without the rejected ones."""
    manifests = sorted(root.rglob("manifest*.ttl"))
    return [case for manifest in manifests for case in _cases_of(manifest, root, base)]


def _cases_of(manifest: Path, root: Path, base: str) -> Iterator[Case]:
    name = manifest.relative_to(root).as_posix()
    said: dict[Term, dict[Term, list[Term]]] = defaultdict(lambda: defaultdict(list))
    for pattern in read_model(manifest.read_text(encoding="utf-8"), source=name, base=base + name):
        subject, predicate, value = pattern.triple
        said[subject][predicate].append(value)
    for subject, about in list(said.items()):
        kinds = [
            KINDS[kind.value] for kind in about[RDF_TYPE] if isinstance(kind, IRI) and kind.value in KINDS
        ]
        if not kinds or not isinstance(subject, IRI) or _REJECTED in about[_APPROVAL]:
            continue
        action, result = _iri(about[_ACTION]), _iri(about[_RESULT])
        options = frozenset(
            option.value.removeprefix(_TEST)
            for node in about[_OPTIONS]
            for option, values in said[node].items()
            if isinstance(option, IRI) and Literal("true", _BOOLEAN) in values
        )
        yield Case(
            subject.value.removeprefix(base),
            name,
            kinds[0],
            root / action.removeprefix(base),
            action,
            root / result.removeprefix(base) if result else None,
            options,
            root,
        )


_BOOLEAN = "http://www.w3.org/2001/XMLSchema#boolean"


def _iri(values: list[Term]) -> str:
    return next((value.value for value in values if isinstance(value, IRI)), "")
