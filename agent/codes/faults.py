"""Codes BUGnnn: faults of ours."""

from agent.codes.row import Code

CODES: dict[str, Code] = {
    "BUG001": Code(
        "a fault in Milepost",
        "Something happened that should be impossible.",
        "Please report it with the command you ran and the lines above.",
    ),
    "BUG002": Code(
        "damaged installation",
        "A file that comes with Milepost (rules, ontologies) is not where it was installed.",
        "Install milepost again, into an environment of its own.",
    ),
}
