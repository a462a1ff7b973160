"""The conformance runner on manifests of our own, and on the W3C suite where N3_TESTS names its folder."""

import os
import re
from pathlib import Path

import pyoxigraph
import pytest

from tests.conformance.n3.__main__ import main
from tests.conformance.n3.expected import EXPECTED, read_rows
from tests.conformance.n3.manifests import SUITE_BASE
from tests.conformance.n3.page import PAGE, with_figures

HERE = Path(__file__).parent
PREFIXES = """@prefix mf: <http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#> .
@prefix test: <https://w3c.github.io/N3/tests/test.n3#> .
@prefix rdft: <http://www.w3.org/ns/rdftest#> .
@prefix : <#> .
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Return a folder with one test of each kind, one of them rejected."""
    folder = tmp_path / "suite"
    (folder / "files").mkdir(parents=True)
    for name, text in {
        "good.n3": "@prefix : <#> . :a :b ( 1 { :c :d ?x } ) .",
        "bad.n3": ":a :b",
        "graph.n3": "@prefix : <#> . :a :b [ :c 1.0 ] .",
        "graph.nt": f"<{SUITE_BASE}files/graph.n3#a> <{SUITE_BASE}files/graph.n3#b> _:x .\n"
        f'_:x <{SUITE_BASE}files/graph.n3#c> "1.0"^^<http://www.w3.org/2001/XMLSchema#decimal> .\n',
        "sum.n3": "@prefix : <#> . @prefix math: <http://www.w3.org/2000/10/swap/math#> .\n"
        '{ ("2" 3) math:sum ?x } => { :two :andThree ?x } .',
        "sum-ref.n3": "@prefix : <sum.n3#> . :two :andThree 5.0 .",
    }.items():
        (folder / "files" / name).write_text(text, encoding="utf-8")
    (folder / "manifest.ttl").write_text(
        PREFIXES + ":good a test:TestN3PositiveSyntax ; mf:action <files/good.n3> .\n"
        ":bad a test:TestN3NegativeSyntax ; mf:action <files/bad.n3> .\n"
        ":graph a test:TestN3Eval ; mf:action <files/graph.n3> ; mf:result <files/graph.nt> .\n"
        ":sum a test:TestN3Reason ; mf:action <files/sum.n3> ; mf:result <files/sum-ref.n3> ;\n"
        "  test:options [ test:rules true ; test:conclusions true ] .\n"
        ":rejected a test:TestN3PositiveSyntax ; mf:action <files/bad.n3> ; rdft:approval rdft:Rejected .\n",
        encoding="utf-8",
    )
    return folder


def _run(folder: Path, *options: str) -> int:
    return main([str(folder), f"--expected={folder / 'expected.tsv'}", *options])


def test_our_own_manifests_give_the_verdicts_that_are_committed(capsys: pytest.CaptureFixture[str]) -> None:
    expected = HERE / "expected-own.tsv"

    code = main([str(HERE), "--base=http://example.org/tests/", f"--expected={expected}"])

    assert code == 0, capsys.readouterr().out
    failed = [key for key, row in read_rows(expected).items() if row.verdict == "fail"]
    assert failed == [("manifest-reasoning.ttl#sums", "cwm")]


def test_each_kind_of_test_is_judged_and_rejected_ones_are_left_out(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(suite, "--renew") == 0

    assert (suite / "expected.tsv").read_text(encoding="utf-8").splitlines() == [
        "test\tnumeric\tverdict\treason",
        "manifest.ttl#bad\t-\tpass\t",
        "manifest.ttl#good\t-\tpass\t",
        "manifest.ttl#graph\t-\tpass\t",
        "manifest.ttl#sum\tcwm\tpass\t",
        "manifest.ttl#sum\tstrict\tfail\tmissing",
    ]
    assert capsys.readouterr().out.splitlines() == [
        "FAIL manifest.ttl#sum (strict): missing",
        '       missing  sum.n3#two sum.n3#andThree "5"^^number',
        "",
        "manifest                         kind             numeric passed    of  judged by our own parser",
        "manifest.ttl                     evaluation       -            1     1",
        "manifest.ttl                     negative syntax  -            1     1",
        "manifest.ttl                     positive syntax  -            1     1",
        "manifest.ttl                     reasoning        cwm          1     1  1",
        "manifest.ttl                     reasoning        strict       0     1  1",
        "",
        "parser: 3 of 3",
        "reasoner, numeric cwm: 1 of 1",
        "reasoner, numeric strict: 0 of 1",
    ]


def test_a_verdict_that_is_not_the_committed_one_is_a_difference(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _run(suite, "--renew")
    (suite / "files" / "good.n3").write_text(":a :b", encoding="utf-8")
    (suite / "files" / "sum-ref.n3").write_text("", encoding="utf-8")
    manifest = suite / "manifest.ttl"
    text = manifest.read_text(encoding="utf-8").replace(":graph a", ":picture a")
    manifest.write_text(text, encoding="utf-8")
    capsys.readouterr()

    assert _run(suite) == 1

    assert capsys.readouterr().out.splitlines()[-6:] == [
        "regression  manifest.ttl#good: expected pass, got fail refused: N3001",
        "not run     manifest.ttl#graph: expected pass",
        "unknown     manifest.ttl#picture: pass, and no verdict is committed",
        "regression  manifest.ttl#sum (cwm): expected pass, got fail extra",
        "improvement manifest.ttl#sum (strict): expected fail, got pass",
        "verdicts that are not the committed ones: 5",
    ]


def test_a_filter_and_a_mode_run_and_compare_only_what_they_name(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _run(suite, "--renew")
    capsys.readouterr()

    assert _run(suite, "--filter=sum", "--numeric=cwm") == 0

    assert capsys.readouterr().out.splitlines()[-3:] == [
        "",
        "reasoner, numeric cwm: 1 of 1",
        "verdicts that are not the committed ones: 0",
    ]


def test_a_test_that_does_not_end_is_stopped_and_the_others_run(suite: Path) -> None:
    (suite / "files" / "good.n3").unlink()
    os.mkfifo(suite / "files" / "good.n3")  # reading it waits for a writer for ever
    endless = "@prefix : <#> . " + "".join(f":a{n} :p :a{n + 1} . " for n in range(3000))
    text = endless + "{ ?x :p ?y . ?y :p ?z } => { ?x :p ?z } ."
    (suite / "files" / "sum.n3").write_text(text, encoding="utf-8")

    _run(suite, "--renew", "--numeric=strict", "--time-limit=0.5")

    rows = read_rows(suite / "expected.tsv")
    assert {key.test: row.reason for key, row in rows.items()} == {
        "manifest.ttl#bad": "",
        "manifest.ttl#good": "time limit",
        "manifest.ttl#graph": "",
        "manifest.ttl#sum": "time limit",
    }


def test_the_report_for_machines_is_rdf_with_one_assertion_for_each_verdict(
    suite: Path, tmp_path: Path
) -> None:
    _run(suite, "--renew", f"--earl={tmp_path / 'earl.ttl'}")

    found = pyoxigraph.Store()
    found.load(path=str(tmp_path / "earl.ttl"), format=pyoxigraph.RdfFormat.TURTLE)
    answers = found.query(
        "PREFIX earl: <http://www.w3.org/ns/earl#> SELECT ?test ?outcome WHERE "
        "{ ?a earl:test ?test ; earl:result [ earl:outcome ?outcome ] } ORDER BY ?test ?outcome"
    )
    assert isinstance(answers, pyoxigraph.QuerySolutions)
    shown = [(answer["test"].value, answer["outcome"].value.partition("#")[2]) for answer in answers]
    assert shown == [
        (f"{SUITE_BASE}manifest.ttl#bad", "passed"),
        (f"{SUITE_BASE}manifest.ttl#good", "passed"),
        (f"{SUITE_BASE}manifest.ttl#graph", "passed"),
        (f"{SUITE_BASE}manifest.ttl#sum", "failed"),
        (f"{SUITE_BASE}manifest.ttl#sum", "passed"),
    ]


def test_without_a_folder_the_runner_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([""]) == 2

    assert capsys.readouterr().err.endswith("  make conformance N3_TESTS=DIR\n")


def test_the_committed_verdicts_say_that_every_parser_test_passes() -> None:
    rows = {key: row for key, row in read_rows(EXPECTED).items() if key.numeric == "-"}

    assert len(rows) == 1378
    assert {row.verdict for row in rows.values()} == {"pass"}


def test_the_figures_of_the_reference_page_are_those_of_the_committed_verdicts() -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert with_figures(page, read_rows(EXPECTED)) == page
    assert "The parser passes 1,378 of 1,378 tests.\n" in page


def test_the_reference_page_names_every_test_that_fails_and_no_other() -> None:
    page = PAGE.read_text(encoding="utf-8")
    told = page.partition("## What fails, and why")[2].partition("\n## ")[0]

    failing = {
        key.test.partition("#")[2] for key, row in read_rows(EXPECTED).items() if row.verdict == "fail"
    }
    assert set(re.findall(r"`([a-z]+_\w+)`", told)) == failing


if "N3_TESTS" in os.environ:

    @pytest.mark.timeout(3600)
    def test_the_suite_of_the_community_group_gives_the_verdicts_that_are_committed(
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        code = main([os.environ["N3_TESTS"]])

        assert code == 0, capsys.readouterr().out[-4000:]
