"""What builtins could not read as numbers: counted, so that a rule which silently never holds is noticed."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from agent.rdf.terms import XSD_STRING, Literal

MAX_TEXTS = 1000
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Misreading:
    """A builtin that did not hold because of ``count`` different texts; ``example`` is the first in code point order.

    ``or_more`` tells that there were more than are counted.
    """

    builtin: str
    count: int
    example: Literal
    or_more: bool = False

    @property
    def message(self) -> str:
        """Return it as a sentence of one line."""
        if self.count == 1:
            return f"{self.builtin} did not hold because {_quoted(self.example)} is no number to it"
        more = " or more" if self.or_more else ""
        return (
            f"{self.builtin} did not hold because {self.count}{more} texts are no numbers to it, "
            f"{_quoted(self.example)} for one"
        )


@dataclass(frozen=True, slots=True)
class Misreadings:
    """The tally of a run: it counts different texts, not the times that a rule tries them, which hang on the join order."""

    _texts: dict[str, set[Literal]] = field(default_factory=dict)

    def note(self, builtin: str, literal: Literal) -> None:
        """Count ``literal`` for the builtin called ``builtin``, once; beyond ``MAX_TEXTS`` nothing more is kept."""
        texts = self._texts.setdefault(builtin, set())
        if len(texts) <= MAX_TEXTS:
            texts.add(literal)

    def __iter__(self) -> Iterator[Misreading]:
        """Yield what was noted, one for each builtin, sorted by its name."""
        for builtin, texts in sorted(self._texts.items()):
            example = min(texts, key=lambda text: (text.lexical, text.datatype, text.language))
            yield Misreading(builtin, min(len(texts), MAX_TEXTS), example, len(texts) > MAX_TEXTS)


def _quoted(literal: Literal) -> str:
    text = literal.lexical if len(literal.lexical) <= _SHOWN else literal.lexical[: _SHOWN - 1] + "…"
    quoted = json.dumps(text, ensure_ascii=False)
    if literal.language:
        return f"{quoted}@{literal.language}"
    if literal.datatype == XSD_STRING:
        return quoted
    return f"{quoted}^^<{literal.datatype}>"
