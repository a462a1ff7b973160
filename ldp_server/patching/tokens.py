"""The words of Notation3 and SPARQL, as far as a patch must be cut before a parser reads it.

Both languages share their IRIs, strings, comments and names. The words are cut in one pass, without going back, so
that no text takes more than linear time.
"""

import re
import secrets
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_ESCAPE = r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"
_INNER = "\\w\\-\u00b7\u0300-\u036f\u203f\u2040"
_LOCAL = rf"[{_INNER}:]|%[0-9A-Fa-f]{{2}}|\\[_~.\-!$&'()*+,;=/?#@%]"
_TOKEN = re.compile(
    rf"""
      (?P<space> [ \t\r\n]++ | \#[^\r\n]*+ )
    | (?P<iri> <(?:[^\x00-\x20<>"{{}}|^`\\]|{_ESCAPE})*+> )
    | (?P<string> \"\"\"(?:(?:""?)?(?:[^"\\]|\\.))*+\"\"\" | '''(?:(?:''?)?(?:[^'\\]|\\.))*+'''
        | "(?:[^"\\\r\n]|\\.)*+" | '(?:[^'\\\r\n]|\\.)*+' )
    | (?P<broken> ["'].*+ )
    | (?P<variable> [?$][\w\u00b7\u0300-\u036f\u203f\u2040]++ )
    | (?P<name> (?:_|[^\W\d_][{_INNER}]*+(?:\.++[{_INNER}]++)*+)?:(?:(?!-)(?:{_LOCAL})++(?:\.++(?:{_LOCAL})++)*+)? )
    | (?P<words> [^\W\d_][{_INNER}]*+(?:\.++[{_INNER}]++)*+ )
    | (?P<number> [+\-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+\-]?\d++)? )
    | (?P<tag> @[A-Za-z]++(?:-+[A-Za-z0-9]++)*+ )
    | (?P<mark> [{{}}()\[\].;,] | \^\^ )
    | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """One word (a tuple, because every word of every patch becomes one): its kind (a group of the grammar above), its text, and where it begins in the whole text."""

    kind: str
    text: str
    start: int


def cut(text: str) -> Iterator[Token]:
    """Yield all tokens of ``text``, blanks and comments too.

    A stray character is of the kind ``other``; a string without an end takes all that is left as ``broken``.
    """
    for match in _TOKEN.finditer(text):
        yield Token(str(match.lastgroup), match[0], match.start())


class Variables:
    """IRIs that stand for variables while a parser reads: it takes no variables, and no input can contain them."""

    def __init__(self) -> None:
        secret = secrets.token_hex(8)
        self._marker, self._other = f"x-variable-{secret}:", f"x-name-{secret}:"
        self._names: dict[str, int] = {}
        self._list: list[str] = []

    def hide(self, tokens: Sequence[Token]) -> str:
        """Return the text of ``tokens`` with an IRI in the place of each variable."""
        return "".join(
            self._hide(token.text[1:]) if token.kind == "variable" else token.text for token in tokens
        )

    def _hide(self, name: str) -> str:
        if name not in self._names:
            self._names[name] = len(self._list)
            self._list.append(name)
        return f"<{self._marker}{self._names[name]}>"

    def own(self, name: str) -> str:
        """Return an IRI that no input can contain and that is no variable."""
        return f"<{self._other}{name}>"

    def touches(self, text: str) -> bool:
        """Tell whether a text has to do with a variable."""
        return self._marker in text

    def found(self, iri: str) -> str | None:
        """Return the name of the variable, with its question mark, that an IRI stands for, or None."""
        return f"?{self._list[int(iri[len(self._marker) :])]}" if iri.startswith(self._marker) else None

    def shown(self, text: str) -> str:
        """Return a text, such as a message of the parser, with the variables by their names."""
        return re.sub(f"<?{self._marker}([0-9]+)>?", lambda match: f"?{self._list[int(match[1])]}", text)
