"""The text of a SPARQL query as tokens, as far as models need it: what is a name, what is inside a string.

Parsing is left to the SPARQL engine; tokens serve to put values into a query without touching strings and comments.
"""

import re
from collections.abc import Iterable, Mapping

from msgspec import Struct

from agent.n3.iris import resolve

_TOKEN = re.compile(
    r"""
      (?P<space>    \s+ | \#[^\n\r]* )
    | (?P<iri>      <[^\x00-\x20<>"{}|^`\\]*> )
    | (?P<string>   \"{3}(?:\"{0,2}(?:[^\"\\]|\\.))*\"{3} | '{3}(?:'{0,2}(?:[^'\\]|\\.))*'{3}
                  | \"(?:[^\"\\\n\r]|\\.)*\" | '(?:[^'\\\n\r]|\\.)*' )
    | (?P<variable> [?$][\w·]+ )
    | (?P<blank>    _:[\w.·-]*[\w·-] )
    | (?P<tag>      @[A-Za-z]+(?:-[A-Za-z0-9]+)* )
    | (?P<name>     (?:[^\W\d_](?:[\w.·-]*[\w·-])?)?:(?:(?:[\w:·-]|\\.|%[0-9A-Fa-f]{2}|\.(?=[\w.:%\\-]))*) )
    | (?P<word>     [A-Za-z_]\w* )
    | (?P<other>    . )
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(Struct, frozen=True):
    """A piece of text; ``kind`` is one of space, iri, string, variable, blank, tag, name, word, other."""

    kind: str
    text: str
    start: int

    @property
    def keyword(self) -> str:
        """Return a word in capitals, a sign as it is, and nothing for all else."""
        return self.text.upper() if self.kind in {"word", "other"} else ""


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of ``text``; put together they are the text again."""
    return [Token(match.lastgroup or "", match[0], match.start()) for match in _TOKEN.finditer(text)]


def prefixes_of(tokens: Iterable[Token], base: str, known: Mapping[str, str]) -> dict[str, str]:
    """Return the prefixes that hold in a query: ``known`` and those that it declares, resolved against its base."""
    prefixes = dict(known)
    meaningful = [token for token in tokens if token.kind != "space"]
    for index, token in enumerate(meaningful[:-1]):
        following = meaningful[index + 1]
        if token.keyword == "BASE" and following.kind == "iri":
            base = resolve(following.text[1:-1], base)
        elif token.keyword == "PREFIX" and following.kind == "name" and index + 2 < len(meaningful):
            iri = meaningful[index + 2]
            if iri.kind == "iri":
                prefixes[following.text[:-1]] = resolve(iri.text[1:-1], base)
    return prefixes


def expand(token: Token, prefixes: Mapping[str, str]) -> str | None:
    """Return the IRI that a prefixed name means, or nothing if its prefix is not declared."""
    prefix, _, local = token.text.partition(":")
    namespace = prefixes.get(prefix)
    return None if namespace is None else namespace + re.sub(r"\\(.)", r"\1", local)
