"""What ``milepost reason`` writes: forms, what is new alone, texts; and what it leaves behind when it fails."""

from pathlib import Path

import pytest

from tests.support.command_line import milepost

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
HEAD = "@prefix : <http://example.org/> .\n"
RULES = HEAD + (
    "{ ?x :knows ?y } => { ?y :knows ?x } .\n"
    "{ ?x :likes (?a ?b) } => { ?x :first ?a ; :both [ :one ?a ; :other ?b ] } .\n"
)
TURTLE = HEAD + (
    ":ann :both [ :one :bob ; :other 5 ] ;\n"
    "    :first :bob ;\n"
    "    :knows :bob ;\n"
    "    :likes ( :bob 5 ) .\n"
    ":bob :knows :ann .\n"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    files = {
        "rules.n3": RULES,
        "data.ttl": HEAD + ":ann :knows :bob ; :likes (:bob 5) .\n",
        "said.n3": HEAD + ":ann :says { ?x :knows :cleo } ; :likes (:bob 5) .\n",
        "more.jsonld": '{"@id": "http://example.org/dora", "http://example.org/knows": {"@id": "http://example.org/ann"}}',
        "more.rdf": f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:e="http://example.org/"><rdf:Description '
        'rdf:about="http://example.org/emil"><e:knows rdf:resource="http://example.org/ann"/></rdf:Description></rdf:RDF>',
        "endless.n3": HEAD
        + "@prefix math: <http://www.w3.org/2000/10/swap/math#> .\n"
        + "{ ?x :knows ?y } => { :n :is 0 } .\n{ :n :is ?x . (?x 1) math:sum ?y } => { :n :is ?y } .\n",
        "cross.n3": HEAD + "{ ?a :p ?b . ?c :p ?d . ?e :p ?f } => { ?a :q ?e } .\n",
        "many.nt": "".join(f"<urn:{n}> <http://example.org/p> <urn:o{n}> .\n" for n in range(40)),
        "strings.n3": HEAD
        + "@prefix log: <http://www.w3.org/2000/10/swap/log#> .\n"
        + '{ :ann :knows ?x } => { 10 log:outputString "ten\\n" . 9 log:outputString "nine\\n" . "b" log:outputString "b\\n" .\n'
        + ' :a log:outputString "a\\n" , :none } .\n',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("output", ["", "out.ttl", "out.txt"])
def test_turtle_stands_together_with_lists_and_nodes_in_brackets(
    output: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["-o", output] if output else []
    form = [] if output == "out.ttl" else ["--format", "turtle"]

    done = milepost(capsys, "reason", "-p", "rules.n3", "-i", "data.ttl", *where, *form)

    assert (done.code, done.err) == (0, "")
    assert ((folder / output).read_text("utf-8") if output else done.out) == TURTLE
    assert done.out == ("" if output else TURTLE)


def test_only_what_is_new_is_written_on_demand(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys, "reason", "--pass-only-new", "--format", "n3", "-p", "rules.n3", "-i", "data.ttl")

    assert done.out == HEAD + (
        ":ann :both [ :one :bob ; :other 5 ] ;\n    :first :bob .\n:bob :knows :ann .\n"
    )


def test_facts_come_in_every_syntax_formulas_and_lists_too(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = milepost(capsys, "reason", "-p", "rules.n3", "-i", "said.n3", "more.*")

    assert (done.code, done.err) == (0, "")
    assert done.out == HEAD + (
        ":ann :both [ :one :bob ; :other 5 ] ;\n"
        "    :first :bob ;\n"
        "    :knows :dora, :emil ;\n"
        "    :likes ( :bob 5 ) ;\n"
        "    :says { ?x :knows :cleo } .\n"
        ":dora :knows :ann .\n"
        ":emil :knows :ann .\n"
    )


def test_rules_among_the_facts_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys, "reason", "-p", "rules.n3", "-i", "rules.n3")

    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "rules.n3:2:1  error N3013  expected data, got a rule\n  Give the file with -p instead of -i.\n"
    )


@pytest.mark.parametrize(("form", "name"), [("nt", "N-Triples"), ("turtle", "Turtle")])
def test_a_form_that_cannot_say_it_is_an_error_not_a_part(
    form: str, name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = milepost(capsys, "reason", "-p", "rules.n3", "-i", "said.n3", "--format", form, "-o", "out")

    assert (done.code, done.out, (folder / "out").exists()) == (2, "", False)
    assert done.err.startswith(f"error USE006  {name} cannot say  <http://example.org/ann> ")
    assert "{ ?x <http://example.org/knows> <http://example.org/cleo> } ." in done.err


def test_texts_come_in_the_order_of_their_keys(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys, "reason", "--strings", "-p", "strings.n3", "-i", "data.ttl")

    assert (done.code, done.out, done.err) == (0, "nine\nten\na\nb\n", "")


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ("--max-rounds 50 -p endless.n3 -i data.ttl", "more than 50 rounds in one step"),
        ("--max-facts 60 -p endless.n3 -i data.ttl", "more than 60 facts in one step"),
        ("--max-terms 70 -p endless.n3 -i data.ttl", "more than 70 terms in one step"),
        ("--max-bindings 2000 -p cross.n3 -i many.nt", "more than 2000 bindings tried in one step"),
    ],
)
@pytest.mark.parametrize("explain", [[], ["--explain"]])
def test_a_limit_ends_it_with_the_rule_named_and_no_answer(
    arguments: str, what: str, explain: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "out.nt").write_text("as it was", encoding="utf-8")

    done = milepost(capsys, "reason", *arguments.split(), "-o", "out.nt", *explain)

    assert (done.code, done.out) == (5, "")
    assert done.err.startswith(f"error ASM020  {what}, the last of them by rule ")
    assert "endless.n3:" in done.err or "cross.n3:2" in done.err
    assert (folder / "out.nt").read_text("utf-8") == "as it was"


def test_a_file_keeps_its_permissions_and_links_stay_links(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "real.ttl").write_text("", encoding="utf-8")
    (folder / "real.ttl").chmod(0o640)
    (folder / "link.ttl").symlink_to("real.ttl")

    done = milepost(capsys, "reason", "-p", "rules.n3", "-i", "data.ttl", "-o", "link.ttl")

    assert (done.code, (folder / "link.ttl").is_symlink()) == (0, True)
    assert (folder / "real.ttl").read_text("utf-8") == TURTLE
    assert (folder / "real.ttl").stat().st_mode & 0o777 == 0o640
