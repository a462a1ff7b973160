"""One handler for each kind of test: what the product makes of the action, and whether that is what is wanted."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph

from agent.errors import MilepostError, ProgramError, describe, describe_finding
from agent.n3.builtins import Numeric
from agent.n3.data_lists import spell_out_lists
from agent.n3.load import read_program
from agent.n3.parsed import ParsedFile
from agent.n3.parser import parse
from agent.n3.quoted import Quotation, quotation_of
from agent.rdf.canonical import canonical
from agent.rdf.convert import from_ox
from agent.rdf.terms import IRI, BlankNode, Formula, ListTerm, Literal, Term, Triple, Variable
from agent.runtime.derivation import Derivation
from agent.runtime.derive import derive
from agent.vocab import KNOWN_PREFIXES, LOG
from tests.conformance.n3.manifests import Case
from tests.conformance.n3.sameness import by_value, folded, missing

NOW = "2026-01-01T00:00:00.000Z"
OWN = "judged by our own parser"
_RULES = frozenset({IRI(LOG + "implies"), IRI(LOG + "isImpliedBy")})


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a test passed, ``reason`` in few words (committed) and ``detail`` (shown only).

    ``own`` tells that only our own parser and comparison of terms could judge it.
    """

    passed: bool
    reason: str = ""
    detail: str = ""
    own: bool = False


def judge(case: Case, numeric: Numeric) -> Verdict:
    """Return the verdict on ``case``; whatever goes wrong inside is a verdict too."""
    try:
        return _HANDLERS[case.kind](case, numeric)
    except MilepostError as error:
        return Verdict(False, f"refused: {error.code}", str(error))
    except RecursionError:
        return Verdict(False, "crash: RecursionError")
    except Exception as error:  # noqa: BLE001 - a crash of the product is a verdict, not the end of the run
        return Verdict(False, f"crash: {type(error).__name__}", str(error))


def _text(path: Path) -> str:
    """Return the text of the file ``path`` with its line ends as they are."""
    return path.read_bytes().decode("utf-8")


def _parse(case: Case) -> ParsedFile:
    text = _text(case.action)
    return parse(text, source=case.action.name, base=case.action_iri, dialect=case.kind == "reasoning")


def _positive(case: Case, _: Numeric) -> Verdict:
    _parse(case)
    return Verdict(True)


def _negative(case: Case, _: Numeric) -> Verdict:
    try:
        _parse(case)
    except ProgramError:
        return Verdict(True)
    except UnicodeDecodeError:
        return Verdict(True)
    return Verdict(False, "accepted")


def _evaluation(case: Case, _: Numeric) -> Verdict:
    parsed = _parse(case)
    ours = [pattern.triple for pattern in spell_out_lists(parsed.statements, parsed.base)]
    result = case.result
    if result is None:
        return Verdict(False, "no result in the manifest")
    text = _text(result)
    theirs = _independently_read(text) if result.suffix == ".nt" else None
    if theirs is not None:
        same = canonical(ours) == canonical(theirs)
        return Verdict(same, "" if same else "another graph")
    reference = parse(text, source=result.name, base=case.action_iri)
    wanted = folded(_at_home(pattern.triple, case) for pattern in reference.statements)
    given = folded(ours)
    if not missing(wanted, given) and not missing(given, wanted):
        return Verdict(True, OWN, own=True)
    wanted, given = by_value(wanted), by_value(given)
    lost, extra = missing(wanted, given), missing(given, wanted)
    if lost or extra:
        return Verdict(False, "another graph", _shown(lost, extra), own=True)
    return Verdict(True, f"{OWN}, numbers by value", own=True)


def _at_home(triple: Triple, case: Case) -> Triple:
    """Return ``triple`` with the IRI of the action where it names a copy of it on the machine of whoever wrote it."""
    return Triple(*(_home_of(term, case) for term in triple))


def _home_of(term: Term, case: Case) -> Term:
    if isinstance(term, IRI) and term.value.startswith("file:"):
        document, hash_sign, fragment = term.value.partition("#")
        if document.rpartition("/")[2] == case.action.name:
            return IRI(case.action_iri + hash_sign + fragment)
    return term


def _independently_read(text: str) -> list[Triple] | None:
    """Return what pyoxigraph reads, or nothing if that is no plain RDF."""
    try:
        quads = list(pyoxigraph.parse(text.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES))
    except SyntaxError:
        return None
    labels: dict[str, BlankNode] = {}
    return [
        Triple(*(from_ox(term, "result", labels) for term in (quad.subject, quad.predicate, quad.object)))
        for quad in quads
    ]


def _reasoning(case: Case, numeric: Numeric) -> Verdict:
    result = case.result
    if result is None:
        return Verdict(False, "no result in the manifest")
    outcome = _outcome(case, numeric)
    text = _text(result)
    if "strings" in case.options:
        same = outcome.strings.strip() == text.strip()
        return Verdict(same, "" if same else "another text", f"it says {outcome.strings!r}")
    stated = _parse(case)
    stated_prefixes = {name: namespace for name, namespace in stated.prefixes.items() if name}
    prefixes = "".join(
        f"@prefix {name}: <{namespace}> . "
        for name, namespace in {**KNOWN_PREFIXES, **stated_prefixes}.items()
    )
    try:
        reference = parse(prefixes + text, source=result.name, base=case.action_iri)
    except ProgramError as error:
        return Verdict(False, "broken reference", str(error))
    wanted = by_value(folded(_at_home(pattern.triple, case) for pattern in reference.statements))
    given = by_value(folded([*(pattern.triple for pattern in stated.statements), *outcome.triples]))
    new = by_value(folded(outcome.derived, outcome.triples))
    if "data" in case.options:
        new = [triple for triple in new if triple.predicate not in _RULES]
    lost, extra = missing(wanted, given), missing(new, wanted)
    if lost or extra:
        reason = ", ".join(word for word, found in (("missing", lost), ("extra", extra)) if found)
        return Verdict(False, reason, _shown(lost, extra), own=True)
    return Verdict(True, own=True)


def _outcome(case: Case, numeric: Numeric) -> Derivation:
    text = _text(case.action)
    program = read_program(text, source=case.action.name, base=case.action_iri)
    return derive(
        program, numeric=numeric, instant=NOW, open_document=lambda uri: _document_of_suite(uri, case)
    )


def _document_of_suite(uri: str, case: Case) -> Quotation | None:
    """Return what the file that ``uri`` stands for says, if it belongs to the suite."""
    base = case.action_iri.removesuffix(case.action.relative_to(case.root).as_posix())
    path = (case.root / uri.removeprefix(base)).resolve()
    if not uri.startswith(base) or not path.is_relative_to(case.root.resolve()) or not path.is_file():
        return None
    return quotation_of(_text(path), source=path.name, base=uri)


def _shown(lost: list[Triple], extra: list[Triple]) -> str:
    return "\n".join(
        [
            *(f"  missing  {_line(triple)}" for triple in lost[:5]),
            *(f"  extra    {_line(triple)}" for triple in extra[:5]),
        ]
    )


def _line(triple: Triple) -> str:
    return " ".join(_short(term) for term in triple)[:300]


def _short(term: Term) -> str:
    match term:
        case IRI(value):
            return value.rpartition("/")[2] or value
        case Literal(lexical, datatype):
            return f'"{lexical}"' + (f"^^{datatype.rpartition('#')[2]}" if "string" not in datatype else "")
        case Variable(name):
            return f"?{name}"
        case BlankNode(label):
            return f"_:{label}"
        case ListTerm(items):
            return f"({' '.join(map(_short, items))})"
        case Formula(triples):
            return "{" + ". ".join(_line(each) for each in triples) + "}"


def _error_text(case: Case, _: Numeric) -> Verdict:
    result = case.result
    if result is None:
        return Verdict(False, "no result in the manifest")
    said = complaint(case.action, case.action_iri)
    same = said == _text(result)
    return Verdict(same, "" if same else "another text", "" if same else said)


def complaint(path: Path, iri: str) -> str:
    """Return all that a user reads about the program in the file ``path``, errors or else warnings."""
    try:
        findings = read_program(_text(path), source=path.name, base=iri).findings
    except ProgramError as error:
        return "\n\n".join(describe(each).rstrip() for each in (error, *error.others)) + "\n"
    return "\n\n".join(describe_finding(finding).rstrip() for finding in findings) + "\n"


_HANDLERS: dict[str, Callable[[Case, Numeric], Verdict]] = {
    "positive syntax": _positive,
    "negative syntax": _negative,
    "evaluation": _evaluation,
    "reasoning": _reasoning,
    "error text": _error_text,
}
