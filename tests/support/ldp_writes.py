"""Writes to one document, as bytes, for connections that know their heads by heart."""

HOST = "Host: 127.0.0.1:7070"
GET = f"GET /b HTTP/1.1\r\n{HOST}\r\n\r\n".encode()
ONE, TWO = "<#it> <#p> 1 .", "<#it> <#p> 2 ."


def put(body: str, *fields: str, length: int | None = None, path: str = "/b") -> bytes:
    """Return a PUT; ``length`` is what it says of its body, if that is not the truth."""
    sent = body.encode()
    lines = [f"PUT {path} HTTP/1.1", HOST, "Content-Type: text/turtle", *fields]
    lines.append(f"Content-Length: {len(sent) if length is None else length}")
    return "\r\n".join([*lines, "", ""]).encode() + sent


def patch(body: str, path: str = "/b") -> bytes:
    """Return a PATCH in SPARQL Update."""
    sent = body.encode()
    lines = [f"PATCH {path} HTTP/1.1", HOST, "Content-Type: application/sparql-update"]
    return "\r\n".join([*lines, f"Content-Length: {len(sent)}", "", ""]).encode() + sent


def statuses(answers: bytes) -> list[bytes]:
    """Return the status of each answer."""
    return [part[:3] for part in answers.split(b"HTTP/1.1 ")[1:]]
