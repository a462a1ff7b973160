"""Codes LDPnnn: the bundled server."""

from agent.codes.row import Code

CODES: dict[str, Code] = {
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
        "Too many writes were waiting, or the server was about to stop.",
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
        "The request line, one header or all of them together are longer than the server takes.",
        "Shorten the URI or the headers.",
    ),
    "LDP040": Code(
        "deleted for good",
        "The resource was deleted, and this server does not use a name again.",
        "Use another name; without the profile conformance, names can be used again.",
    ),
    "LDP041": Code(
        "precondition required",
        "A PUT would replace what is there without saying which state it knows.",
        "GET the resource and send its entity tag in If-Match; If-None-Match: * creates only.",
    ),
    "LDP042": Code(
        "read-only property",
        "The body sets or changes a property that clients may not change on this server.",
        "Send the values that a GET shows; the constrainedBy Link of the answer lists the properties.",
    ),
    "LDP043": Code(
        "page of another site",
        "A page of a foreign site tried to change a resource through a browser.",
        "If the site may do that, name its origin in Settings.cors_origins or with --allow-origin.",
    ),
    "LDP050": Code(
        "resource of the other kind",
        "A PUT would make RDF of what is not, or the other way round; containers and descriptions are RDF.",
        "Delete the resource first, or use another name.",
    ),
    "LDP051": Code(
        "range not satisfiable",
        "The Range header asks for bytes behind the end of the content.",
        "Content-Range in the answer tells how many bytes there are.",
    ),
    "LDP060": Code(
        "unusable question about changes",
        "The query of the request is not ?since=NUMBER, ?since=NUMBER&bodies or a list of topics.",
        "Follow the Link headers of the container, or the as:next of an earlier answer.",
    ),
    "LDP061": Code(
        "history gone",
        "The server does not know any more what changed since this number, or it never gave the number out.",
        "GET the container anew and go on with the number in its Link header.",
    ),
    "LDP062": Code(
        "view too large",
        "The members of the container are too large for one answer.",
        "GET the members one by one, and ask with ?since= what changed.",
    ),
    "LDP063": Code(
        "too many streams",
        "This address has as many streams of events open as the server allows.",
        "Watch several topics with one stream, or a container that holds them all.",
    ),
    "LDP070": Code(
        "malformed patch",
        "The patch does not follow the grammar of its language, Notation3 or SPARQL Update.",
        "The answer tells the line; variables begin with a question mark, DATA has none.",
    ),
    "LDP071": Code(
        "patch of another form",
        "A text/n3 patch is one solid:InsertDeletePatch; a SPARQL update is about one document and nothing else.",
        "Name each of where, deletes and inserts once at most, bind each variable in where; leave out LOAD, GRAPH and the like.",
    ),
    "LDP072": Code(
        "patch does not fit",
        "What the patch looks for is not in the document, or more than once, or a triple to delete is not there.",
        "GET the document and decide again: somebody else may have changed it.",
    ),
    "LDP073": Code(
        "patch too complex",
        "Finding what the patch is about takes too much work, or too long.",
        "Use fewer variables or more constants in where, or do it in several patches.",
    ),
    "LDP074": Code(
        "resource changes too fast",
        "Other writes came between each time the patch was worked out.",
        "Try again, or send a patch that takes less work.",
    ),
    "LDP080": Code(
        "token needed",
        "The server answers only those who hold a token, and the request has none that it knows.",
        "Put it into the agent's file of credentials, under the origin of this server; the operator makes one with --new-token.",
    ),
    "LDP081": Code(
        "unusable tokens",
        "The file of --tokens is missing, empty or malformed, or a name in it is none.",
        "Make a token with milepost serve --tokens FILE --new-token NAME.",
    ),
    "LDP030": Code(
        "data folder in use",
        "Another server, perhaps one that still runs, uses the same data folder.",
        "Stop it, or give this one another folder with --data.",
    ),
    "LDP031": Code(
        "not a data folder of this server",
        "The data file is damaged, was made by another program or by a newer version, or the system does not let the server write to it.",
        "Restore a copy, make room or give rights as the message says, or choose another folder with --data.",
    ),
    "LDP032": Code(
        "data of another base URL",
        "The stored IRIs begin with another base URL, so the data would speak about resources elsewhere.",
        "Start the server with the port and --base-url it had, or choose another folder.",
    ),
    "LDP033": Code(
        "open to the network",
        "The server would be reachable from other machines without asking who they are.",
        "Give its users tokens with --tokens, listen on 127.0.0.1, or open it with --insecure.",
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
}
