"""What builtins could not read as numbers: counted, so that a rule which silently never holds is noticed (ADR 0114)."""

from collections.abc import Iterator

from msgspec import Struct, field

from agent.errors import Finding, Place
from agent.rdf.notation import term_text
from agent.rdf.terms import Literal

MAX_TEXTS = 1000
_SHOWN = 40


class Misreadings(Struct, frozen=True):
    """The tally of a run: it counts different texts, not the times that a rule tries them, which hang on the join order."""

    _texts: dict[str, set[Literal]] = field(default_factory=dict)

    def note(self, builtin: str, literal: Literal) -> None:
        """Count ``literal`` for the builtin called ``builtin``, once; beyond ``MAX_TEXTS`` nothing more is kept."""
        texts = self._texts.setdefault(builtin, set())
        if len(texts) <= MAX_TEXTS:
            texts.add(literal)

    def findings(self) -> Iterator[Finding]:
        """Yield a warning for each builtin, sorted by its name: how many texts, and the first in code point order."""
        for builtin, texts in sorted(self._texts.items()):
            example = _quoted(min(texts, key=lambda text: (text.lexical, text.datatype, text.language)))
            if len(texts) == 1:
                message = f"did not hold because {example} is no number to it"
            else:
                count = f"{MAX_TEXTS} or more" if len(texts) > MAX_TEXTS else len(texts)
                message = f"did not hold because {count} texts are no numbers to it, {example} for one"
            yield Finding("warning", "N3035", message, Place(builtin))


def _quoted(literal: Literal) -> str:
    text = literal.lexical if len(literal.lexical) <= _SHOWN else literal.lexical[: _SHOWN - 1] + "…"
    return term_text(Literal(text, literal.datatype, literal.language))
