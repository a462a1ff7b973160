"""Collecting what is wrong with a program, so that one run tells all of it."""

from agent.errors import Finding, Place, ProgramError
from agent.n3.source import SourceText

MAX_ERRORS = 20


class Problems:
    """Errors and warnings about one text, each with the line it stands on."""

    def __init__(self, source: SourceText) -> None:
        self._source = source
        self._errors: list[ProgramError] = []
        self.warnings: list[Finding] = []

    def error(self, code: str, message: str, place: Place, hint: str = "") -> None:
        """Note a fault that makes the program unusable."""
        self._errors.append(ProgramError(code, message, place=self._source.shown(place), hint=hint))

    def warning(self, code: str, message: str, place: Place, hint: str = "") -> None:
        """Note something that is probably not meant so."""
        self.warnings.append(Finding("warning", code, message, self._source.shown(place), hint))

    def raise_errors(self) -> None:
        """Raise the first error in the order of the text, with up to ``MAX_ERRORS`` - 1 of the ``others``."""
        if not self._errors:
            return
        first, *others = sorted(self._errors, key=_position)[:MAX_ERRORS]
        first.others = tuple(others)
        raise first


def _position(error: ProgramError) -> tuple[int, int]:
    return (error.place.line, error.place.column) if error.place else (0, 0)
