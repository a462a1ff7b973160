"""Names for members: what a Slug header asks for, made safe (RFC 5023, section 9.7)."""

import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

MAX_SLUG = 128
AUXILIARY = (".acl", ".meta")

_UNSAFE = re.compile(r"[^A-Za-z0-9._~-]+")


def read_slug(header: str | None) -> str:
    """Return the name a Slug header asks for, in ``[A-Za-z0-9._~-]`` only; empty if it asks for none.

    Accents are dropped, other characters become one hyphen each run. The name never begins with a dot,
    and never ends like an auxiliary resource.
    """
    if not header:
        return ""
    plain = unicodedata.normalize("NFKD", unquote(header[: 8 * MAX_SLUG]))
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    name = _UNSAFE.sub("-", plain)[:MAX_SLUG].lstrip(".-").rstrip("-.")
    while name.lower().endswith(AUXILIARY):
        name = name[: name.rindex(".")].rstrip("-.")
    return name


def candidate_names(slug: str, counter: int) -> Iterator[tuple[str, int]]:
    """Yield names to try and the counter to keep when the name is taken: the slug, then numbered ones.

    ``counter`` is the last number the container gave out; a number is never given out twice.
    """
    if slug:
        yield slug, counter
    while True:
        counter += 1
        yield (f"{slug}-{counter}" if slug else str(counter)), counter
