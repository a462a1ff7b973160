"""What became of a folder is told file by file, then reason by reason."""

from agent.corpus.report import row, totals
from agent.corpus.verdict import Kind, Verdict

LOADED = Verdict(Kind.LOADED, "a.n3", message="2 facts")
REFUSED = Verdict(Kind.REFUSED, "b.n3:3:7", "N3002", "undeclared prefix ex:")


def test_a_line_says_how_it_ended_where_and_why() -> None:
    assert [
        row(verdict) for verdict in (LOADED, REFUSED, Verdict(Kind.TIME, "c.n3", message="longer than 1 s"))
    ] == [
        "loaded         a.n3  2 facts",
        "refused        b.n3:3:7  N3002  undeclared prefix ex:",
        "out of time    c.n3  longer than 1 s",
    ]


def test_names_and_messages_cannot_write_to_the_terminal() -> None:
    assert row(Verdict(Kind.REFUSED, "\x1b[2J\n.n3", "N3001", "one\ntwo \x07")) == (
        "refused        \N{REPLACEMENT CHARACTER}[2J .n3  N3001  one two \N{REPLACEMENT CHARACTER}"
    )


def test_totals_name_the_most_frequent_reasons_first_and_what_was_said_more_than_once() -> None:
    other = Verdict(Kind.REFUSED, "d.n3:1:1", "N3002", "undeclared prefix foaf:")
    dot = Verdict(Kind.REFUSED, "e.n3:1:1", "N3003", "expected a dot")

    assert totals([LOADED, dot, REFUSED, other, REFUSED]) == (
        "5 files: 1 loaded, 4 refused\n"
        "     3  N3002  undeclared prefix\n"
        "             2  undeclared prefix ex:\n"
        "     1  N3003  missing dot"
    )


def test_an_empty_folder_is_told() -> None:
    assert totals([]) == "0 files: nothing to load"
