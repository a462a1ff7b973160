"""Answers of the world become outcomes of the documents that were asked for."""

import hashlib

from agent.errors import ProgramError
from agent.messages import Answer, NoAnswer
from agent.rdf.documents import Content, Failed, Gone, Outcome, parse_document


def read_answer(event: Answer | NoAnswer) -> Outcome:
    """Return the outcome of the document that was asked for: 2xx parsed, 404 and 410 gone, all else failed."""
    if isinstance(event, NoAnswer):
        return Failed(event.uri, event.reason)
    if event.status in (404, 410):
        return Gone(event.uri, event.status)
    if event.status == 206 or not (200 <= event.status < 300 or event.status == 304):
        return Failed(event.uri, f"the server answered {event.status}", event.status)
    try:
        document = parse_document(event.body, event.media_type, event.final_uri, strict=False)
    except ProgramError as error:
        where = f" (line {error.place.line})" if error.place and error.place.line else ""
        return Failed(event.uri, error.message + where, event.status)
    sha256 = hashlib.sha256(event.body).hexdigest()
    return Content(event.uri, document.uri, document.triples, event.etag, sha256, document.skipped)
