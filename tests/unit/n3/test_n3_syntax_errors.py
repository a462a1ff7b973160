import pytest

from agent.errors import MAX_LINES
from agent.n3.problems import MAX_ERRORS
from tests.support.n3 import syntax_error

DOCS = [
    (
        "a comma that was meant to be a dot",
        "{ ?room :hasProperty ?x ,\n  ?x :value ?v . } => { ?x :reads ?v } .",
        (
            "program.n3:2:6  error N3003  expected . or ; or ,, got :value\n"
            "    2 |   ?x :value ?v . } => { ?x :reads ?v } .\n"
            "      |      ^^^^^^\n"
            "  the , at the end of line 1 makes ?x one more object;\n"
            "  if a new statement begins there, write . for it"
        ),
    ),
    (
        "a missing dot",
        ":a :b :c\n:d :e :f .",
        (
            "program.n3:2:1  error N3003  expected . or ; or ,, got :d\n"
            "    2 | :d :e :f .\n"
            "      | ^^\n"
            "  put a . at the end of line 1"
        ),
    ),
    (
        "a missing dot at the end",
        "# x\n:a :b :c  # the end\n",
        (
            "program.n3:2:7  error N3003  expected . or ; or ,, got the end of the file\n"
            "    2 | :a :b :c  # the end\n"
            "      |       ^^\n"
            "  put a . at the end of line 2"
        ),
    ),
    (
        "a brace that was never closed",
        "{ ?x a :T .\n  ?x :p ?y .\n=> { ?x a :S } .",
        (
            "program.n3:3:1  error N3004  expected } to close the {, got =>\n"
            "    3 | => { ?x a :S } .\n"
            "      | ^^\n"
            "  the { opened at program.n3:1:1 is still open"
        ),
    ),
    (
        "brackets open at the end of the file",
        ":a :b (1\n  [ :p {",
        (
            "program.n3:2:8  error N3004  expected } to close the {, got the end of the file\n"
            "    2 |   [ :p {\n"
            "      |        ^\n"
            "  the { opened at program.n3:2:8 is still open\n"
            "  the [ opened at program.n3:2:3 is still open\n"
            "  the ( opened at program.n3:1:7 is still open"
        ),
    ),
    (
        "a bracket of the wrong kind",
        ":a :b (1 2] .",
        (
            "program.n3:1:11  error N3004  expected ) to close the (, got ]\n"
            "    1 | :a :b (1 2] .\n"
            "      |           ^\n"
            "  the ( opened at program.n3:1:7 is still open"
        ),
    ),
    (
        "a bracket too many",
        ":a :b :c } .",
        (
            "program.n3:1:10  error N3001  expected . or ; or ,, got }\n"
            "    1 | :a :b :c } .\n"
            "      |          ^\n"
            "  no { is open here"
        ),
    ),
    (
        "a dot for a semicolon",
        ":a :b :c .\n  :d :e ;\n  :f :g .",
        (
            "program.n3:2:9  error N3001  expected an object, got ;\n"
            "    2 |   :d :e ;\n"
            "      |         ^\n"
            "  the predicate before it has no object: is a . further left meant to be a ; ?"
        ),
    ),
    (
        "a word that is no name",
        "lamp :b :c .",
        (
            "program.n3:1:1  error N3001  expected a subject, got lamp\n"
            "    1 | lamp :b :c .\n"
            "      | ^^^^\n"
            "  a name has a colon: :lamp or a prefix before it; a text stands in quotes"
        ),
    ),
    (
        "a boolean in capitals",
        ":a :b True .",
        (
            "program.n3:1:7  error N3001  expected an object, got True\n"
            "    1 | :a :b True .\n"
            "      |       ^^^^\n"
            "  did you mean true?"
        ),
    ),
    (
        "a keyword at the wrong place",
        ":a :b a .",
        (
            "program.n3:1:7  error N3001  expected an object, got a\n"
            "    1 | :a :b a .\n"
            "      |       ^\n"
            "  a is a keyword and no term"
        ),
    ),
    (
        "a bare formula that swallows the next statement",
        "{ :a :b :c }\n:d :e :f .",
        (
            "program.n3:2:7  error N3003  expected . or ; or ,, got :f\n"
            "    2 | :d :e :f .\n"
            "      |       ^^\n"
            "  if the formula before it stands alone, put a . behind its }"
        ),
    ),
    (
        "a character that begins nothing",
        ":a :b ~ .",
        "program.n3:1:7  error N3001  unexpected ~\n    1 | :a :b ~ .\n      |       ^",
    ),
    (
        "a control character",
        ":a :b \x00 .",
        "program.n3:1:7  error N3001  unexpected character U+0000\n    1 | :a :b \ufffd .\n      |       ^",
    ),
    (
        "a space that is none",
        ":a :b\u00a0:c .",
        (
            "program.n3:1:6  error N3001  unexpected character U+00A0\n"
            "    1 | :a :b\u00a0:c .\n"
            "      |      ^\n"
            "  it looks like a space: write a plain one"
        ),
    ),
    (
        "quotes of a word processor",
        ":a :b “c” .",
        (
            "program.n3:1:7  error N3001  unexpected “\n"
            "    1 | :a :b “c” .\n"
            "      |       ^\n"
            "  a string stands between straight quotes: \" or '"
        ),
    ),
    (
        "a dot too many",
        ":a :b :c .. :d :e :f .",
        (
            "program.n3:1:11  error N3001  expected a subject, got .\n"
            "    1 | :a :b :c .. :d :e :f .\n"
            "      |           ^\n"
            "  no statement has begun: delete this dot"
        ),
    ),
    (
        "tabs and lines that end in CR LF",
        "\r\n\t\t:a\t:b\t:c\t:d\t.\r\n",
        (
            "program.n3:2:12  error N3001  expected . or ; or ,, got :d\n"
            "    2 |   :a :b :c :d .\n"
            "      |            ^^\n"
            "  a . ends a statement, a ; goes on with its subject, a , with its subject and predicate"
        ),
    ),
    (
        "a question mark without a name",
        ":a :b ? .",
        (
            "program.n3:1:7  error N3001  unexpected ?\n"
            "    1 | :a :b ? .\n"
            "      |       ^\n"
            "  a variable has a name right after its question mark"
        ),
    ),
]


@pytest.mark.parametrize(("text", "shown"), [pytest.param(*case[1:], id=case[0]) for case in DOCS])
def test_a_syntax_error_says_what_came_where_and_what_was_probably_meant(text: str, shown: str) -> None:
    assert str(syntax_error(text)).rstrip("\n") == shown


def test_the_faults_of_a_text_are_reported_together_in_their_order() -> None:
    error = syntax_error(
        ":a :b :c\n"
        ":d :e :f .\n"
        ":good :good :good .\n"
        ":a :b <c d> .\n"
        "{ :a :b :c . :d }\n"
        '=> { :a ux:b "\\q" } .\n'
        "@prefix p: x .\n"
        ":a p:b :c .\n"
    )
    assert [(each.code, str(each.place)) for each in (error, *error.others)] == [
        ("N3003", "program.n3:2:1"),
        ("N3006", "program.n3:4:7"),
        ("N3002", "program.n3:6:9"),
        ("N3005", "program.n3:6:15"),
        ("N3001", "program.n3:7:12"),
        ("N3002", "program.n3:8:4"),
    ]


def test_a_fault_inside_a_rule_does_not_make_its_closing_brackets_faults_too() -> None:
    error = syntax_error("{ ?x :a , .\n ?x :b ?y . } => { ?x :c ?y } .\n:a :b :c :d .")
    assert [(each.code, str(each.place)) for each in (error, *error.others)] == [
        ("N3001", "program.n3:1:9"),
        ("N3001", "program.n3:3:10"),
    ]


def test_no_more_than_twenty_faults_are_kept() -> None:
    error = syntax_error(":a :b .\n" * 50)
    assert len(error.others) == MAX_ERRORS - 1
    assert error.others[-1].place is not None
    assert error.others[-1].place.line == MAX_ERRORS


def test_a_message_stays_short_whatever_the_text_is() -> None:
    texts = [
        ":a :b " + "x" * 5000,
        "{" * 500,
        ":a :b " + '"' + "y" * 5000,
        "p" * 3000 + ":a :b :c .",
        "\n" * 90 + "[" * 90,
    ]
    errors = [str(syntax_error(text)) for text in texts]
    assert max(len(error.splitlines()) for error in errors) <= MAX_LINES
    assert max(len(line) for error in errors for line in error.splitlines()) <= 140
