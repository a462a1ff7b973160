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
}
