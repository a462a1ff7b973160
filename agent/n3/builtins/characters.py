"""What builtins on text take for text, and how much of it they make."""

from agent.n3.builtins.numbers import read_typed_number, spelled
from agent.rdf.terms import IRI, XSD_BOOLEAN, ListTerm, Literal, Term

MAX_CHARACTERS = 1_000_000


def texts_of(subject: Term) -> list[str] | None:
    """Return the characters of a list of literals, or nothing if it is anything else."""
    if not isinstance(subject, ListTerm):
        return None
    texts = [item.lexical for item in subject.items if isinstance(item, Literal)]
    return texts if len(texts) == len(subject.items) else None


def string_of(term: Term) -> str | None:
    """Return what XPath makes of ``term`` cast to xs:string: IRIs and literals have one, nothing else does.

    Numbers and truth values are written canonically (``1.50`` gives 1.5, ``1.23E3`` gives 1230), all other literals
    are their characters. Source: XPath Functions 3.1, section 19.1.2.
    """
    if isinstance(term, IRI):
        return term.value
    if not isinstance(term, Literal):
        return None
    if term.datatype == XSD_BOOLEAN:
        return {"0": "false", "1": "true"}.get(term.lexical, term.lexical)
    number = read_typed_number(term, plain_too=False)
    return term.lexical if number is None else spelled(number)
