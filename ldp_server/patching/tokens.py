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
_LOCAL = rf"[{_INNER}:]++|%[0-9A-Fa-f]{{2}}|\\[_~.\-!$&'()*+,;=/?#@%]"
_BLANKS = " \t\r\n"
_COMMENT = r"\#[^\r\n]*+"
_IRI = rf"""<(?>(?:[^\x00-\x20<>"{{}}|^`\\]++|{_ESCAPE})*)>"""
_STRING = r"""
    \"\"\"(?>(?:(?:""?)?(?:[^"\\]++|\\.))*)\"\"\" | '''(?>(?:(?:''?)?(?:[^'\\]++|\\.))*)'''
    | "(?>(?:[^"\\\r\n]++|\\.)*)" | '(?>(?:[^'\\\r\n]++|\\.)*)'"""
_VARIABLE = "[\\w\u00b7\u0300-\u036f\u203f\u2040]++"
_TOKEN = re.compile(
    rf"""
    (?: (?P<space> [ \t\r\n]++ | {_COMMENT} )
    | (?P<iri> {_IRI} )
    | (?P<string> {_STRING} )
    | (?P<broken> ["'].*+ )
    | (?P<variable> [?$]{_VARIABLE} )
    | (?P<name> (?:_|[^\W\d_][{_INNER}]*+(?>(?:\.++[{_INNER}]++)*))?:(?:(?!-)(?>(?:{_LOCAL})+)(?>(?:\.++(?>(?:{_LOCAL})+))*))? )
    | (?P<words> [^\W\d_][{_INNER}]*+(?>(?:\.++[{_INNER}]++)*) )
    | (?P<number> [+\-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+\-]?\d++)? )
    | (?P<tag> @[A-Za-z]++(?>(?:-+[A-Za-z0-9]++)*) )
    | (?P<mark> [{{}}()\[\].;,] | \^\^ )
    | (?P<other> . )
    )[ \t\r\n]*+
    """,
    re.VERBOSE | re.DOTALL,
)
_LANDMARK = re.compile(
    rf"""{_IRI} | {_STRING} | (?P<broken> ["'].*+ ) | {_COMMENT} | \\. | \?(?P<variable> {_VARIABLE} ) | (?P<brace> \{{ )""",
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """One word: its kind (a group of the grammar above), its text, that with the blanks after it, and where it begins.

    It is a tuple because every word of every patch becomes one.
    """

    kind: str
    text: str
    spaced: str
    start: int


def cut(text: str) -> Iterator[Token]:
    """Yield all tokens of ``text``, comments and blanks at the beginning too.

    A stray character is of the kind ``other``; a string without an end takes all that is left as ``broken``.
    """
    for match in _TOKEN.finditer(text):
        spaced = match[0]
        yield Token(str(match.lastgroup), spaced.rstrip(_BLANKS), spaced, match.start())


def hide_variables(text: str, variables: "Variables") -> tuple[str, int]:
    """Return a text of Notation3 with an IRI in the place of each variable, and how many formulas begin in it.

    Only what could hide a question mark or a brace is cut, which takes less time than all tokens do.
    """
    pieces, end, braces = [], 0, 0
    for match in _LANDMARK.finditer(text):
        kind = match.lastgroup
        if kind == "brace":
            braces += 1
        elif kind == "variable":
            pieces += [text[end : match.start()], variables.hidden(match["variable"])]
            end = match.end()
    return "".join([*pieces, text[end:]]), braces


class Variables:
    """IRIs that stand for variables while a parser reads: it takes no variables, and no input can contain them."""

    def __init__(self) -> None:
        secret = secrets.token_hex(8)
        self.marker, self._other = f"x-variable-{secret}:", f"x-name-{secret}:"
        self._names: dict[str, int] = {}
        self._list: list[str] = []

    def hide(self, tokens: Sequence[Token]) -> str:
        """Return the text of ``tokens`` with an IRI in the place of each variable."""
        return "".join(
            self.hidden(token.text[1:]) + token.spaced[len(token.text) :]
            if token.kind == "variable"
            else token.spaced
            for token in tokens
        )

    def hidden(self, name: str) -> str:
        """Return the IRI of a variable, in angle brackets."""
        if name not in self._names:
            self._names[name] = len(self._list)
            self._list.append(name)
        return f"<{self.marker}{self._names[name]}>"

    def own(self, name: str) -> str:
        """Return an IRI that no input can contain and that is no variable."""
        return f"<{self._other}{name}>"

    def found(self, iri: str) -> str:
        """Return the name of the variable, with its question mark, that an IRI with the ``marker`` stands for."""
        return f"?{self._list[int(iri[len(self.marker) :])]}"

    def shown(self, text: str) -> str:
        """Return a text, such as a message of the parser, with the variables by their names."""
        return re.sub(f"<?{self.marker}([0-9]+)>?", lambda match: f"?{self._list[int(match[1])]}", text)
