"""The documents that a step read, with what became of each and how old what they say is."""

from agent.gsm.why.explanation import AgeOf, Document
from agent.gsm.why.naming import cut_short
from agent.gsm.why.snapshot import Heard, Snapshot, seconds_of
from agent.rdf.documents import Content, Failed, Gone, Outcome


def documents_of_step(snapshot: Snapshot) -> tuple[Document, ...]:
    """Return the documents that were asked for, sorted by URI."""
    return tuple(_document(snapshot, uri, snapshot.outcomes[uri]) for uri in sorted(snapshot.outcomes))


def _document(snapshot: Snapshot, uri: str, outcome: Outcome) -> Document:
    heard = snapshot.heard.get(uri, Heard(None))
    history = snapshot.history
    age, age_of = _age(snapshot, heard)
    match outcome:
        case Content(etag=etag, skipped=skipped):
            reason = f"{len(skipped)} statements could not be read" if skipped else ""
            return Document(uri, "content", heard.status, reason, etag, age, age_of)
        case Gone(_, status):
            return Document(uri, "gone", status)
        case Failed(_, reason):
            return Document(
                uri,
                "failed",
                heard.status,
                cut_short(reason, 200),
                failures=history.failures.get(uri, 0) + 1 if history else 1,
                answered=history.answered.get(uri, "") if history else "",
            )


def _age(snapshot: Snapshot, heard: Heard) -> tuple[float, AgeOf]:
    then, now = seconds_of(heard.modified), seconds_of(snapshot.instant)
    if then is None or now is None:
        return 0.0, "read"
    return round(max(0.0, now - then), 3), "modified"
