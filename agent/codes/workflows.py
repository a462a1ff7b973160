"""Codes GSMnnn: workflow models, instances, sentries."""

from agent.codes.row import Code

CODES: dict[str, Code] = {
    "GSM001": Code(
        "blocked instance",
        "The status of the root, of a stage or of a milestone is not known, so the instance does not act.",
        "Make the document that the message names readable again, or delete the second copy of the element.",
    ),
    "GSM080": Code(
        "no such element",
        "The model of the instance has no stage, guard, milestone or sentry of this name, or several.",
        "Use a name that the message lists, or the IRI; milepost why with the instance alone shows all of them.",
    ),
}
