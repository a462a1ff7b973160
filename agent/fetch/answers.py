"""Replies of the transport as answers of the step: media type, charset, validator."""

import codecs
import re

from agent.messages import Answer, NoAnswer
from agent.transport.client import Reply

_CHARSET = re.compile(r"charset\s*=\s*\"?([^\s\";]+)", re.IGNORECASE)
_NO_CHARSETS = frozenset({"idna", "punycode", "raw-unicode-escape", "unicode-escape", "utf-7"})
"""Codecs of Python that no honest server names; some take time quadratic in the text."""
_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")


def answer_from(uri: str, reply: Reply) -> Answer | NoAnswer:
    """Return ``reply`` as the answer to a Get of ``uri``; NoAnswer if its charset cannot be decoded.

    Text in another charset is passed on in UTF-8; where a charset is stated it wins over the declaration of an XML
    document (RFC 7303, section 3).
    """
    content_type = reply.headers.get("content-type", "")
    media_type = content_type.partition(";")[0].strip().lower()
    body = reply.body
    charset = _CHARSET.search(content_type)
    if charset is not None and charset[1].lower() not in ("utf-8", "utf8", "us-ascii"):
        text = _decoded(body, charset[1])
        if text is None:
            return NoAnswer(uri, f"the answer cannot be decoded as {charset[1][:40]}")
        body = _XML_DECLARATION.sub("", text, count=1).encode("utf-8", "replace")
    return Answer(uri, reply.uri, reply.status, media_type, reply.headers.get("etag", ""), body)


def _decoded(body: bytes, charset: str) -> str | None:
    try:
        return None if codecs.lookup(charset).name in _NO_CHARSETS else body.decode(charset)
    except (LookupError, ValueError):
        return None
