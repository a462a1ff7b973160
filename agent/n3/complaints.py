"""What the parser says when the text is wrong: what was expected, what came, and what was probably meant."""

from collections.abc import Sequence

from agent.errors import ProgramError, did_you_mean
from agent.n3.frames import Frame, State
from agent.n3.lexer import Token, fault, tokens
from agent.n3.problems import MAX_ERRORS
from agent.n3.source import SourceText
from agent.rdf.terms import Formula

_LONGEST_SHOWN = 40
_STARTS_A_TERM = frozenset(
    {"name", "iri", "var", "blank", "string", "long", "integer", "decimal", "double", "[", "(", "{"}
)
_CLOSING = {"{": "}", "[": "]", "(": ")"}
_CLOSERS = frozenset(_CLOSING.values())
_DIRECTIVES = ("@prefix", "@base", "@forAll", "@forSome")


def unexpected(
    source: SourceText, stack: Sequence[Frame], previous: Token, token: Token, expected: str
) -> ProgramError:
    """Return the error about ``token``, which came after ``previous`` where ``expected`` should stand."""
    frame = stack[-1]
    code, hint = "N3001", ""
    ends_too_late = token.kind in {"end", "=>", "<="} or token.kind in _CLOSERS or token.text == "@prefix"
    if frame.opening and ends_too_late and token.kind != _CLOSING[frame.bracket]:
        code, hint = "N3004", _unclosed(source, stack)
        expected = f"{_CLOSING[frame.bracket]} to close the {frame.bracket}"
    elif token.kind in _CLOSERS:
        hint = f"no {_opening(token.kind)} is open here" if not frame.opening else ""
    elif frame.state in {State.AFTER_OBJECT, State.VERB} and token.kind in _STARTS_A_TERM:
        code, hint = _two_statements_in_one(source, frame, previous, token)
    elif frame.state is State.OBJECT and token.kind in {";", ".", ","}:
        hint = f"the predicate before it has no object: is a . further left meant to be a {token.kind} ?"
    elif expected == ".":
        code, hint = "N3003", f"put a . at the end of line {source.line_of(previous.start)}"
    elif frame.state is State.SUBJECT and token.kind == ".":
        hint = _about_dot(previous)
    elif token.kind == "at":
        hint = did_you_mean(token.text, _DIRECTIVES)
    elif token.kind == "word":
        hint = _about_word(token.text)
    if token.kind == "end" and frame.state is State.AFTER_OBJECT and not hint:
        code = "N3003"
        hint = f"put a . at the end of line {source.line_of(previous.start)}"
    message = f"expected {expected}, got {_shown(token)}"
    return fault(source, code, message, *_span(source, previous, token), hint)


def is_aftermath(error: ProgramError) -> bool:
    """Say whether ``error`` may well be a consequence of the one before it: a closing bracket too many."""
    return error.message.endswith(tuple(f"got {closer}" for closer in _CLOSERS))


def end_of(source: SourceText, error: ProgramError) -> int | None:
    """Return the offset behind the characters that ``error`` is about, or nothing if the rest is inside a string."""
    is_endless = error.message.endswith("end of the file")
    return None if error.place is None or is_endless else source.end_of(error.place)


def resume_after(source: SourceText, start: int | None, depth: int) -> int | None:
    """Return where the next statement begins after ``start``, ``depth`` brackets deep in a spoilt one, or nothing.

    That is behind a dot outside all brackets, or at a line that begins with a directive or a formula after a dot.
    """
    for _ in range(MAX_ERRORS):
        if start is None:
            return None
        try:
            return _next_statement(source, start, depth)
        except ProgramError as error:
            start = end_of(source, error)
    return None


def _next_statement(source: SourceText, start: int, depth: int) -> int | None:
    after_dot = False
    for token in tokens(source, start):
        kind = token.kind
        if kind == "end":
            return None
        if after_dot and (depth <= 0 or (_begins_anew(token) and source.is_line_start(token.start))):
            return token.start
        after_dot = kind == "."
        if kind in _CLOSING:
            depth += 1
        elif kind in _CLOSERS:
            depth -= 1
    return None


def _begins_anew(token: Token) -> bool:
    return token.kind in {"{", "at"} or (token.kind == "word" and token.text.upper() in {"PREFIX", "BASE"})


def _shown(token: Token) -> str:
    if token.kind == "end":
        return "the end of the file"
    text = token.text if len(token.text) <= _LONGEST_SHOWN else token.text[: _LONGEST_SHOWN - 3] + "..."
    return " ".join(text.split())


def _span(source: SourceText, previous: Token, token: Token) -> tuple[int, int]:
    """Return the characters to point at; at the end of the file these are the last ones before it."""
    if token.kind == "end" and previous.end > 0:
        return previous.start, previous.end
    return token.start, max(token.end, token.start + 1)


def _opening(closer: str) -> str:
    return next(opening for opening, closing in _CLOSING.items() if closing == closer)


def _unclosed(source: SourceText, stack: Sequence[Frame]) -> str:
    open_places = [
        f"the {frame.bracket} opened at {source.place(frame.opening.start, frame.opening.end)}"
        for frame in stack[:-4:-1]
        if frame.opening
    ]
    return "\n".join(f"{place} is still open" for place in open_places)


def _two_statements_in_one(
    source: SourceText, frame: Frame, previous: Token, token: Token
) -> tuple[str, str]:
    """Say why a term stands where a statement should end: a dot is missing, or a comma was meant to be one."""
    line = source.line_of
    if frame.comma >= 0 and line(frame.comma) < line(previous.start):
        comma = f"the , at the end of line {line(frame.comma)} makes {_shown(previous)} one more object"
        return "N3003", f"{comma};\nif a new statement begins there, write . for it"
    if not frame.opening and isinstance(frame.subject, Formula) and frame.verb is not None:
        return "N3003", "if the formula before it stands alone, put a . behind its }"
    if line(previous.start) < line(token.start):
        return "N3003", f"put a . at the end of line {line(previous.start)}"
    return "N3001", "a . ends a statement, a ; goes on with its subject, a , with its subject and predicate"


def _about_dot(previous: Token) -> str:
    if previous.kind == "iri":
        return "PREFIX and BASE end without a dot; @prefix and @base end with one"
    return "no statement has begun: delete this dot"


def _about_word(word: str) -> str:
    lowered = word.lower()
    if lowered in {"true", "false", "a", "is", "of", "has", "id"} and lowered != word:
        return f"did you mean {lowered}?"
    if word in {"a", "is", "of", "has", "id"}:
        return f"{word} is a keyword and no term"
    return f"a name has a colon: :{word[:_LONGEST_SHOWN]} or a prefix before it; a text stands in quotes"
