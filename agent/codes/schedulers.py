"""Codes SCHnnn: schedulers, queues, agreements."""

from agent.codes.row import Code

CODES: dict[str, Code] = {
    "SCH001": Code(
        "value missing or unusable",
        "A property of a scheduler, policy, agreement or request is missing, or its value is of the wrong kind.",
        "State the property that the message names, as it says.",
    ),
    "SCH002": Code(
        "several values",
        "A property that has one value has several.",
        "Remove all values but one.",
    ),
    "SCH003": Code(
        "no scheduler",
        "What is to become a scheduler is not described as one.",
        "Describe <#it> as a sched:SchedulerProxy with sched:forService, sched:capacity and sched:responseTime.",
    ),
    "SCH004": Code(
        "unknown policy",
        "A policy has no type that is known, or several.",
        "Give it one type: sched:SlaPenaltyPolicy or sched:FifoPolicy.",
    ),
    "SCH005": Code(
        "unknown penalty function",
        "A penalty function has no type that is known, or several.",
        "Give it one type: sched:StagedPenalty or sched:ConstantPenalty.",
    ),
    "SCH006": Code(
        "unusable request",
        "The request that is to wait in a queue cannot be sent: its method, body or header fields are wrong.",
        "Describe it with http:mthd, http:requestURI and, if it has one, http:body as one literal.",
    ),
    "SCH007": Code(
        "unusable entry",
        "An entry of a queue has no status that is known, or no number.",
        "Entries are written by the scheduler; only their status may be set, to sched:Pending, by a person.",
    ),
    "SCH030": Code(
        "no such scheduler",
        "The path lies below a scheduler that has not been created, or was deleted.",
        "Look at /schedulers/ for those there are, or create it with a PUT of its container.",
    ),
    "SCH031": Code(
        "request for another service",
        "The http:requestURI of the request is neither the scheduler's sched:forService nor below it.",
        "Send the request to a scheduler for its service; no scheduler sends to anywhere else.",
    ),
    "SCH032": Code(
        "request too large",
        "The description of the request, its body included, is larger than an entry of a queue may be.",
        "Put the body where the service can fetch it, and send its URI.",
    ),
    "SCH033": Code(
        "scheduler busy",
        "Requests wait or are on their way, so the scheduler can neither be deleted nor get another service.",
        "Wait until its queue shows no entry that is sched:Pending or sched:Running.",
    ),
    "SCH034": Code(
        "name taken by another request",
        "The queue has an entry of this name with another request in it. A name stands for one request for ever.",
        "Use another name, such as a fresh UUID.",
    ),
    "SCH035": Code(
        "status cannot be set",
        "Only an entry that is sched:Failed or sched:Uncertain can be set, and only to sched:Pending: it waits again.",
        "Look at the entry; perhaps it is done, or somebody else was quicker.",
    ),
    "SCH036": Code(
        "no precondition",
        "An entry is retried only by somebody who has seen its present state.",
        "GET the entry and send its ETag in an If-Match field.",
    ),
    "SCH037": Code(
        "queue full",
        "As many requests wait as the scheduler takes.",
        "Send the request again later; the Retry-After field says when. It was not stored.",
    ),
    "SCH038": Code(
        "unusable header field",
        "A header field of the request has no usable name, frames the message, or has a control character.",
        "Leave the field out; Host, Content-Length and the like are set by the sender.",
    ),
}
