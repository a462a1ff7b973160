"""rdflib's algebra of a query: read by several rooms, never evaluated. Parsing takes longest, so it is done once."""

from collections.abc import Mapping
from functools import lru_cache

from rdflib.plugins.sparql.algebra import translateQuery
from rdflib.plugins.sparql.parser import parseQuery
from rdflib.plugins.sparql.parserutils import CompValue


def algebra_of(text: str, base: str, prefixes: Mapping[str, str]) -> CompValue | None:
    """Return the algebra of the query ``text``, to be read only; nothing if rdflib cannot parse it.

    ``prefixes`` are those that the text need not declare.
    """
    used = tuple(each for each in sorted(prefixes.items()) if f"{each[0]}:" in text)
    return _algebra(text, base, used)


@lru_cache(maxsize=64)
def _algebra(text: str, base: str, prefixes: tuple[tuple[str, str], ...]) -> CompValue | None:
    try:
        return translateQuery(parseQuery(text), base or None, dict(prefixes)).algebra
    except Exception:  # noqa: BLE001  the parser raises whatever its grammar actions raise, and recursion may end
        return None
