"""Which statements of a text that does not parse are bad: the others still count.

N-Triples and N-Quads are cut into lines, Turtle into statements; a bad statement is found by halving runs of
statements until they parse. A text whose end is missing is not recovered: nobody knows what it was to say.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

import pyoxigraph as ox

from agent.rdf.wellformed import IllFormedError

MAX_SKIPPED = 32
"""More bad statements than this, and the document as a whole is bad: the search costs time for each."""
MAX_DIRECTIVES = 65_536
"""Characters of prefix declarations that may be parsed again before each run of statements."""

_TOKEN = re.compile(
    r"""(?P<space>(?>(?:\s++|\#[^\n]*+)+))
      | (?P<iri><[^<>\n"]*+>)
      | (?P<long>\"\"\"(?>(?:[^"\\]++|\\.|"(?!""))*)\"\"\"|'''(?>(?:[^'\\]++|\\.|'(?!''))*)''')
      | (?P<string>"(?!"")(?>(?:[^"\\\n]++|\\.)*)"|'(?!'')(?>(?:[^'\\\n]++|\\.)*)')
      | (?P<word>(?>(?:[^\s<>"'\#;,\[\](){}\\]++|\\.)+))
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_DIRECTIVE = re.compile(r"@?(?:prefix|base)\b", re.IGNORECASE)
_LONG_QUOTES = ('"""', "'''")
_LINE_BREAK = re.compile(r"\r\n|\r|\n")


class Statement(NamedTuple):
    """One statement of a text and the line it begins on."""

    text: str
    line: int


class BadStatement(NamedTuple):
    """A statement that does not parse, and why."""

    statement: Statement
    reason: str

    def __str__(self) -> str:
        """Return the line, the reason and the beginning of the statement."""
        shown = " ".join(self.statement.text.split())
        shown = shown if len(shown) <= 80 else shown[:77] + "..."
        return f"line {self.statement.line}: {self.reason}: {shown}"


def cut_lines(text: str) -> list[Statement]:
    """Cut N-Triples or N-Quads into lines."""
    return [
        Statement(line, number)
        for number, line in enumerate(_LINE_BREAK.split(text), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]


def cut_turtle(text: str) -> list[Statement]:
    """Cut Turtle into statements; IllFormedError if the last one has no end."""
    statements: list[Statement] = []
    start, line, counted = -1, 1, 0
    ends_at_iri = False
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "space":
            continue
        if start < 0:
            start = token.start()
            line += text.count("\n", counted, start)
            counted = start
            ends_at_iri = kind == "word" and token[0].lower() in ("prefix", "base")
        if kind == "other" and text.startswith(_LONG_QUOTES, token.start()):
            break
        if (kind == "word" and token[0].endswith(".")) or (ends_at_iri and kind == "iri"):
            statements.append(Statement(text[start : token.end()], line))
            start = -1
    if start >= 0:
        raise IllFormedError("the text breaks off in the middle of a statement", line, 1)
    return statements


def read_good(
    statements: list[Statement], read: Callable[[str], list[ox.Quad]]
) -> tuple[list[ox.Quad], list[BadStatement]]:
    """Return what the good statements say, and the bad ones; ``read`` parses a text or raises SyntaxError.

    IllFormedError if more than ``MAX_SKIPPED`` are bad or the prefix declarations are too long for the search.
    """
    quads: list[ox.Quad] = []
    bad: list[BadStatement] = []
    directives = ""
    runs = [(0, len(statements))] if statements else []
    while runs:
        first, end = runs.pop()
        run = statements[first:end]
        try:
            quads += read(directives + "\n".join(each.text for each in run))
        except SyntaxError as error:
            if end - first > 1:
                middle = (first + end) // 2
                runs += [(middle, end), (first, middle)]
                continue
            bad.append(BadStatement(run[0], reason_of(error)))
            if len(bad) > MAX_SKIPPED:
                raise IllFormedError(
                    f"more than {MAX_SKIPPED} bad statements, the first: {bad[0]}", bad[0].statement.line
                ) from None
        else:
            directives += "".join(each.text + "\n" for each in run if _DIRECTIVE.match(each.text))
            if len(directives) > MAX_DIRECTIVES and runs:
                raise IllFormedError("a bad statement among too many prefix declarations", run[0].line)
    return quads, bad


def reason_of(error: SyntaxError) -> str:
    """Return what the parser complains of, without the position that it repeats."""
    text = str(error.args[0]) if error.args else str(error)
    return re.sub(r"\AParser error [^:]*: ", "", text)
