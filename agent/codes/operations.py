"""Codes GSM050 to GSM069: starting workflows, and what people ask of instances."""

from agent.codes.row import Code

CODES: dict[str, Code] = {
    "GSM050": Code(
        "no model to start",
        "The document describes no root stage, or several, or the URI names a stage inside another.",
        "Give the URI of a root stage, with its fragment.",
    ),
    "GSM051": Code(
        "name already taken",
        "There is a document under the name that the new instance should get; it was left alone.",
        "Choose another --name, or leave it out and let the server choose.",
    ),
    "GSM052": Code(
        "no container takes it",
        "No container above the model takes new documents, or the one that was named refuses them.",
        "Name a container that may be written to with --in.",
    ),
    "GSM053": Code(
        "facts about the status",
        "A file of facts for a new instance says something that only the agent and the lifecycle say.",
        "Leave the state, the model and the marks out of the file.",
    ),
    "GSM054": Code(
        "no such instance",
        "The document says nothing about a workflow instance of this URI.",
        "Give the URI of an instance, with its fragment, as milepost start prints it.",
    ),
    "GSM055": Code(
        "no such element",
        "The instance has no stage or milestone of this name, or several.",
        "Name it by its URI, by the last part of it, or by its rdfs:label in the model.",
    ),
    "GSM056": Code(
        "not in this state",
        "What was asked for makes no sense in the state that the instance or the element is in.",
        "The message says which state that is.",
    ),
    "GSM057": Code(
        "document cannot be changed",
        "Changing one statement would lose others, or changes of others: some could not be read, or the server gives "
        "no strong validator.",
        "Correct the statements that the message names, or keep instances on a server with strong ETags.",
    ),
    "GSM058": Code(
        "changed all the time",
        "Others changed the document each time between reading and writing it; nothing was overwritten.",
        "Run the command again.",
    ),
    "GSM060": Code(
        "instance parked",
        "The instance went round in a circle without anything else changing, so the agent stopped sending for it and "
        "wrote the reason into its document (ag:isParked).",
        "Correct the guard that the message names, then run milepost resume.",
    ),
    "GSM061": Code(
        "stage opens again and again",
        "A guard stays true after its stage has completed, so the stage opens again at once.",
        "Let the guard ask for the stage's own milestone to be unachieved, or make the stage ag:Latched.",
    ),
}
