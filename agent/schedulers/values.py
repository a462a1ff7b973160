"""Reading single values out of RDF, with errors that name the subject and the property."""

from agent.errors import ProgramError
from agent.rdf.notation import term_text
from agent.rdf.terms import IRI, RDF_TYPE, TRUE, Literal, Term
from agent.reason.facts import Facts
from agent.schedulers.terms import XSD_DURATIONS, XSD_NUMBERS

LARGEST = 1e15
SHORTEST_S = 1e-6
LONGEST_S = 1e10
"""Numbers and durations beyond these are mistakes; within them every sum, product and quotient that is made is finite."""


def fault(code: str, subject: Term, message: str, hint: str) -> ProgramError:
    """Return the error ``code`` about ``subject``."""
    return ProgramError(code, f"{term_text(subject)}: {message}", hint=hint)


def one(facts: Facts, subject: Term, predicate: IRI) -> Term | None:
    """Return the value of a property, nothing if there is none; several are an error."""
    values = list(facts.objects(subject, predicate))
    if len(values) > 1:
        raise fault("SCH002", subject, f"{len(values)} values of {local(predicate)}", "Keep one of them.")
    return values[0] if values else None


def required_iri(facts: Facts, subject: Term, predicate: IRI) -> str:
    """Return the IRI that a property has to have."""
    value = one(facts, subject, predicate)
    if not isinstance(value, IRI):
        hint = f"State {local(predicate)} with one IRI."
        raise fault("SCH001", subject, f"{_said(value)} {local(predicate)}", hint)
    return value.value


def whole_number(facts: Facts, subject: Term, predicate: IRI) -> int:
    """Return a whole number from 1 to ``LARGEST``."""
    value = one(facts, subject, predicate)
    read = _number_of(value)
    if read is None or read < 1 or read != int(read):
        hint = f"State {local(predicate)} with a whole number from 1 to {LARGEST:g}."
        raise fault("SCH001", subject, f"{_said(value)} {local(predicate)}", hint)
    return int(read)


def number(facts: Facts, subject: Term, predicate: IRI, default: float | None = None) -> float:
    """Return a number from 0 to ``LARGEST``; ``default`` if there is none and one is given."""
    value = one(facts, subject, predicate)
    if value is None and default is not None:
        return default
    read = _number_of(value)
    if read is None:
        hint = f"State {local(predicate)} with a number from 0 to {LARGEST:g}."
        raise fault("SCH001", subject, f"{_said(value)} {local(predicate)}", hint)
    return read


def _number_of(value: Term | None) -> float | None:
    """Return the number from 0 to ``LARGEST`` that ``value`` is, or nothing."""
    if not isinstance(value, Literal) or value.datatype not in XSD_NUMBERS:
        return None
    try:
        read = float(value.lexical)
    except ValueError:
        return None
    return read if 0.0 <= read <= LARGEST else None


def _said(value: Term | None) -> str:
    if value is None:
        return "no"
    if isinstance(value, Literal) and value.datatype in XSD_NUMBERS:
        return f"{value.lexical} as"
    return f"{term_text(value)} as"


def seconds(facts: Facts, subject: Term, predicate: IRI, default: float | None = None) -> float:
    """Return a duration in seconds: an xsd:duration without years and months, or a number of seconds.

    It is ``SHORTEST_S`` to ``LONGEST_S`` long.
    """
    value = one(facts, subject, predicate)
    if value is None and default is not None:
        return default
    read = None if value is None else seconds_of(value)
    if read is None or not SHORTEST_S <= read <= LONGEST_S:
        hint = f'State {local(predicate)} with a duration, such as "PT0.5S"^^xsd:duration.'
        raise fault("SCH001", subject, f"{_said(value)} {local(predicate)}", hint)
    return read


def seconds_of(value: Term) -> float | None:
    """Return a duration in seconds, or nothing if ``value`` is none that has a fixed length."""
    if not isinstance(value, Literal):
        return None
    if value.datatype in XSD_DURATIONS:
        # rdflib takes longer to load than this whole room: only where there is a duration.
        from rdflib.xsd_datetime import Duration, parse_xsd_duration  # noqa: PLC0415  loads slowly, and only durations need it

        try:
            read = parse_xsd_duration(value.lexical)
        except (ValueError, TypeError, OverflowError, ArithmeticError):
            return None
        return None if isinstance(read, Duration) else read.total_seconds()
    if value.datatype in XSD_NUMBERS:
        try:
            return float(value.lexical)
        except ValueError:
            return None
    return None


def flag(facts: Facts, subject: Term, predicate: IRI, *, default: bool) -> bool:
    """Return a boolean."""
    value = one(facts, subject, predicate)
    if value is None:
        return default
    if isinstance(value, Literal) and value.lexical in {"true", "1", "false", "0"}:
        return value.lexical in {TRUE.lexical, "1"}
    raise fault("SCH001", subject, f"{term_text(value)} as {local(predicate)}", "State true or false.")


def types_of(facts: Facts, subject: Term) -> set[Term]:
    """Return the classes that ``subject`` is said to be in."""
    return set(facts.objects(subject, RDF_TYPE))


def local(iri: IRI) -> str:
    """Return how people write a term of ours: ``sched:`` and its local name, or the IRI's last part."""
    name = iri.value.rpartition("#")[2].rpartition("/")[2]
    return f"sched:{name}" if "scheduling#" in iri.value else name
