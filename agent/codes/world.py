"""Codes NETnnn: the world over HTTP."""

from agent.codes.row import Code

CODES: dict[str, Code] = {
    "NET001": Code(
        "unreachable",
        "The server did not answer: refused, unknown host, time-out or a broken connection.",
        "Check that it runs and that the URI is right; try it with curl.",
    ),
    "NET002": Code(
        "refused",
        "The server answered, but not with what was asked for.",
        "Look at the status it answered with; try the URI with curl, with the same credentials.",
    ),
    "NET003": Code(
        "no container",
        "The container that keeps the stages and milestones of an instance is not known.",
        "Say it on the instance with ag:container, or on the command line with --container.",
    ),
}
