"""Codes GSM010 to GSM049: what ``milepost check`` finds in workflow models."""

from agent.codes.row import Code

CODES: dict[str, Code] = {
    "GSM010": Code(
        "unknown term",
        "A name lies in a vocabulary whose terms are all known, and is none of them, so nothing understands it.",
        "Correct its spelling; docs/reference/gsm-vocabulary.md lists the terms of workflows.",
    ),
    "GSM011": Code(
        "no model",
        "None of the documents describes a stage.",
        "Name the document that holds the model; instances and data are no models.",
    ),
    "GSM012": Code(
        "reference to nothing",
        "A part of the model points to a part that no document of the model describes.",
        "Correct the name, or describe the part. Names in documents that were not given are never reported.",
    ),
    "GSM013": Code(
        "described elsewhere",
        "A part of the model is described in a document that was not given, so it was not checked.",
        "Nothing has to be done. Give that document too to have both checked together.",
    ),
    "GSM014": Code(
        "value of the wrong kind",
        "A property leads to something that it cannot lead to: a guard where a milestone belongs, a text that is a name.",
        "Use the property for what it is meant for; docs/reference/gsm-vocabulary.md says what that is.",
    ),
    "GSM015": Code(
        "stage without a guard",
        "Only a guard opens a stage, so a stage inside another that has none never opens.",
        "Give it a guard. To open it together with the stage around it, let the guard always hold (sr:boolean true) or ask for"
        " ag:hasActiveStage.",
    ),
    "GSM016": Code(
        "guard without a condition",
        "A guard opens its stage when one of its conditions holds; it has none.",
        "Add gsm:hasCondition with a sentry.",
    ),
    "GSM017": Code(
        "milestone that is never achieved",
        "A milestone without an achieving sentry stays unachieved for ever, and does not close its stage.",
        "Add gsm:hasAchievingSentry with a sentry.",
    ),
    "GSM018": Code(
        "sentry that never holds",
        "What the sentry asks contradicts itself, or it asks about a milestone or stage that the model does not have.",
        "Correct the question: whatever depends on this sentry can never happen.",
    ),
    "GSM019": Code(
        "stage inside itself",
        "The stages are nested in a circle. The stages of a model form a tree; instances of another model are refused.",
        "Take out one of the stages that the message names.",
    ),
    "GSM020": Code(
        "stage inside two stages",
        "A stage is directly inside two others: when one of them closes, the stage would close in the other too.",
        "Describe the stage twice, under two names; they may share guards, sentries and requests.",
    ),
    "GSM021": Code(
        "achieved and invalidated at once",
        "There are data for which an achieving and an invalidating sentry of one milestone both hold (disjointness, paper"
        " section 4.3). The milestone is achieved in one step and taken back in the next.",
        "Make the sentries exclude each other, unless the example cannot occur or the flicker is meant.",
    ),
    "GSM022": Code(
        "opening and closing at once",
        "There are data for which a guard holds together with an achieving sentry of a stage around its stage. Closing wins:"
        " the inner stage does not open.",
        "Nothing has to be done unless the inner stage is meant to open first.",
    ),
    "GSM023": Code(
        "guard that fires again",
        "A guard is true as long as its condition holds. If it can still hold when a milestone of its stage is achieved, the"
        " stage closes and opens again, and sends its tasks again, for ever.",
        "Ask in the guard for ag:hasUnachievedMilestone of the stage's own milestone, or make it an ag:Latched.",
    ),
    "GSM024": Code(
        "shared milestone in a guard",
        "A milestone of several stages counts as unachieved only when it is so in all of them, so a guard that asks for it"
        " does not ask about its own stage.",
        "Make the guard an ag:Latched, which looks at the stage's own milestone, or give each stage its own.",
    ),
    "GSM025": Code(
        "sentry without a source",
        "The sentry asks about data, but neither it nor a stage around it says which documents to read.",
        "Name documents or containers with ag:source. Rules given with -p may retrieve them too: then this is no fault.",
    ),
    "GSM026": Code(
        "sentry that cannot be asked",
        "The query of a sentry has a fault in its syntax, or uses something that sentries may not use.",
        "Look at the caret; docs/reference/sentries.md says what sentries can be. A broken sentry never holds.",
    ),
    "GSM027": Code(
        "sentry that asks nothing",
        "A sentry has neither a query nor patterns nor a result, so it never holds.",
        "Add ag:ask with a SPARQL ASK query.",
    ),
    "GSM028": Code(
        "forms of a sentry that differ",
        "A sentry is written in several forms that do not ask the same. Any of them is enough to make it true.",
        "Keep one form, or make them say the same.",
    ),
    "GSM029": Code(
        "dependence that is too narrow",
        "The sentry names a document that its ag:dependsOn leaves out. If that document fails, the sentry takes the failure"
        " for an absence.",
        "Name every document that the sentry reads, or leave ag:dependsOn out.",
    ),
    "GSM030": Code(
        "stage that triggers itself",
        "A task writes a document that a guard of its own stage reads, so the stage may start itself again.",
        "Let the guard ask for the stage's own milestone too, or read another document.",
    ),
    "GSM031": Code(
        "malformed request",
        "A request needs one method and one request URI, and has one body at most. Others are never sent.",
        "Correct the description of the request.",
    ),
    "GSM032": Code(
        "unknown method",
        "A task can PUT, POST, DELETE or PATCH; methods are terms of http://www.w3.org/2011/http-methods#.",
        "Write httpm:PUT, httpm:POST, httpm:DELETE or httpm:PATCH.",
    ),
    "GSM033": Code(
        "malformed request URI",
        "No request can be sent to this address.",
        "Write an http or https address between < and >, or a reference relative to the document of the model.",
    ),
    "GSM034": Code(
        "unusable body",
        "The body of a request is not what its Content-Type says, or the method has no body.",
        "Correct the body at the caret, or the Content-Type.",
    ),
    "GSM035": Code(
        "malformed header field",
        "A header field needs one http:fieldName and one http:fieldValue that HTTP allows.",
        "Correct it. Content-Length, Host and the like are set by the client.",
    ),
    "GSM036": Code(
        "number compared as a text",
        "A filter orders something against a number in quotation marks, which is a text. No number is less or greater than a"
        " text, and texts have the order of their signs, in which 9 comes after 45.",
        "Write the number without quotation marks.",
    ),
    "GSM038": Code(
        "time without a time zone",
        "NOW() has a time zone. Compared with a time that has none, it is an error within fourteen hours of it, which is never true.",
        "Write the zone, for example 2030-01-01T00:00:00Z.",
    ),
    "GSM039": Code(
        "any of several is enough",
        "One true guard opens a stage, and one true condition makes a guard true; readers often expect that all are needed.",
        "Nothing has to be done if that is meant. Put everything that has to hold together into one query.",
    ),
    "GSM049": Code(
        "model too large to check",
        "Checking compares the parts of a model with each other, and this one has too many statements.",
        "Check the documents one after the other.",
    ),
}
