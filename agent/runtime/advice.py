"""What to do about a server that does not answer, or not with what was asked for."""

from agent.errors import WorldError
from agent.rdf.documents import Failed, Gone

UNREACHED = "Check the address, and that its server is running."


def advice_on(status: int) -> str:
    """Return what to do about a server that answered ``status`` instead of what was asked for."""
    if status == 401:
        return "Name credentials for this server in the file of MILEPOST_CREDENTIALS."
    if status == 403:
        return "Ask for access, or name other credentials in the file of MILEPOST_CREDENTIALS."
    if status in (404, 410):
        return "Check the address: the server runs, but has no such document."
    if status >= 500:
        return "The server runs, but has a fault: look into its log, then run the command again."
    return "Try it with curl, and the same credentials: the server runs, but does not do what was asked for."


def unreadable(outcome: Gone | Failed) -> WorldError:
    """Return the error for a document that was asked for and cannot be read: NET001, or NET002 if it is gone."""
    if isinstance(outcome, Gone):
        message = f"{outcome.uri} cannot be read: the server answered {outcome.status}"
        return WorldError("NET002", message, hint=advice_on(outcome.status))
    message = f"{outcome.uri} cannot be read: {outcome.reason}"
    if not outcome.status:
        return WorldError("NET001", message, hint=UNREACHED)
    if 200 <= outcome.status < 300:
        return WorldError(
            "NET001", message, hint="Check the address: the server has no RDF there that can be read."
        )
    return WorldError("NET001", message, hint=advice_on(outcome.status))
