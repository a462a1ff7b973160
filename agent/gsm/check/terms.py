"""The terms of models: which parts they link, and what the spellings of others mean (rules/gsm/aliases.n3)."""

from agent.rdf.terms import IRI, Term
from agent.vocab import AG, GSM, HTTP

STAGE = IRI(GSM + "Stage")
GUARD = IRI(GSM + "Guard")
MILESTONE = IRI(GSM + "Milestone")
LATCHED = IRI(AG + "Latched")
HAS_CHILD = IRI(GSM + "hasChildStage")
HAS_DESCENDANT = IRI(GSM + "hasDescendantStage")
HAS_ANCESTOR = IRI(GSM + "hasAncestorStage")
HAS_GUARD = IRI(GSM + "hasGuard")
HAS_CONDITION = IRI(GSM + "hasCondition")
HAS_MILESTONE = IRI(GSM + "hasMilestone")
HAS_ACHIEVING = IRI(GSM + "hasAchievingSentry")
HAS_INVALIDATING = IRI(GSM + "hasInvalidatingSentry")
HAS_VALIDATING = IRI(GSM + "hasValidatingSentry")
HAS_REQUEST = IRI(GSM + "hasHttpRequest")
HAS_TASK = IRI(GSM + "hasTask")
SOURCE = IRI(AG + "source")
METHOD = IRI(HTTP + "mthd")
REQUEST_URI = IRI(HTTP + "requestURI")
BODY = IRI(HTTP + "body")
HEADERS = IRI(HTTP + "headers")
FIELD_NAME = IRI(HTTP + "fieldName")
FIELD_VALUE = IRI(HTTP + "fieldValue")
REQUEST = IRI(HTTP + "Request")

ACHIEVED = GSM + "hasAchievedMilestone"
UNACHIEVED = AG + "hasUnachievedMilestone"
ACTIVE_STAGE = AG + "hasActiveStage"
INACTIVE_STAGE = AG + "hasInactiveStage"
OPPOSITES = {ACHIEVED: UNACHIEVED, ACTIVE_STAGE: INACTIVE_STAGE}
ASKED_ROLES = {
    ACHIEVED: "milestone",
    UNACHIEVED: "milestone",
    ACTIVE_STAGE: "stage",
    INACTIVE_STAGE: "stage",
}
"""What the questions about the own status ask for."""

LINKS: dict[Term, tuple[str, str]] = {
    HAS_CHILD: ("stage", "stage"),
    HAS_DESCENDANT: ("stage", "stage"),
    HAS_GUARD: ("stage", "guard"),
    HAS_MILESTONE: ("stage", "milestone"),
    HAS_REQUEST: ("stage", "request"),
    HAS_TASK: ("stage", "task"),
    HAS_CONDITION: ("guard", "sentry"),
    HAS_ACHIEVING: ("milestone", "sentry"),
    HAS_INVALIDATING: ("milestone", "sentry"),
}
"""The properties between the parts of a model: what has them, and what they lead to."""

SPELLINGS: dict[Term, Term] = {
    IRI(GSM + "StageModel"): STAGE,
    IRI(GSM + "MileStoneInstance"): IRI(GSM + "MilestoneInstance"),
    IRI(GSM + "hasMilestoneModel"): HAS_MILESTONE,
    IRI(GSM + "inSuperStageInstance"): IRI(GSM + "inArtifactInstance"),
    IRI(GSM + "ask"): IRI(AG + "ask"),
    IRI(GSM + "hasUnachievedMilestone"): IRI(UNACHIEVED),
    IRI(GSM + "hasActiveStage"): IRI(ACTIVE_STAGE),
    IRI(GSM + "hasInactiveStage"): IRI(INACTIVE_STAGE),
}
"""Spellings that mean the same wherever they stand."""

HTTP_TERMS = frozenset(
    [
        "Connection",
        "EntityHeader",
        "GeneralHeader",
        "HeaderElement",
        "HeaderName",
        "Message",
        "MessageHeader",
        "Method",
        "Parameter",
        "Request",
        "RequestHeader",
        "Response",
        "ResponseHeader",
        "StatusCode",
        "absolutePath",
        "absoluteURI",
        "abs_path",
        "authority",
        "body",
        "connectionAuthority",
        "elementName",
        "elementValue",
        "fieldName",
        "fieldValue",
        "hdrName",
        "headerElements",
        "headerName",
        "headers",
        "httpVersion",
        "methodName",
        "mthd",
        "paramName",
        "paramValue",
        "params",
        "reasonPhrase",
        "requestURI",
        "requests",
        "resp",
        "sc",
        "statusCode",
        "statusCodeNumber",
        "statusCodeValue",
    ]
)
"""The terms of W3C's HTTP vocabulary."""

SPIN_TERMS = frozenset(
    [
        "Aggregation",
        "AltPath",
        "Asc",
        "Ask",
        "Avg",
        "Bind",
        "Clear",
        "Command",
        "Construct",
        "Count",
        "Create",
        "Delete",
        "DeleteData",
        "DeleteWhere",
        "Desc",
        "Describe",
        "Drop",
        "Element",
        "ElementGroup",
        "ElementList",
        "Exists",
        "Expression",
        "Filter",
        "Function",
        "GroupConcat",
        "Insert",
        "InsertData",
        "Load",
        "Max",
        "Min",
        "Minus",
        "ModPath",
        "Modify",
        "NamedGraph",
        "NotExists",
        "Optional",
        "OrderByCondition",
        "Path",
        "Query",
        "ReverseLinkPath",
        "ReversePath",
        "Sample",
        "Select",
        "SeqPath",
        "Service",
        "SolutionModifier",
        "SubQuery",
        "Sum",
        "SystemClass",
        "Triple",
        "TriplePath",
        "TriplePattern",
        "TripleTemplate",
        "Tuple",
        "Union",
        "Update",
        "Values",
        "Variable",
        "all",
        "arg",
        "arg1",
        "arg2",
        "arg3",
        "arg4",
        "arg5",
        "as",
        "bindings",
        "data",
        "default",
        "deletePattern",
        "distinct",
        "document",
        "elements",
        "expression",
        "from",
        "fromNamed",
        "graphIRI",
        "graphNameNode",
        "groupBy",
        "having",
        "iExists",
        "insertPattern",
        "into",
        "limit",
        "modMax",
        "modMin",
        "named",
        "node",
        "object",
        "offset",
        "orderBy",
        "path",
        "path1",
        "path2",
        "predicate",
        "query",
        "reduced",
        "resultNodes",
        "resultVariables",
        "separator",
        "serviceURI",
        "silent",
        "subPath",
        "subject",
        "systemProperty",
        "templates",
        "text",
        "using",
        "usingNamed",
        "values",
        "varName",
        "varNames",
        "variable",
        "where",
        "with",
    ]
)
"""The terms of the SPIN vocabulary of SPARQL queries."""
