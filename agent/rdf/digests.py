"""Short names that are made of long texts."""


def digest_of(text: str, digits: int) -> str:
    """Return the first ``digits`` hexadecimal digits of the SHA-256 of ``text``, in which lone surrogates may stand."""
    from hashlib import sha256  # noqa: PLC0415  most commands name nothing, and need no cryptographic library

    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:digits]
