"""The terms of the Guard-Stage-Milestone and agent vocabularies that the code of this room names."""

from agent.rdf.terms import IRI
from agent.vocab import AG, GSM, LDP, SH, SP, SR

# instances and their status
ARTIFACT_INSTANCE = IRI(GSM + "ArtifactInstance")
IS_INSTANCE_OF = IRI(GSM + "isInstanceOf")
IN_ARTIFACT_INSTANCE = IRI(GSM + "inArtifactInstance")
IS_ACHIEVED = IRI(GSM + "isAchieved")
THIS_INSTANCE = IRI(GSM + "thisArtifactInstance")
IS_EXECUTED = IRI(AG + "isExecuted")
IS_RUNNING = IRI(AG + "isRunning")
IN_DOCUMENT = IRI(AG + "inDocument")
IS_TAINTED = IRI(AG + "isTainted")
CONTAINER = IRI(AG + "container")
EXECUTES_MEMBERS = IRI(AG + "executesMembers")
IS_SOURCE = IRI(AG + "isSource")
IS_USED = IRI(AG + "isUsed")
SPARQL_SOURCE = IRI(AG + "SparqlSource")
ENDPOINT = IRI(AG + "endpoint")
CONSTRUCT = IRI(AG + "construct")
CONTAINS = IRI(LDP + "contains")

# what people ask of an instance
IS_PAUSED = IRI(AG + "isPaused")
IS_PARKED = IRI(AG + "isParked")
IS_CANCELLED = IRI(AG + "isCancelled")
IS_RETRIED = IRI(AG + "isRetried")
IS_DONE = IRI(AG + "isDone")
MARKS = ("isPaused", "isParked", "isCancelled", "isRetried", "isDone")

# sentries
USES_SENTRY = IRI(AG + "usesSentry")
IS_TRUE_IN = IRI(AG + "isTrueIn")
HOLDS_IN = IRI(AG + "holdsIn")
DEPENDS_ON = IRI(AG + "dependsOn")
HAS_RESULT = IRI(GSM + "hasArtifactInstanceRelativeResult")
OF_INSTANCE = IRI(GSM + "hasArtifactInstance")
BOOLEAN = IRI(SR + "boolean")
ASK = IRI(AG + "ask")
GSM_ASK = IRI(GSM + "ask")
SPIN_TEXT = IRI(SP + "text")
SPIN_WHERE = IRI(SP + "where")
SPIN_SUBJECT = IRI(SP + "subject")
SPIN_PREDICATE = IRI(SP + "predicate")
SPIN_OBJECT = IRI(SP + "object")
SPIN_VARIABLE = IRI(SP + "varName")
SHACL_ASK = IRI(SH + "ask")
SHACL_PREFIXES = IRI(SH + "prefixes")
SHACL_DECLARE = IRI(SH + "declare")
SHACL_PREFIX = IRI(SH + "prefix")
SHACL_NAMESPACE = IRI(SH + "namespace")

STATUS_QUESTIONS = ("hasUnachievedMilestone", "hasActiveStage", "hasInactiveStage")
"""Questions about the own status that the paper does not name; they are ours, and understood as ``gsm:`` too."""
RENAMED_QUESTIONS = {GSM + name: AG + name for name in STATUS_QUESTIONS}
"""Their other spelling, and the one that counts."""
