"""Every error a user can meet: one tree, one table of codes, one way to print.

    MilepostError
    ├── UsageError      the command line or the call is wrong        exit code 2
    ├── ProgramError    the author's rules, model or data are wrong  exit code 1
    ├── WorldError      something outside could not be reached       exit code 3
    ├── ClashError      two updates of one step disagree             exit code 4
    ├── BudgetError     a limit was reached, the state is whole      exit code 5
    └── BugError        our own fault                                exit code 70

The class says whose fault it is, the code names the fault, the text says where it is and what to do.
"""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

MAX_LINES = 12


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a source text; lines and columns count from 1, ``end_column`` is exclusive."""

    source: str
    line: int = 0
    column: int = 0
    end_column: int = 0
    text: str = ""

    def __str__(self) -> str:
        """Return ``source:line:column``, without the parts that are unknown."""
        if not self.line:
            return self.source
        return f"{self.source}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Code:
    """One row of the table of codes: what went wrong, what it means, what to do about it."""

    title: str
    meaning: str
    remedy: str


class MilepostError(Exception):
    """The root of the tree; raise one of the leaves.

    ``code`` is a key of ``CODES``; ``place`` tells where; ``hint`` tells what to do about this very case.
    """

    exit_code = 70

    def __init__(self, code: str, message: str, *, place: Place | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.place = place
        self.hint = hint

    def __str__(self) -> str:
        """Return the error as a user reads it (see ``describe``)."""
        return describe(self)


class UsageError(MilepostError):
    """The command line or the call is wrong."""

    exit_code = 2


class ProgramError(MilepostError):
    """The author's rules, model or data are wrong; ``others`` are the faults found after it in the same text."""

    exit_code = 1
    others: "tuple[ProgramError, ...]" = ()


class WorldError(MilepostError):
    """Something outside could not be reached, or refused."""

    exit_code = 3


class ClashError(MilepostError):
    """Two updates of one step disagree, and the user asked to stop then."""

    exit_code = 4


class BudgetError(MilepostError):
    """A limit was reached; what was known before is whole."""

    exit_code = 5


class BugError(MilepostError):
    """Our own fault."""

    exit_code = 70


@dataclass(frozen=True, slots=True)
class Finding:
    """Something ``severity`` ("error", "warning" or "note") that was found in an author's text."""

    severity: str
    code: str
    message: str
    place: Place
    hint: str = ""

    def __str__(self) -> str:
        """Return the finding as a user reads it."""
        return _render(str(self.place), self.severity, self.code, self.message, self.place, self.hint)


def describe(error: MilepostError) -> str:
    """Return ``error`` as a user reads it: at most ``MAX_LINES`` lines, the place first, the remedy last."""
    where = str(error.place) if error.place else ""
    return _render(where, "error", error.code, error.message, error.place, error.hint)


def _render(where: str, severity: str, code: str, message: str, place: Place | None, hint: str) -> str:
    head = f"{where}  " if where else ""
    lines = f"{head}{severity} {code}  {message}".splitlines()
    if place and place.text:
        lines += _excerpt(place)
    if hint:
        lines += [f"  {line}" for line in hint.splitlines()]
    if len(lines) > MAX_LINES:
        lines = [*lines[: MAX_LINES - 1], f"  ... {len(lines) - MAX_LINES + 1} more lines"]
    return "\n".join(lines)


def _excerpt(place: Place) -> list[str]:
    """Return the source line, cut around the place when it is long, and a caret below it."""
    width = 96
    start = 0 if place.column <= width - 16 else place.column - width // 2
    text = place.text[start : start + width].replace("\t", " ")
    gutter = f"{place.line:5d} | "
    caret_at = max(place.column - 1 - start, 0)
    length = max(1, min(place.end_column - place.column, len(text) - caret_at))
    return [gutter + text, " " * (len(gutter) - 2) + "| " + " " * caret_at + "^" * length]


def closest(name: str, known: Iterable[str]) -> str | None:
    """Return the member of ``known`` that ``name`` was probably meant to be, or nothing; case does not count."""
    folded = {candidate.casefold(): candidate for candidate in sorted(known, reverse=True)}
    matches = difflib.get_close_matches(name.casefold(), sorted(folded), n=1, cutoff=0.7)
    return folded[matches[0]] if matches else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ``did you mean X?`` for a name that ``known`` nearly holds, else the empty text."""
    match = closest(name, known)
    return f"did you mean {match}?" if match else ""


CODES: dict[str, Code] = {
    # ---- usage -------------------------------------------------------------------------------------
    "USE001": Code(
        "wrong command line",
        "An option or argument is missing, unknown or has a value that does not fit.",
        "Run the command with --help.",
    ),
    "USE002": Code(
        "unreadable file",
        "A file named on the command line does not exist, is a folder, may not be read, or is not UTF-8 text.",
        "Check the path and the permissions; a glob that matches nothing counts as a missing file.",
    ),
    "USE003": Code(
        "unknown error code",
        "There is no error of this code.",
        "Run milepost explain without a code to see all of them.",
    ),
    "USE004": Code(
        "unwritable file",
        "A file named on the command line for output cannot be written.",
        "Check that its folder exists and may be written to.",
    ),
    "USE005": Code(
        "nothing to run",
        "A URI given to run is neither a workflow instance nor a container, or nothing was given at all.",
        "Give the URI of an instance (#it) or of a container (/), or a program with -p.",
    ),
    "USE010": Code(
        "unusable setting",
        "An environment variable or the credentials file has a value that does not fit.",
        "Correct the variable or the line that the message names; docs/reference/http.md lists them.",
    ),
    "USE011": Code(
        "wrong mapping",
        "--map takes two origins, FROM=TO.",
        "Write --map http://sensor.example:8080=http://127.0.0.1:9001.",
    ),
    "USE012": Code(
        "no such delivery",
        "The mode of delivery is unknown, or not in this version.",
        "Use --delivery parallel.",
    ),
    # ---- N3: the rule language and RDF syntax --------------------------------------------------------
    "N3001": Code(
        "syntax error",
        "The text does not follow the grammar of Notation3 at this place.",
        "Look at the caret: the message says what was expected there and what came instead.",
    ),
    "N3002": Code(
        "undeclared prefix",
        "A name uses a prefix that no @prefix line above it declares.",
        "Declare the prefix, or correct its spelling.",
    ),
    "N3003": Code(
        "missing dot",
        "A statement goes on where a new one seems to begin, or the text ends inside it.",
        "End the statement with a dot.",
    ),
    "N3004": Code(
        "unclosed bracket",
        "A formula, list or property list is still open where it can only have ended.",
        "Close it; the message says where it was opened.",
    ),
    "N3005": Code(
        "bad escape",
        "A backslash stands before something that is no escape, or an escape stands for no character.",
        "Write two backslashes for a backslash.",
    ),
    "N3006": Code(
        "bad IRI",
        "An IRI between < and > is not closed, or holds a character that no IRI may hold.",
        "Close it on the same line; write forbidden characters as percent escapes.",
    ),
    "N3007": Code(
        "unclosed string",
        "A string has no end, or a string in single quotation marks runs over the end of its line.",
        "Close the string, or use three quotation marks for a string of several lines.",
    ),
    "N3008": Code(
        "not a rule",
        "One side of => or <= is no formula.",
        "Write a rule as { body } => { head } . with a formula on each side.",
    ),
    "N3009": Code(
        "variable in a fact",
        "A triple outside all rules holds a variable, so it says nothing definite.",
        "Write a rule, or put a name where the variable stands.",
    ),
    "N3010": Code(
        "unknown builtin",
        "A predicate in a rule's body lies in the namespace of builtins but is none of them.",
        "Correct its spelling; docs/reference/builtins.md lists all builtins.",
    ),
    "N3011": Code(
        "unsupported rule",
        "The rule is proper Notation3, but Milepost gives it no meaning.",
        "Say the same with a derivation rule or a request rule.",
    ),
    "N3012": Code(
        "statement that says nothing",
        "A term stands alone as a statement, or the head of a rule is empty.",
        "Complete it, or delete it.",
    ),
    "N3013": Code(
        "not data",
        "A model or data file holds something that RDF has no place for: a rule, a variable, a formula.",
        "Put rules into a program, and keep the model plain RDF.",
    ),
    "N3050": Code(
        "no RDF syntax",
        "The media type of the document, or the extension of its name, is none of an RDF syntax.",
        "Serve or name it as Turtle, N-Triples, JSON-LD or RDF/XML.",
    ),
    "N3051": Code(
        "unreadable document",
        "The document cannot be used as a whole: undecodable, truncated, nested too deep, or badly written.",
        "Correct it at the place that the message names.",
    ),
    "N3052": Code(
        "not expressible in Turtle",
        "The body of a request holds a term that no Turtle document can say.",
        "Leave quoted formulas, variables, literal subjects and odd predicates out of http:body.",
    ),
    # ---- ASM: programs, the step, requests -----------------------------------------------------------
    "ASM001": Code(
        "unsafe rule",
        "A variable of the head, of a builtin's input or of a request is bound by no pattern of the body.",
        "Bind it in the body, or correct its spelling.",
    ),
    "ASM010": Code(
        "request without a URI",
        "A request does not say where it goes, or not with an IRI.",
        "Give it one http:requestURI.",
    ),
    "ASM011": Code(
        "stray statement in a request",
        "The head of a request rule says something about another node than the request.",
        "Put what is to be derived into a rule of its own.",
    ),
    "ASM012": Code(
        "request with two of a kind",
        "One request has two methods, two URIs or two bodies.",
        "Give each request a node of its own.",
    ),
    "ASM013": Code(
        "request described twice",
        "A request has ag:likeRequest and also a method, a URI or a body of its own.",
        "Leave one of the two out.",
    ),
    "ASM014": Code(
        "unknown method",
        "The method of a request is none of GET, PUT, POST, DELETE and PATCH.",
        "Use an IRI of http://www.w3.org/2011/http-methods#.",
    ),
    "ASM015": Code(
        "body that cannot be sent",
        "A GET or DELETE request has a body, or a body is neither a formula nor a string nor a variable.",
        "Leave it out, or write the triples between { and }.",
    ),
    "ASM016": Code(
        "faulty header field",
        "A header field needs exactly one name and one value.",
        "Write http:fieldName and http:fieldValue once each; use http:headers for several fields.",
    ),
    "ASM020": Code(
        "budget of reasoning exceeded",
        "The rules of a step derived more rounds, triples or terms than allowed; what was finished before is whole.",
        "Look at the rule in the message: a rule that makes new terms from its own conclusions never ends.",
    ),
    "ASM021": Code(
        "cycle through negation",
        "A rule tests the absence of something that depends on what the rule itself concludes.",
        "Conclude with another predicate, or test one that these rules do not derive.",
    ),
    "ASM022": Code(
        "negation without a meaning",
        "log:notIncludes is supported on the memory alone: [] log:notIncludes { ... }, nested a few levels deep.",
        "Use [] as the subject and a formula as the object.",
    ),
    "ASM023": Code(
        "retrieval by negation",
        "A rule with log:notIncludes asks for a GET, but what is absent is known only when everything was read.",
        "Retrieve by positive patterns alone; negate in derivation rules or requests that are not GET.",
    ),
    "ASM101": Code(
        "request URI that is no document on the Web",
        "A rule asks for a write to something that is not an http or https IRI: a literal, a blank node, a file.",
        "Look at what the variable of http:requestURI is bound to in this step.",
    ),
    "ASM102": Code(
        "unsupported method",
        "http:mthd is none of PUT, POST, DELETE, PATCH (and GET as a constant) of the HTTP methods vocabulary.",
        "Use an IRI such as <http://www.w3.org/2011/http-methods#PUT>.",
    ),
    "ASM103": Code(
        "unusable body",
        "The body of a request is neither a literal nor a formula that can be written as RDF.",
        "Subjects must be IRIs or blank nodes, predicates IRIs; a DELETE has no body.",
    ),
    "ASM104": Code(
        "ambiguous described request",
        "The resource of ag:likeRequest has no or several methods or URIs, or several bodies, in memory.",
        "Give it exactly one http:mthd and http:requestURI and at most one http:body.",
    ),
    "ASM105": Code(
        "unusable header field",
        "A header field of a request is malformed, incomplete, or one that the client sets itself.",
        "Give one literal http:fieldName and one literal http:fieldValue without line breaks.",
    ),
    "ASM106": Code(
        "unusable annotation",
        "ag:rank or ag:precedence of a request has a value that is no integer.",
        "Give an integer, for example 10 or -1.",
    ),
    "ASM111": Code(
        "clash",
        "Two different updates of one document were decided in one step, and --on-conflict is error.",
        "Make the conditions of the rules exclude each other, or say with ag:precedence which one wins.",
    ),
    "ASM112": Code(
        "too many documents",
        "The rules of a step ask for more documents than --max-documents allows; nothing was written.",
        "Restrict the rule that follows links, or raise the limit.",
    ),
    "ASM113": Code(
        "too many bytes",
        "The documents of a step are together larger than allowed; nothing was written.",
        "Restrict the rule that follows links, or raise the limit.",
    ),
    "ASM114": Code(
        "decided without all sources",
        "A request rule tests that something is absent while a document could not be read: it was not applied.",
        "Make the document readable again; absence can only be told when everything was read.",
    ),
    "ASM115": Code(
        "unguarded write",
        "The server gives no strong validator (ETag), so If-Match cannot protect what others write meanwhile.",
        "Let one agent only write there, or use a server with strong ETags.",
    ),
    # ---- GSM: models, instances, sentries -----------------------------------------------------------
    "GSM001": Code(
        "blocked instance",
        "The status of the root, of a stage or of a milestone is not known, so the instance does not act.",
        "Make the document that the message names readable again, or delete the second copy of the element.",
    ),
    # ---- NET: the world over HTTP -------------------------------------------------------------------
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
    # ---- LDP: the bundled server ---------------------------------------------------------------------
    "LDP001": Code(
        "malformed RDF",
        "The body of a PUT or POST does not follow the grammar of its media type.",
        "Look at the line and column in the answer; check the body with milepost parse.",
    ),
    "LDP002": Code(
        "unusable path",
        "The path has dot segments, empty segments, control characters, encoded slashes, or is too long.",
        "Use plain segments of up to 255 octets, percent-encoded, up to 2,048 characters in all.",
    ),
    "LDP003": Code(
        "missing Content-Type",
        "A body came without saying what it is.",
        "Send Content-Type: text/turtle, or another of the types in the Accept-Put header.",
    ),
    "LDP004": Code(
        "malformed request",
        "The request is not well-formed HTTP, or has a header the server cannot follow.",
        "Try the same request with curl and compare the headers.",
    ),
    "LDP005": Code(
        "unsupported media type",
        "The server stores RDF as Turtle, JSON-LD, N-Triples or RDF/XML, in UTF-8 and uncompressed.",
        "Send one of the types in the Accept header of the answer.",
    ),
    "LDP006": Code(
        "body too large",
        "The body is larger than the server takes.",
        "Split the document into several resources.",
    ),
    "LDP007": Code(
        "document too complex",
        "The document has too many triples, too long names or literals, or takes too long to parse.",
        "Split the document, or send it as N-Triples.",
    ),
    "LDP008": Code(
        "no acceptable representation",
        "None of the media types the client accepts is available for this resource.",
        "Accept text/turtle, or one of the types the answer lists.",
    ),
    "LDP009": Code(
        "no such resource",
        "Nothing is stored under this URI.",
        "Check the spelling and the final slash: /a and /a/ are two names.",
    ),
    "LDP010": Code(
        "method not allowed",
        "The resource does not take this method; POST is for containers, the root cannot be deleted.",
        "The Allow header of the answer lists what it takes.",
    ),
    "LDP011": Code(
        "precondition failed",
        "If-Match or If-None-Match does not hold: the resource changed, exists already or is gone.",
        "GET the resource, decide again, and send the new entity tag.",
    ),
    "LDP012": Code(
        "container not empty",
        "A container is deleted only when it has no members.",
        "Delete the members first.",
    ),
    "LDP013": Code(
        "name taken by the other kind",
        "Of a path with and without its final slash only one can exist, and nothing is stored below a document.",
        "Use another name, or delete the resource that stands in the way.",
    ),
    "LDP014": Code(
        "containment is kept by the server",
        "The body states other members than the container has.",
        "Leave ldp:contains out of the body; create and delete the members instead.",
    ),
    "LDP015": Code(
        "interaction model not offered",
        "The Link header asks for a kind of resource this server does not have.",
        "Ask for ldp:BasicContainer with a URI that ends in a slash, or for ldp:RDFSource.",
    ),
    "LDP016": Code(
        "reserved path",
        "Paths under /.milepost/ belong to the server.",
        "Store the resource somewhere else.",
    ),
    "LDP017": Code(
        "server busy",
        "Too many writes were waiting.",
        "Try again after the seconds in the Retry-After header.",
    ),
    "LDP018": Code(
        "another server's address",
        "The Host header names neither the base URL nor, on loopback, another name of this machine.",
        "Use the base URL the server printed, or start it with the base URL that clients use.",
    ),
    "LDP019": Code(
        "request took too long",
        "The body did not arrive in time.",
        "Send it again over a better connection.",
    ),
    "LDP020": Code(
        "a fault in the server",
        "Something happened that should be impossible; the log of the server tells what.",
        "Please report it with the request and the lines of the log.",
    ),
    "LDP021": Code(
        "storage failed",
        "A write could not be stored, and nothing of it is kept.",
        "Check the free space and the permissions of the data folder; the log says more.",
    ),
    "LDP022": Code(
        "request header too large",
        "The request line or one header is longer than the server takes.",
        "Shorten the URI or the header.",
    ),
    "LDP030": Code(
        "data folder in use",
        "Another server, perhaps one that still runs, uses the same data folder.",
        "Stop it, or give this one another folder with --data.",
    ),
    "LDP031": Code(
        "not a data folder of this server",
        "The data file is damaged, or was made by another program or by a newer version.",
        "Restore a copy, or choose another folder with --data.",
    ),
    "LDP032": Code(
        "data of another base URL",
        "The stored IRIs begin with another base URL, so the data would speak about resources elsewhere.",
        "Start the server with the port and --base-url it had, or choose another folder.",
    ),
    "LDP033": Code(
        "open to the network",
        "The server would be reachable from other machines without asking who they are.",
        "Listen on 127.0.0.1.",
    ),
    "LDP034": Code(
        "address not available",
        "The host or port cannot be listened on.",
        "Stop what uses the port, or choose another one with --port.",
    ),
    "LDP035": Code(
        "unusable base URL",
        "A base URL is an http or https origin such as http://127.0.0.1:7070/, without a path.",
        "Correct it.",
    ),
    # ---- SCH: schedulers ------------------------------------------------------------------------------
    # ---- BUG: ours ----------------------------------------------------------------------------------
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
