"""Terms that do not exist, in the namespaces whose terms are all known; what was probably meant is checked on."""

from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from functools import cache, lru_cache

from agent.errors import Finding, Place, closest
from agent.gsm.check.terms import HTTP_TERMS, SPIN_TERMS
from agent.n3.load import read_model, read_program
from agent.n3.program import Pattern
from agent.n3.source import SourceText
from agent.rdf.terms import IRI, RDF_TYPE, Literal, Term, Triple
from agent.resources import bundled_names, read_bundled
from agent.vocab import AG, GSM, HTTP, SCHED, SH, SP

MAX_SUGGESTIONS = 50
_OURS = (GSM, AG, SCHED)
_ALIKE = 0.9
_MAX_NAMESPACE = 100
_SHOWN = 40
_PREFERRED = {GSM: "gsm", AG: "ag", SCHED: "sched", HTTP: "http", SP: "sp", SH: "sh"}


@cache
def known_terms() -> Mapping[str, frozenset[str]]:
    """Return the local names of all terms, namespace by namespace; a namespace that is not listed is open."""
    from rdflib import SH as SHACL  # noqa: PLC0415  rdflib loads slowly, and only checking needs this

    known: dict[str, set[str]] = {namespace: set() for namespace in _OURS}
    for name in bundled_names("ontology", ".ttl"):
        if "/shapes/" not in name:
            _collect((each.triple for each in read_model(read_bundled(name), source=name, base="")), known)
    aliases = read_program(read_bundled("rules/gsm/aliases.n3"), source="aliases", base="")
    _collect((pattern.triple for rule in aliases.derivations for pattern in rule.body), known)
    shacl = {str(term).removeprefix(SH) for term in dir(SHACL) if not term.startswith("_")}
    closed = {HTTP: HTTP_TERMS, SP: SPIN_TERMS, SH: frozenset(shacl)}
    return closed | {namespace: frozenset(names) for namespace, names in known.items() if names}


def _collect(triples: Iterable[Triple], known: dict[str, set[str]]) -> None:
    for triple in triples:
        for term in triple:
            if isinstance(term, IRI):
                namespace, local = _parts(term.value)
                if namespace in known and local:
                    known[namespace].add(local)


def _parts(iri: str) -> tuple[str, str]:
    cut = iri.rfind("#") + 1
    return iri[:cut], iri[cut:]


def meant_term(iri: str, *, guess: bool = True) -> tuple[str, str] | None:
    """Return nothing for a term that exists or lies in an open namespace, else severity and the IRI meant, or "".

    Without ``guess`` nothing is looked up that takes long.
    """
    namespace, local = _parts(iri)
    known = known_terms().get(namespace)
    if known is None or not local or local in known:
        return None
    elsewhere = next((other for other in _OURS if local in known_terms().get(other, ())), "")
    if elsewhere and namespace in _OURS:
        return "error", elsewhere + local
    if not guess:
        return "error" if namespace in _OURS else "warning", ""
    alike = [name for name in known if name[0].isupper() == local[0].isupper()]
    match = closest(local, alike) or closest(local, known)
    severity = "error" if match or namespace in _OURS else "warning"
    return severity, namespace + match if match else ""


def meant_namespace(iri: str) -> tuple[str, str, str] | None:
    """Return the namespace of ``iri``, the known one that was probably meant, and the term; nothing if that is not so.

    A namespace one sign away from a known one is a slip if the known one has the term.
    """
    cut = max(iri.rfind("#"), iri.rfind("/")) + 1
    namespace, local = iri[:cut], iri[cut:]
    if not local or len(namespace) > _MAX_NAMESPACE or namespace in known_terms():
        return None
    alike = _alike_namespace(namespace)
    return (namespace, alike, local) if alike and local in known_terms()[alike] else None


@lru_cache(maxsize=1024)
def _alike_namespace(namespace: str) -> str:
    """Return the known namespace that ``namespace`` nearly is, or the empty text."""
    return next(
        (known for known in known_terms() if SequenceMatcher(None, namespace, known).ratio() >= _ALIKE), ""
    )


def spelling(iri: str, prefixes: Mapping[str, str] | None = None) -> str:
    """Return ``iri`` as a name with its usual prefix, or with that of ``prefixes``."""
    namespace, local = _parts(iri)
    given = {value: prefix for prefix, value in (prefixes or {}).items()}
    prefix = given.get(namespace, _PREFERRED.get(namespace))
    return f"<{iri}>" if prefix is None else f"{prefix}:{local}"


def unknown_term(
    iri: str, severity: str, meant: str, place: Place, prefixes: Mapping[str, str] | None = None
) -> Finding:
    """Return the finding about ``iri``, a term that does not exist."""
    hint = (
        f"did you mean {spelling(meant, prefixes)}?"
        if meant
        else "remove it, or use a vocabulary that has it"
    )
    namespace = _parts(iri)[0]
    message = f"{spelling(iri, prefixes)} is no term of {namespace}"
    return Finding(severity, "GSM010", message, place, hint)


def without_unknown_terms(
    statements: Iterable[Pattern], sources: Mapping[str, SourceText]
) -> tuple[list[Pattern], list[Finding]]:
    """Return ``statements`` with misspelt terms replaced by what was meant, and a finding for each of them."""
    findings: dict[tuple[str, int, int], Finding] = {}
    namespaces: dict[tuple[str, str], Finding] = {}
    meant: list[Pattern] = []
    for statement in statements:
        parts: list[Term] = list(statement.triple)
        if parts[1] == RDF_TYPE and isinstance(parts[2], Literal):
            place = statement.place
            finding, parts[2] = _class_as_text(parts[2], sources[place.source].shown(place))
            findings[place.source, place.line, place.column] = finding
        for index in (1, 2):
            term = parts[index]
            slip = meant_namespace(term.value) if isinstance(term, IRI) else None
            if slip:
                namespace, alike, local = slip
                place = statement.places[index]
                key = (place.source, namespace)
                namespaces.setdefault(key, _unknown_namespace(slip, sources[place.source].shown(place)))
                parts[index] = IRI(alike + local)
                continue
            guess = len(findings) < MAX_SUGGESTIONS
            found = meant_term(term.value, guess=guess) if isinstance(term, IRI) else None
            if found is None or not isinstance(term, IRI):
                continue
            severity, iri = found
            place = statement.places[index]
            shown = sources[place.source].shown(place)
            findings[place.source, place.line, place.column] = unknown_term(term.value, severity, iri, shown)
            if iri:
                parts[index] = IRI(iri)
        meant.append(Pattern(Triple(*parts), statement.place, statement.left))
    return meant, [*namespaces.values(), *findings.values()]


def _class_as_text(text: Literal, place: Place) -> tuple[Finding, Term]:
    """Return the finding about a class that is a literal, and the class that was probably meant."""
    name = text.lexical[:_SHOWN]
    meant = closest(name.rpartition(":")[2], [each for each in known_terms()[GSM] if each[0].isupper()])
    hint = f"did you mean gsm:{meant}?" if meant else "a class is a name, such as gsm:Stage"
    finding = Finding("error", "GSM014", f'"{name}" is used as a class, but is a text', place, hint)
    return finding, IRI(GSM + meant) if meant else text


def _unknown_namespace(slip: tuple[str, str, str], place: Place) -> Finding:
    namespace, alike, local = slip
    message = f"nothing understands {local} in the namespace {namespace}"
    return Finding("error", "GSM010", message, place, f"did you mean {alike}?")
