"""What people have reported about reasoners for Notation3, tried on the command line and the public functions."""

from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest

import agent
from tests.support.command_line import Done, milepost

PREFIXES = """\
@prefix : <http://e.example/#> .
@prefix log: <http://www.w3.org/2000/10/swap/log#> .
@prefix math: <http://www.w3.org/2000/10/swap/math#> .
"""
HERE = "http://e.example/#"
Command = Callable[..., Done]


@pytest.fixture
def milepost_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    """Return a function that writes texts to files by their names and runs ``milepost`` there."""
    monkeypatch.chdir(tmp_path)

    def run(command: str, **texts: str) -> Done:
        for name, text in texts.items():
            path = tmp_path / name.replace("_", ".")
            path.write_text(text if text.startswith("@") else PREFIXES + text, encoding="utf-8")
        return milepost(capsys, *command.split())

    return run


@pytest.fixture
def derived(milepost_in: Command) -> Callable[[str], list[str]]:
    """Return a function that runs rules and returns what is new, a line each, names of ``:`` in short."""

    def run(rules: str) -> list[str]:
        done = milepost_in("reason -p rules.n3 --pass-only-new", rules_n3=rules)
        assert (done.code, " error " in done.err) == (0, False)
        return [line.replace(f"<{HERE}", ":").replace(">", "") for line in done.out.splitlines()]

    return run


Derived = Callable[[str], list[str]]


def test_blank_nodes_of_two_files_are_not_taken_for_the_same(milepost_in: Command) -> None:
    done = milepost_in(
        "reason -p rules.n3 -i one.ttl two.ttl --pass-only-new",
        rules_n3="{ ?x :name ?n ; :age ?a } => { ?n :has ?a } . { ?x :name ?n } => { :it :named ?n } .",
        one_ttl="_:x :name 'A' . [] :name 'B' .",
        two_ttl="_:x :age 5 . [] :age 6 .",
    )
    assert (done.code, done.err) == (0, "")
    assert done.out == f'<{HERE}it> <{HERE}named> "A" .\n<{HERE}it> <{HERE}named> "B" .\n'


def test_blank_nodes_of_two_texts_are_not_taken_for_the_same() -> None:
    one, two = agent.parse("_:x <u:p> 1 ; <u:l> (2) ."), agent.parse("_:x <u:q> 3 ; <u:l> (4) .")
    assert {len({triple.subject for triple in text.facts}) for text in (one, two)} == {2}
    assert len({triple.subject for triple in (one + two).facts}) == 4


def test_rules_of_two_texts_invent_nodes_of_their_own() -> None:
    texts = [f"{{ ?x <u:a> ?y }} => {{ ?x <u:{name}> _:n }} ." for name in "bc"]
    program = agent.parse(texts[0]) + agent.parse(texts[1]) + agent.parse("<u:x> <u:a> <u:y> .")
    graph = agent.reason(program)
    assert len(graph) == 3
    assert len(set(graph.objects())) == 3


def test_a_blank_node_inside_a_list_or_brackets_is_the_one_outside(derived: Derived) -> None:
    facts = "_:a :p 1 . :x :l (_:a) . :y :q [ :r _:a ] . :x :says { _:a :p 1 } . "
    rules = (
        "{ ?a :p 1 . :x :l (?a) . :y :q [ :r ?a ] } => { :all :mean :one } ."
        "{ ?a :p 1 . :x :says { ?a :p 1 } } => { :braces :mean :it } ."
    )
    assert derived(facts + rules) == [":all :mean :one ."]


def test_empty_braces_are_a_formula_wherever_they_stand(derived: Derived) -> None:
    rules = (
        "{} => { :a :b 1 } . () :p {} . {} :q () . :x :y {} . :a :b 0 ."
        "{ () :p {} . {} :q () } => { :a :b 2 } . { :x :y {} } => { :a :b 3 } . { :a :b 0 } => {} ."
    )
    integer = '"^^<http://www.w3.org/2001/XMLSchema#integer'
    assert derived(rules) == [f':a :b "{n}{integer} .' for n in (1, 2, 3)]


def test_a_predicate_may_be_a_blank_node_or_the_end_of_a_path(derived: Derived) -> None:
    rules = (
        ":a [ a :P ] :b . :c :d!:e :f . :d :e :g ."
        "{ ?s ?p ?o . ?p a :P } => { ?s :linked ?o } . { ?s :d!:e ?o } => { ?s :walked ?o } ."
    )
    assert derived(rules) == [":a :linked :b .", ":c :walked :f ."]


def test_a_base_without_a_slash_is_a_base(milepost_in: Command) -> None:
    done = milepost_in(
        "parse inside.n3 -o inside.nt", inside_n3="@base <http://example.com> . <a> <#b> <?c> ."
    )
    assert (done.code, done.err) == (0, "")
    written = Path("inside.nt").read_text(encoding="utf-8")
    assert written == "<http://example.com/a> <http://example.com#b> <http://example.com?c> .\n"


def test_the_base_that_is_asked_for_wins_over_the_place_of_the_file(milepost_in: Command) -> None:
    done = milepost_in(
        "parse one.n3 --base http://example.com/x/y -o one.nt", one_n3="@prefix : <#> . :a <../b> <> ."
    )
    assert (done.code, done.err) == (0, "")
    written = Path("one.nt").read_text(encoding="utf-8")
    assert written == "<http://example.com/x/y#a> <http://example.com/b> <http://example.com/x/y> .\n"


NUMBERS_AS_TEXT = (
    ":a :v '42' . { ?x :v ?v . ?v math:greaterThan 41 } => { ?x :is :greater } ."
    "{ ?x :v ?v . (?v 1) math:sum 43 } => { ?x :is :one-less } ."
)


def test_a_text_that_spells_a_number_is_compared_as_one_and_is_never_skipped_without_a_word(
    milepost_in: Command,
) -> None:
    done = milepost_in("reason -p rules.n3 --pass-only-new", rules_n3=NUMBERS_AS_TEXT)
    assert (done.code, done.out) == (0, f"<{HERE}a> <{HERE}is> <{HERE}greater> .\n")
    assert 'math:sum  warning N3035  did not hold because "42" is no number to it' in done.err


def test_a_text_that_spells_a_number_counts_as_one_where_that_is_asked_for(milepost_in: Command) -> None:
    done = milepost_in("reason -p rules.n3 --pass-only-new --numeric cwm", rules_n3=NUMBERS_AS_TEXT)
    expected = f"<{HERE}a> <{HERE}is> <{HERE}greater> .\n<{HERE}a> <{HERE}is> <{HERE}one-less> .\n"
    assert (done.code, done.err, done.out) == (0, "", expected)


def test_a_variable_that_only_the_head_has_is_refused_with_its_place(milepost_in: Command) -> None:
    done = milepost_in(
        "reason -p rules.n3", rules_n3="@prefix : <u:> .\n:a :b :c .\n{ ?x :b ?y } => { ?x :q ?z } ."
    )
    assert (done.code, done.out) == (1, "")
    assert "rules.n3:3:25  error ASM001  unexpected ?z in the head: the body does not bind it" in done.err


def test_a_blank_node_that_only_the_head_has_is_a_new_node_for_each_match(derived: Derived) -> None:
    found = derived(":a :b :c, :d . { ?x :b ?y } => { ?x :q _:n . _:n :r ?y } .")
    assert [line.split()[1:] for line in found] == [
        [":q", "_:b0", "."],
        [":q", "_:b1", "."],
        [":r", ":c", "."],
        [":r", ":d", "."],
    ]


def test_a_made_name_is_the_same_in_every_conclusion_that_makes_it(derived: Derived) -> None:
    key = "(?x :key) log:skolem ?k ."
    rules = (
        f":a a :Door . {{ ?x a :Door . {key} }} => {{ ?x :opens ?k . ?k :of ?x }} ."
        f"{{ ?k :of ?x . {key} }} => {{ ?k :of ?x ; :fits ?x }} ."
        f"{{ ?x :opens ?old . {key} }} => {{ ?x :opens ?k }} ."
    )
    first, second = derived(rules), derived(rules)
    assert first == second
    assert [[word for word in line.split() if "genid" not in word] for line in first] == [
        [":a", ":opens", "."],
        [":fits", ":a", "."],
        [":of", ":a", "."],
    ]


def test_the_order_of_rules_with_invented_nodes_and_inequality_does_not_matter(derived: Derived) -> None:
    statements = [
        ":a a :C .",
        "{ ?x a :C } => { ?x :k [ :n 1 ] } .",
        "{ ?x a :C } => { ?x :k [ :n 2 ] } .",
        "{ ?x :k ?y, ?z . ?y log:notEqualTo ?z } => { ?y :differs ?z } .",
    ]
    found = {
        tuple(sorted(line.split()[1] for line in derived("\n".join(order))))
        for order in permutations(statements)
    }
    assert found == {(":differs", ":differs", ":k", ":k", ":n", ":n")}


def test_nodes_of_paths_are_somebody_and_not_everybody_in_the_braces_they_stand_in(derived: Derived) -> None:
    facts = ":x :said { :a :father _:f . _:f :name 'Bob' } . :y :said { :a :father :b . :c :name 'Bob' } . "
    rules = (
        "{ ?p :said ?f . ?f log:includes { :a!:father :name ?n } } => { ?p :named ?n } ."
        "{ ?p :said { :a!:father :name 'Bob' } } => { ?p :knows :bob } ."
    )
    assert derived(facts + rules) == [":x :knows :bob .", ':x :named "Bob" .']


def test_nodes_of_paths_in_a_rule_inside_a_rule_belong_to_the_inner_one(milepost_in: Command) -> None:
    rules = "{ :a :p :b } => { { ?y!:father :name ?n } => { ?y :is ?n } } . :a :p :b ."
    done = milepost_in("reason -p rules.n3 --pass-only-new", rules_n3=rules)
    assert (done.code, "a rule that a rule derives is data and never runs" in done.err) == (0, True)
    assert done.out.splitlines()[-1] == "{ ?y :father _:n0 . _:n0 :name ?n } => { ?y :is ?n } ."


def test_formulas_that_several_rules_build_are_built_once(milepost_in: Command) -> None:
    rules = "".join(
        f"{{ ?x :is ?y }} => {{ :r{rule} :says {{ ?x :was ?y . ?y :is ?x . ?x :seen _:n }} }} .\n"
        for rule in range(4)
    )
    facts = "".join(f":a{n} :is :b{n} .\n" for n in range(300))
    done = milepost_in(
        "reason -p rules.n3 -i facts.n3 --pass-only-new --max-terms 1000 --max-bindings 2000",
        rules_n3=rules,
        facts_n3=facts,
    )
    assert (done.code, done.err) == (0, "")
    assert done.out.count("{") == 1200


def test_rules_run_until_nothing_new_comes_and_invented_nodes_come_once(derived: Derived) -> None:
    chain = "".join(f":n{n} :next :n{n + 1} . " for n in range(30))
    rules = "{ ?x :next ?y . ?y :next ?z } => { ?x :next ?z } . { ?x :next ?y } => { ?x :has [ a :Thing ] } ."
    found = derived(chain + rules)
    assert len([line for line in found if " :next " in line]) == 30 * 31 / 2 - 30
    assert len([line for line in found if " :has " in line]) == 30


def test_a_rule_that_feeds_itself_ends_with_its_name_instead_of_an_answer(milepost_in: Command) -> None:
    done = milepost_in(
        "reason -p rules.n3 --max-facts 200", rules_n3=":a a :P . \n{ ?x a :P } => { ?x :parent [ a :P ] } ."
    )
    assert (done.code, done.out) == (5, "")
    assert "more than 200 facts in one step, the last of them by rule rules.n3:5" in done.err


@pytest.mark.parametrize("limit", ["--max-facts 500", "--max-bindings 900", "--max-rounds 2"])
def test_too_much_input_ends_with_a_word_and_a_code_instead_of_an_empty_answer(
    limit: str, milepost_in: Command
) -> None:
    chain = "".join(f":n{n} :is :n{n + 1} .\n" for n in range(200))
    rules = "{ ?x :is ?y . ?y :is ?z } => { ?x :is ?z } ."
    done = milepost_in(f"reason -p rules.n3 -i chain.n3 -o out.nt {limit}", rules_n3=rules, chain_n3=chain)
    assert (done.code, done.out, Path("out.nt").exists()) == (5, "", False)
    assert "error ASM020  more than" in done.err
    assert "rule rules.n3:4" in done.err


def test_false_as_a_head_says_what_must_never_be(milepost_in: Command) -> None:
    done = milepost_in(
        "reason -p rules.n3", rules_n3=":a :b :c .\n{ ?x :b ?y } => false .\n{ ?x :none ?y } => false ."
    )
    assert done.code == 1
    assert "rules.n3:5:1  error ASM031" in done.err
    assert "?x = :a" in done.err
    assert "rules.n3:6" not in done.err


def test_false_zero_and_the_empty_text_are_terms_like_others(derived: Derived) -> None:
    rules = (
        ":a :b false . :b :c 0 . :c :d '' ."
        "{ :a :b ?x . :b :c ?y . :c :d ?z } => { :it :has ?x, ?y, ?z } . { :a :b false } => { :it :is false } ."
    )
    found = [line.split()[1:3] for line in derived(rules)]
    xsd = "^^<http://www.w3.org/2001/XMLSchema#"
    assert found == [
        [":has", '""'],
        [":has", f'"0"{xsd}integer'],
        [":has", f'"false"{xsd}boolean'],
        [":is", f'"false"{xsd}boolean'],
    ]


def test_a_blank_node_takes_the_result_of_a_builtin(derived: Derived) -> None:
    rules = (
        ":a :v 1 . :b :v 2 ."
        "{ ?x :v ?v . (?v 1) math:sum _:s . _:s math:greaterThan 2 } => { ?x :is :great } ."
        "{ ?x :v ?v . (?v 1) math:sum [] } => { ?x :is :number } ."
    )
    assert derived(rules) == [":a :is :number .", ":b :is :great .", ":b :is :number ."]


def test_a_blank_node_of_a_head_is_not_the_one_of_the_body(derived: Derived) -> None:
    found = derived(":a :p :b . { ?x :p _:n } => { ?x :q _:n . _:n :r ?x } .")
    assert found == [":a :q _:b0 .", "_:b0 :r :a ."]
