"""``milepost reason``: rules and facts in, everything that follows out."""

from pathlib import Path

import pytest

from tests.support.command_line import milepost

PREFIX = "@prefix : <http://example.org/> .\n"
EVERYTHING = (
    "<http://example.org/a> <http://example.org/is> <http://example.org/b> .\n"
    "<http://example.org/a> <http://example.org/is> <http://example.org/c> .\n"
    "<http://example.org/b> <http://example.org/is> <http://example.org/c> .\n"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "transitive.n3").write_text(
        PREFIX + "{ ?x :is ?y . ?y :is ?z } => { ?x :is ?z } .\n", encoding="utf-8"
    )
    (tmp_path / "request.n3").write_text(
        "@prefix http: <http://www.w3.org/2011/http#> . @prefix m: <http://www.w3.org/2011/http-methods#> .\n"
        "{ [] http:mthd m:PUT ; http:requestURI <http://example.org/x> } .\n",
        encoding="utf-8",
    )
    (tmp_path / "one.ttl").write_text(PREFIX + ":a :is :b .\n", encoding="utf-8")
    (tmp_path / "two.nt").write_text(
        "<http://example.org/b> <http://example.org/is> <http://example.org/c> .\n", encoding="utf-8"
    )
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        "-p transitive.n3 -i one.ttl two.nt",
        "-p transitive.n3 -i one.ttl -i two.nt",
        "--input one.ttl two.nt --program trans*.n3",
    ],
)
def test_facts_and_what_follows_are_printed_sorted(
    arguments: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = milepost(capsys, "reason", *arguments.split())

    assert (done.code, done.err, done.out) == (0, "", EVERYTHING)


def test_the_result_goes_to_a_file_if_one_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys, "reason", *["-p", "transitive.n3", "-i", "one.ttl", "two.nt", "-o", "out.nt"])

    assert (done.code, done.out) == (0, "")
    assert (folder / "out.nt").read_text("utf-8") == EVERYTHING


def test_request_rules_are_left_out_and_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys, "reason", *["-p", "transitive.n3", "request.n3", "-i", "one.ttl", "two.nt"])

    assert (done.code, done.out) == (0, EVERYTHING)
    assert done.err == "1 request rule left out; milepost run carries it out\n"


def test_what_n_triples_cannot_say_is_printed_as_n3(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "said.n3").write_text(
        PREFIX + "{ ?x :is ?y } => { :i :say { ?x :is ?y } } .\n", encoding="utf-8"
    )

    done = milepost(capsys, "reason", *["-p", "said.n3", "-i", "one.ttl"])

    assert done.code == 0
    assert ":i :say { :a :is :b } .\n" in done.out


def test_numbers_compute_as_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "half.n3").write_text(
        PREFIX
        + "@prefix math: <http://www.w3.org/2000/10/swap/math#> .\n{ (7 2) math:quotient ?q } => { :half :is ?q } .\n",
        encoding="utf-8",
    )

    strict = milepost(capsys, "reason", "-p", "half.n3")
    wrong = milepost(capsys, "reason", "-p", "half.n3", "--numeric", "roman")

    assert '"3.5"^^<http://www.w3.org/2001/XMLSchema#decimal>' in strict.out
    assert (wrong.code, wrong.err.startswith("error USE001  Invalid value for '--numeric'")) == (2, True)


def test_rules_that_never_end_exceed_the_budget(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "endless.n3").write_text(
        PREFIX
        + "@prefix math: <http://www.w3.org/2000/10/swap/math#> .\n"
        + ":n :is 0 .\n{ :n :is ?x . (?x 1) math:sum ?y } => { :n :is ?y } .\n",
        encoding="utf-8",
    )

    done = milepost(capsys, "reason", "-p", "endless.n3")

    assert (done.code, done.out) == (5, "")
    assert done.err.startswith("error ASM020  ")
    assert "endless.n3:4" in done.err


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        ("-p bad.n3", 1, "bad.n3:2:4  error N3001"),
        ("-p none.n3", 2, "error USE002  none.n3 does not exist"),
        ("-p *.rules", 2, "error USE002  *.rules does not exist"),
        ("-p .", 2, "error USE002  . is a folder, not a file"),
        ("-p transitive.n3 -i bad.ttl", 1, "bad.ttl:2:"),
        (
            "-p http://127.0.0.1:1/x.n3",
            3,
            "error NET001  http://127.0.0.1:1/x.n3 cannot be read: connection refused",
        ),
        ("-p http://127.0.0.1:1/x#it", 2, "error USE001  http://127.0.0.1:1/x#it cannot be a program"),
        ("-i one.ttl", 2, "error USE001  Missing option '-p'"),
    ],
)
def test_faults_of_the_input_tell_whose_they_are(
    arguments: str, code: int, text: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.n3").write_text(PREFIX + ":a b :c .\n", encoding="utf-8")
    (folder / "bad.ttl").write_text(PREFIX + ":a b :c .\n", encoding="utf-8")

    done = milepost(capsys, "reason", *arguments.split())

    assert (done.code, done.out) == (code, "")
    assert done.err.startswith(text)


def test_a_text_that_is_no_number_is_told_on_the_other_stream(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "small.n3").write_text(
        PREFIX + "@prefix math: <http://www.w3.org/2000/10/swap/math#> .\n"
        '{ ?x :size ?n . ?n math:lessThan 5 } => { ?x :is :small } .\n:a :size "wide", 3 .\n',
        encoding="utf-8",
    )
    done = milepost(capsys, "reason", "-p", "small.n3", "--pass-only-new")

    assert (done.code, done.out) == (
        0,
        "<http://example.org/a> <http://example.org/is> <http://example.org/small> .\n",
    )
    assert done.err == 'math:lessThan  warning N3035  did not hold because "wide" is no number to it\n'


def test_lists_of_the_facts_stand_whole_in_what_the_rules_add(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "route.ttl").write_text(PREFIX + ":a :route (1 (2 3)) . :b :route (4) .\n", encoding="utf-8")
    (folder / "way.n3").write_text(PREFIX + "{ :a :route ?l } => { :a :way ?l } .\n", encoding="utf-8")
    done = milepost(
        capsys, "reason", "-p", "way.n3", "-i", "route.ttl", "--pass-only-new", "--format", "turtle"
    )

    assert done.out == PREFIX + ":a :way ( 1 ( 2 3 ) ) .\n"


def test_a_rule_that_is_derived_and_never_runs_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "derived.n3").write_text(
        PREFIX + "{ ?x :is :b } => { { ?x :is :c } => { ?x :is :d } } .\n", encoding="utf-8"
    )
    done = milepost(capsys, "reason", "-p", "derived.n3", "-i", "two.nt")

    assert (done.code, done.out) == (
        0,
        "<http://example.org/b> <http://example.org/is> <http://example.org/c> .\n",
    )
    assert done.err.splitlines()[0] == (
        "derived.n3:2:34  warning N3012  a rule that a rule derives is data and never runs"
    )


def test_an_inconsistency_is_told_beside_what_is_known_and_gives_exit_code_1(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "never.n3").write_text(PREFIX + "{ ?x :is ?y . ?y :is :c } => false .\n", encoding="utf-8")
    done = milepost(capsys, "reason", *["-p", "transitive.n3", "never.n3", "-i", "one.ttl", "two.nt"])
    assert (done.code, done.out) == (1, EVERYTHING)
    assert done.err.splitlines()[0] == (
        "never.n3:2:1  error ASM031  inconsistency: the body of rule never.n3:2 holds for ?x = :a, ?y = :b"
    )


def test_endless_questions_to_backward_rules_give_exit_code_5_and_name_the_rule(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "ever.n3").write_text(
        PREFIX + "@prefix math: <http://www.w3.org/2000/10/swap/math#> .\n"
        "{ ?n :up ?r } <= { (?n 1) math:sum ?m . ?m :up ?r } .\n{ 1 :up ?r } => { :a :is ?r } .\n",
        encoding="utf-8",
    )
    done = milepost(capsys, "reason", *["-p", "ever.n3", "--max-questions", "100"])
    assert (done.code, done.out) == (5, "")
    assert (
        "more than 100 questions to backward rules in one step, the last of them by rule ever.n3:3"
        in done.err
    )
