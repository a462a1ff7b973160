"""Codes ASMnnn: programs, the step, requests."""

from agent.codes.row import Code

CODES: dict[str, Code] = {
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
        "The rules of a step took more rounds, triples, terms or bindings than allowed; what was finished before is whole.",
        "Look at the rule in the message: one that makes new terms from its own conclusions never ends, and patterns "
        "that share no variable are combined each with each.",
    ),
    "ASM021": Code(
        "cycle through negation",
        "A rule tests the absence of something that depends on what the rule itself concludes.",
        "Conclude with another predicate, or test one that these rules do not derive.",
    ),
    "ASM022": Code(
        "scope without a meaning",
        "A predicate that looks into a scope (log:includes, log:notIncludes, log:collectAllIn, log:forAllIn) is written in "
        "a form that means nothing, or nested too deep.",
        "Write { ... } for what is looked for in memory: [] log:notIncludes { ... }, (?x { ... } ?list) log:collectAllIn [], "
        "({ ... } { ... }) log:forAllIn [].",
    ),
    "ASM023": Code(
        "retrieval by negation",
        "A rule that looks at memory as a whole (log:notIncludes, log:collectAllIn, log:forAllIn) asks for a GET, but what is "
        "absent is known only when everything was read.",
        "Retrieve by positive patterns alone; negate in derivation rules or requests that are not GET.",
    ),
    "ASM024": Code(
        "lists that wait for each other",
        "A rule collects two lists with log:collectAllIn, and each needs a value that only the other one gives.",
        "Bind the value by a pattern of the body, or collect the lists in two rules.",
    ),
    "ASM025": Code(
        "document that is not looked into",
        "A rule looks into a document by log:semantics or log:content, but milepost reason opens only what is named on "
        "its command line.",
        "Name the document with -i or -p too, or let milepost run carry out the program.",
    ),
    "ASM030": Code(
        "question that no rule can answer",
        "A rule asks backward rules for something of which too little is known: none of them can start from that.",
        "Bind more by patterns of the rule that asks, or let the body of the backward rule bind it.",
    ),
    "ASM031": Code(
        "inconsistency",
        "The body of a rule  { ... } => false  holds: what is known contradicts the rule.",
        "Look at the values in the message: correct the data, or the rule.",
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
}
