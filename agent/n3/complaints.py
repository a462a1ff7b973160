"""What the parser says when the text is wrong: what was expected, what came, and what was probably meant."""

import re
from collections.abc import Sequence

from agent.errors import ProgramError, did_you_mean
from agent.n3.frames import Frame, State
from agent.n3.lexer import Token, fault, tokens
from agent.n3.parsed import Span
from agent.n3.problems import MAX_ERRORS
from agent.n3.source import SourceText
from agent.rdf.terms import Formula, Literal

_LONGEST_SHOWN = 40
WANTED = {
    State.SUBJECT: "a subject",
    State.PREDICATE: "a predicate",
    State.VERB: "a predicate",
    State.MORE: "a predicate",
    State.OBJECT: "an object",
    State.ITEM: "a list item or )",
}
_STARTS_A_TERM = frozenset(
    {"name", "iri", "var", "blank", "string", "long", "integer", "decimal", "double", "[", "(", "{"}
)
_CLOSING = {"{": "}", "[": "]", "(": ")"}
_AFTER_PROPERTY = "] or ; or ,"
_CLOSERS = frozenset(_CLOSING.values())
_DIRECTIVES = ("@prefix", "@base", "@forAll", "@forSome")
_NUMBERS = frozenset({"integer", "decimal", "double"})
_REMEDIES = {
    "the IRI of a datatype": "such as xsd:integer; a string without a datatype needs no ^^",
    "a prefix and a colon, such as ex:": "the prefix is the part before the colon: @prefix ex: <http://...> .",
    "of": "the whole is  subject is predicate of object",
}
_PREFIX_MEANT = re.compile(r"@?[A-Za-z]+[ \t]+([^\s:<]*):?[ \t]*<")


def unexpected(
    source: SourceText, stack: Sequence[Frame], previous: Token, token: Token, expected: str
) -> ProgramError:
    """Return the error about ``token``, which came after ``previous`` where ``expected`` should stand."""
    frame = stack[-1]
    code, hint = "N3001", _REMEDIES.get(expected, "")
    if _is_unclosed(frame, token, expected):
        code, hint = "N3004", _unclosed(source, stack)
        expected = f"{_CLOSING[frame.bracket]} to close the {frame.bracket}"
    elif hint:
        pass
    elif token.kind in _CLOSERS:
        hint = f"no {_opening(token.kind)} is open here" if not frame.opening else ""
    elif frame.state in {State.AFTER_OBJECT, State.VERB} and token.kind in _STARTS_A_TERM:
        code, hint = _two_statements_in_one(source, frame, previous, token)
    elif frame.state is State.OBJECT and token.kind in {";", ".", ","}:
        hint = _about_no_object(source, frame, token)
    elif expected == ".":
        code, hint = "N3003", f"put a . at the end of line {source.line_of(previous.start)}"
    elif frame.state is State.SUBJECT and token.kind == ".":
        hint = _about_dot(previous)
    elif token.kind == "at":
        hint = _about_at(previous, token)
    elif token.kind == "word":
        hint = _about_word(previous, token)
    if token.kind == "end" and frame.state is State.AFTER_OBJECT and not hint:
        code = "N3003"
        hint = f"put a . at the end of line {source.line_of(previous.start)}"
    message = f"expected {expected}, got {_shown(token)}"
    return fault(source, code, message, *_span(source, previous, token), hint)


def is_aftermath(error: ProgramError, depth: int) -> bool:
    """Say whether ``error``, ``depth`` brackets deep, may well follow from the one before it: a bracket too many."""
    return depth == 0 and error.message.endswith(tuple(f"got {closer}" for closer in _CLOSERS))


def _end_of(source: SourceText, error: ProgramError) -> int | None:
    """Return the offset behind the characters that ``error`` is about, or nothing if the rest is inside a string."""
    is_endless = error.message.endswith("end of the file")
    return None if error.place is None or is_endless else source.end_of(error.place)


def resume_after(source: SourceText, error: ProgramError, token: Token | None, depth: int) -> int | None:
    """Return where the next statement begins after ``error``, ``depth`` brackets deep in a spoilt one, or nothing.

    ``token`` is the one that is wrong, nothing if what stands there is none. The answer is always behind it.

    That is behind a dot outside all brackets, or at a line that begins at once with a directive, a formula or a name
    after a dot.
    """
    start = _end_of(source, error) if token is None else token.start
    after_dot = token is None and _ends_with_dot(source, start)
    for _ in range(MAX_ERRORS):
        if start is None:
            return None
        try:
            return _next_statement(source, start, depth, after_dot=after_dot)
        except ProgramError as spoilt:
            start = _end_of(source, spoilt)
            after_dot = _ends_with_dot(source, start)
    return None


def _ends_with_dot(source: SourceText, end: int | None) -> bool:
    """Say whether the spoilt characters before ``end`` swallowed the dot of their statement."""
    return end is not None and source.text.endswith(".", 0, end)


def prefix_meant(source: SourceText, error: ProgramError) -> str | None:
    """Return the prefix that the line of ``error`` seems to declare, so that its uses need no complaint too."""
    found = _PREFIX_MEANT.match(source.line(error.place.line).lstrip()) if error.place else None
    return found[1] if found else None


def _next_statement(source: SourceText, start: int, depth: int, *, after_dot: bool) -> int | None:
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
    return token.kind in {"{", "at", "name", "iri", "blank"} or (
        token.kind == "word" and token.text.upper() in {"PREFIX", "BASE"}
    )


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


def _is_unclosed(frame: Frame, token: Token, expected: str) -> bool:
    """Say whether the innermost bracket should have been closed before ``token``."""
    if not frame.opening or token.kind == _CLOSING[frame.bracket]:
        return False
    if token.kind == ".":
        return frame.state is State.ITEM or (frame.bracket == "[" and expected == _AFTER_PROPERTY)
    return token.kind in {"end", "=>", "<="} or token.kind in _CLOSERS or token.text == "@prefix"


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
    if not frame.opening and isinstance(frame.subject, Formula) and _is_a_name(source, frame.verb_span):
        return "N3003", "if the formula before it stands alone, put a . behind its }"
    if line(previous.start) < line(token.start):
        return "N3003", f"put a . at the end of line {line(previous.start)}"
    return "N3001", "a . ends a statement, a ; goes on with its subject, a , with its subject and predicate"


def _is_a_name(source: SourceText, span: Span) -> bool:
    return source.text[slice(*span)] not in {"=>", "<=", "="}


def _about_no_object(source: SourceText, frame: Frame, token: Token) -> str:
    """Say what to do where a statement ends without an object, which often means that it began too early."""
    verb = source.text[slice(*frame.verb_span)]
    shown = verb if len(verb) <= _LONGEST_SHOWN and verb.isprintable() else "the term before it"
    if frame.comma >= 0:
        return f"the , in line {source.line_of(frame.comma)} announces one more object: write it, or delete the ,"
    if isinstance(frame.verb, Literal) and source.text[: frame.verb_span[0]].rstrip().endswith(";"):
        return f"{shown} stands where a predicate belongs: is the ; before it meant to be a , ?"
    if token.kind == ";":
        return "the predicate before it has no object: is a . further left meant to be a ; ?"
    return f"{shown} stands there as a predicate and has no object;\nif a . further left came too early, write ; for it"


def _about_at(previous: Token, token: Token) -> str:
    """Say what to do about a word with @ that is no directive here."""
    if previous.kind in {"string", "long"}:
        return f"the language follows its string at once, without a space: {_shown(previous)}{token.text}"
    if token.text == "@keywords":
        return (
            "keywords need no declaration: a, is, of, has, true and false are words, every name has a colon"
        )
    return did_you_mean(token.text, _DIRECTIVES)


def _about_dot(previous: Token) -> str:
    if previous.kind == "iri":
        return "PREFIX and BASE end without a dot; @prefix and @base end with one"
    return "no statement has begun: delete this dot"


def _about_word(previous: Token, token: Token) -> str:
    """Say what to do about a word that is no keyword here."""
    word = token.text
    lowered = word.lower()
    if previous.kind in _NUMBERS and previous.end == token.start:
        return f"a number holds no letters: write '{previous.text}{word[:_LONGEST_SHOWN]}' in quotes, or leave them out"
    if lowered in {"true", "false", "a", "is", "of", "has", "id"} and lowered != word:
        return f"did you mean {lowered}?"
    if word in {"a", "is", "of", "has", "id"}:
        return f"{word} is a keyword and no term"
    return f"a name has a colon: :{word[:_LONGEST_SHOWN]} or a prefix before it; a text stands in quotes"
