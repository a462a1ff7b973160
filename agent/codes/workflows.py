"""Codes GSMnnn: workflow models, instances, sentries."""

from agent.codes.row import Code

CODES: dict[str, Code] = {
    "GSM001": Code(
        "blocked instance",
        "The status of the root, of a stage or of a milestone is not known, so the instance does not act.",
        "Make the document that the message names readable again, or delete the second copy of the element.",
    ),
}
