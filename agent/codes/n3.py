"""Codes N3nnn: the rule language and RDF syntax."""

from agent.codes.row import Code

CODES: dict[str, Code] = {
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
    "N3030": Code(
        "nothing to explain",
        "A proof was asked for, and nothing that is known has the form that was named.",
        "Put variables in place of names, or look at the result without --about.",
    ),
    "N3035": Code(
        "text is no number",
        "A builtin on numbers did not hold for a value because of a text that is no number to it. Comparisons read any "
        "literal that spells a number; arithmetic wants a numeric datatype.",
        "Correct the data or give it a numeric datatype; with --numeric cwm plain strings that spell numbers compute too.",
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
}
