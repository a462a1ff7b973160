"""Codes USEnnn: the command line and calls."""

from agent.codes.row import Code

CODES: dict[str, Code] = {
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
    "USE006": Code(
        "form that cannot say it",
        "The result holds something that the wanted form has no place for: a rule, a formula, a variable, a literal subject.",
        "Ask for Notation3, which can say everything.",
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
    "USE013": Code(
        "no library for plots",
        "--plot draws with matplotlib, which is not installed.",
        "Run pip install 'milepost[experiments]', or leave --plot out.",
    ),
    "USE014": Code(
        "no such event loop",
        "--loop names an event loop whose package is not installed.",
        "Run pip install 'milepost[fast]', or leave --loop out.",
    ),
}
