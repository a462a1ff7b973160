"""Replies of the transport as answers of the step: media type, charset, validator."""

import re

from agent.messages import Answer, NoAnswer
from agent.transport.client import Reply

_CHARSET = re.compile(r"charset\s*=\s*\"?([^\s\";]+)", re.IGNORECASE)
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
        try:
            text = body.decode(charset[1])
        except (LookupError, UnicodeDecodeError):
            return NoAnswer(uri, f"the answer cannot be decoded as {charset[1][:40]}")
        body = _XML_DECLARATION.sub("", text, count=1).encode("utf-8", "replace")
    return Answer(uri, reply.uri, reply.status, media_type, reply.headers.get("etag", ""), body)
