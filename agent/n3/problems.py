"""Collecting what is wrong with a program, so that one run tells all of it."""

from agent.errors import Finding, Place, ProgramError
from agent.n3.source import SourceText

MAX_ERRORS = 20
MAX_WARNINGS = 100
MAX_RECOVERIES = 1000
"""How often the parser begins anew behind a fault, whether it is worth an error or only follows from another."""


class Problems:
    """Errors and warnings about one text, each with the line it stands on; what exceeds the limits is dropped."""

    def __init__(self, source: SourceText) -> None:
        self._source = source
        self._errors: list[ProgramError] = []
        self.warnings: list[Finding] = []

    def error(self, code: str, message: str, place: Place, hint: str = "") -> None:
        """Note a fault that makes the program unusable."""
        if not self.is_full:
            self._errors.append(ProgramError(code, message, place=self._source.shown(place), hint=hint))

    @property
    def is_full(self) -> bool:
        """Say whether further errors would be dropped."""
        return len(self._errors) >= MAX_ERRORS

    def warning(self, code: str, message: str, place: Place, hint: str = "") -> None:
        """Note something that is probably not meant so."""
        if len(self.warnings) < MAX_WARNINGS:
            self.warnings.append(Finding("warning", code, message, self._source.shown(place), hint))

    def raise_errors(self) -> None:
        """Raise the first error in the order of the text, with the rest as its ``others``."""
        if not self._errors:
            return
        first, *others = sorted(self._errors, key=position_of)
        first.others = tuple(others)
        raise first


def position_of(error: ProgramError) -> tuple[int, int]:
    """Return line and column of ``error``, to sort by."""
    return (error.place.line, error.place.column) if error.place else (0, 0)
