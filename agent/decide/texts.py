"""The texts of bodies without blank nodes and lists, put together from texts of terms that are made once a step.

Most bodies are of this kind, and there are many: two texts of one body for the price of one. All other bodies are
written and compared by the room ``rdf``.
"""

from collections.abc import Iterable

from agent.rdf.notation import iri_text, term_text
from agent.rdf.serialise import wire_iri
from agent.rdf.terms import IRI, Literal, Term, Triple


class TermTexts:
    """Texts of terms as they stand on the wire, each made once."""

    def __init__(self) -> None:
        self._texts: dict[Term, str] = {}

    def body(self, triples: Iterable[Triple]) -> tuple[tuple[str, str, str], ...] | None:
        """Return the texts of the triples' terms, or None if some term is neither an IRI nor a literal."""
        rows: list[tuple[str, str, str]] = []
        for subject, predicate, value in triples:
            if type(subject) is not IRI or type(value) not in _PLAIN:
                return None
            rows.append((self._text(subject), self._text(predicate), self._text(value)))
        return tuple(rows)

    def _text(self, term: Term) -> str:
        text = self._texts.get(term)
        if text is None:
            text = self._texts[term] = term_text(term, iri_name=wire_iri)
        return text


_PLAIN = frozenset({IRI, Literal})


def wire_text(rows: Iterable[tuple[str, str, str]]) -> str:
    """Return the body of a request: Turtle, a statement a line, in the order of the rule."""
    return "".join([f"{s} {p} {o} .\n" for s, p, o in rows])


def identity_text(rows: Iterable[tuple[str, str, str]], uri: str | None) -> str:
    """Return a text that is the same for equal sets of triples; names of the document ``uri`` count as relative."""
    if uri is None:
        return "\n".join(sorted({f"{s} {p} {o}" for s, p, o in rows}))
    own = iri_text(uri)[:-1]
    cut = len(own)

    def relative(text: str) -> str:
        return f"<{text[cut:]}" if text.startswith(own) and text[cut] in "#>" else text

    return "\n".join(sorted({f"{relative(s)} {relative(p)} {relative(o)}" for s, p, o in rows}))
