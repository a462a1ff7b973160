"""``crypto:`` functions: digests of the characters of a literal in UTF-8, as hexadecimal digits in lower case, an xsd:string.

The subject must be known, and be a literal of any datatype. The numeric modes do not matter.
Sources: cwm's crypto vocabulary, FIPS 180-4, RFC 1321. They give names to things; none of them protects a secret here.
"""

import hashlib
from collections.abc import Callable
from typing import Any

from agent.n3.builtins.registry import Context, function
from agent.rdf.terms import Literal, Term
from agent.vocab import CRYPTO


def _digest(subject: Term, algorithm: Callable[..., Any]) -> Term | None:
    if not isinstance(subject, Literal):
        return None
    return Literal(
        algorithm(subject.lexical.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
    )


@function(CRYPTO + "sha")
def sha(subject: Term, context: Context) -> Term | None:
    """Return the SHA-1 digest, 40 digits."""
    return _digest(subject, hashlib.sha1)


@function(CRYPTO + "sha256")
def sha256(subject: Term, context: Context) -> Term | None:
    """Return the SHA-256 digest, 64 digits."""
    return _digest(subject, hashlib.sha256)


@function(CRYPTO + "sha512")
def sha512(subject: Term, context: Context) -> Term | None:
    """Return the SHA-512 digest, 128 digits."""
    return _digest(subject, hashlib.sha512)


@function(CRYPTO + "md5")
def md5(subject: Term, context: Context) -> Term | None:
    """Return the MD5 digest, 32 digits."""
    return _digest(subject, hashlib.md5)
