"""How the refusals of a store are told to a client."""

from ldp_server.faults import Problem
from ldp_server.storage.port import Reason, Refusal

_TOLD: dict[Reason, tuple[str, str]] = {
    Reason.PRECONDITION: (
        "LDP011",
        "The precondition does not hold for {uri}: it changed, exists already or is not there. GET it and try again.",
    ),
    Reason.ABSENT: ("LDP009", "There is no resource {uri}."),
    Reason.GONE: ("LDP040", "{uri} was deleted, and its name is not used again. Use another one."),
    Reason.UNCONDITIONAL: (
        "LDP041",
        "{uri} is there already. GET it, and replace it with its entity tag in If-Match.",
    ),
    Reason.READ_ONLY: (
        "LDP042",
        "The body sets or changes a property of {uri} that clients may not change. Leave its values as they are.",
    ),
    Reason.NOT_A_CONTAINER: ("LDP010", "{uri} is a document; only containers take members."),
    Reason.ROOT: ("LDP010", "The root container cannot be deleted."),
    Reason.NOT_EMPTY: ("LDP012", "The container {uri} has members. Delete them first."),
    Reason.SLASH_TWIN: ("LDP013", "{uri} exists, so the same path with or without its final slash cannot."),
    Reason.BELOW_DOCUMENT: ("LDP013", "{uri} is a document, so nothing can be stored below it."),
    Reason.OTHER_KIND: (
        "LDP050",
        "{uri} is of the other kind: what is RDF stays RDF, and what is not stays so. Delete it first.",
    ),
    Reason.DESCRIPTION: ("LDP010", "{uri} is a description; it goes when what it describes is deleted."),
    Reason.DESCRIPTION_TAKEN: (
        "LDP013",
        "{uri}, with or without a final slash, is taken; the new resource needs it for its description. Use another name.",
    ),
    Reason.CONTAINMENT: (
        "LDP014",
        "The body says what {uri} contains. Leave ldp:contains out; POST, PUT and DELETE of members change it.",
    ),
    Reason.NO_ROOM: (
        "LDP002",
        "The new member of {uri} would have a path that is too long or too deep. Use another container.",
    ),
    Reason.NOT_RDF: ("LDP010", "{uri} is not RDF, so it takes no PATCH; PUT replaces it."),
    Reason.OUTPACED: (
        "LDP074",
        "{uri} was changed again and again while the patch was worked out. Try again in a second.",
    ),
    Reason.BUSY: ("LDP017", "Too many writes are waiting. Try again in a second."),
    Reason.FAILED: (
        "LDP021",
        "The write could not be stored; nothing of it is kept. The server's log says why.",
    ),
}


def problem_of(refusal: Refusal, base: str) -> Problem:
    """Return the problem that tells a refusal; ``base`` begins every URI."""
    if refusal.problem is not None:
        return refusal.problem
    code, text = _TOLD[refusal.reason]
    headers = {"Retry-After": "1"} if refusal.reason in {Reason.BUSY, Reason.OUTPACED} else {}
    return Problem(code, text.format(uri=base + refusal.path), headers=headers)
