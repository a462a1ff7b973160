"""Why a query is not true: its patterns in order, their counts, where it stops, and what nearly matched."""

from agent.errors import printable
from agent.n3.load import read_program
from agent.rdf.terms import IRI, Literal, Triple
from tests.support.why import DOCUMENT, asked, misses, table

ROOMS = ":a a :Room ; :heat 51 . :b a :Room ; :heat 22.5 . :c a :Room ; :heat 'warm' . :d a :Room ."


def test_patterns_are_counted_in_the_order_of_the_query_up_to_where_it_stops() -> None:
    told = asked("ASK { ?r a :Room ; :heat ?h . FILTER(?h > 60) ?r :floor 1 }", ROOMS)

    assert table(told.parts) == [
        ("?r a :Room", 4, False),
        ("?r :heat ?h", 3, False),
        ("FILTER(?h > 60)", 0, True),
        ("?r :floor 1", None, False),
    ]
    assert [part.before for part in told.parts] == [1, 4, 3, 0]


def test_a_comparison_lists_its_values_nearest_first_and_says_by_how_much_they_miss() -> None:
    told = asked("ASK { ?r a :Room ; :heat ?h . FILTER(?h > 60) }", ROOMS)

    assert misses(told.parts) == [
        ("a", "51", "too low by 9"),
        ("b", "22.5", "too low by 37.5"),
        ("c", '"warm"^^xsd:string', "can't be compared with a number (it is text)"),
    ]
    assert {one.document for one in told.parts[2].nearest} == {DOCUMENT}


def test_both_sides_of_comparisons_and_all_operators_are_told_apart() -> None:
    cases = {
        "45 < ?h": "too low by 22.5",
        "?h < 20": "too high by 2.5",
        "?h <= 20.5": "too high by 2",
        "?h = 20": "differs by 2.5",
        "?h != 22.5": "is the same",
        "?h > 22.5": "is just the limit; it has to be above",
        "?h + 1 > 40": "too low by 16.5",
        '?h = "x"': "can't be compared with text (it is number)",
        "?h > NOW()": "can't be compared with a time (it is number)",
    }

    told = {
        filter_: misses(asked(f"ASK {{ ?r :heat ?h FILTER({filter_}) }}", ":b :heat 22.5 .").parts)[0][2]
        for filter_ in cases
    }

    assert told == cases


def test_times_are_too_early_or_too_late_and_without_a_zone_not_comparable() -> None:
    turtle = """:a :at "2024-05-06T07:03:09Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> .
                :b :at "2024-05-06T07:03:09"^^<http://www.w3.org/2001/XMLSchema#dateTime> ."""

    told = asked("ASK { ?x :at ?t FILTER(?t > NOW()) }", turtle)

    assert told.parts[1].text == "FILTER(?t > NOW())"
    assert [(name, remark) for name, _, remark in misses(told.parts)] == [
        ("a", "too early by 5 min"),
        ("b", "has no time zone, so it can't be compared"),
    ]


def test_what_cannot_be_computed_or_has_no_value_is_said_so() -> None:
    computed = asked("ASK { ?r :heat ?h FILTER(?h * 2 > 60) }", ":c :heat 'warm' .")
    unbound = asked("ASK { ?r a :Room OPTIONAL { ?r :heat ?h } FILTER(?h > 60) }", ":d a :Room .")

    assert misses(computed.parts) == [("c", '"warm"', "?h * 2 can't be computed")]
    assert misses(unbound.parts)[0][2] == "?h has no value"


def test_conditions_joined_by_and_are_counted_one_by_one() -> None:
    told = asked("ASK { ?r :heat ?h FILTER(?h > 20 && ?h > 60) }", ":a :heat 51 . :b :heat 22.5 .")

    assert table(told.parts)[1:] == [("FILTER(?h > 20)", 2, False), ("FILTER(?h > 60)", 0, True)]


def test_a_filter_that_is_no_comparison_shows_the_values_that_it_refused() -> None:
    told = asked('ASK { ?r :name ?n FILTER(?n = "x" || CONTAINS(?n, "y")) }', ":a :name 'hall' .")

    assert misses(told.parts) == [("a", '?n = "hall"', "is refused")]


def test_a_filter_before_its_pattern_counts_after_it_for_it_is_about_the_whole_group() -> None:
    told = asked("ASK { FILTER(?h > 40) ?r :heat ?h }", ":a :heat 51 .")

    assert table(told.parts) == [("?r :heat ?h", 1, False), ("FILTER(?h > 40)", 1, False)]


def test_a_filter_does_not_count_before_its_pattern_because_minus_mentions_its_variable() -> None:
    told = asked("ASK { MINUS { ?r :floor ?h } FILTER(?h > 40) ?r :heat ?h }", ":a :heat 51 .")

    assert [(part.kind, part.matches) for part in told.parts] == [("absent", 1), ("triple", 1), ("filter", 1)]


def test_a_triple_pattern_shows_other_values_of_the_same_property() -> None:
    told = asked('ASK { :siren :state "on" }', ":siren :state 'off' . :other :state 'on' .")

    assert misses(told.parts) == [
        ("siren", '"off"', 'is not "on"'),
        ("other", '"on"', "is said of another than siren"),
    ]


def test_a_value_that_looks_the_same_shows_its_type() -> None:
    told = asked("ASK { :a :level 1 }", ":a :level '1' .")

    assert misses(told.parts) == [("a", '"1"', "is not 1")]


def test_a_misspelt_property_or_class_is_found() -> None:
    proper = asked("ASK { :a :temprature ?t }", ":a :temperature 3 .")
    kind = asked("ASK { ?x a :Termometer }", ":a a :Thermometer .")

    assert misses(proper.parts) == [("a", "3", "is its temperature; did you mean that?")]
    assert misses(kind.parts) == [("a", "Thermometer", "is nearly Termometer; did you mean that?")]


def test_a_source_that_failed_is_gone_or_is_not_read_is_named_at_its_pattern() -> None:
    queries = [f"ASK {{ <http://w/{name}#it> :p ?v }}" for name in ("lost", "gone", "never")]
    told = [
        asked(query, failed={"http://w/lost": "connection refused"}, gone=("http://w/gone",))
        for query in queries
    ]

    assert [misses(one.parts) for one in told] == [
        [("lost", "—", "can't know: connection refused")],
        [("gone", "—", "its document is gone (404)")],
        [("never", "—", "its document is not read; ag:source can name it")],
    ]


def test_each_branch_of_a_union_is_explained_with_its_own_counts() -> None:
    told = asked(
        "ASK { ?d a :Door { ?d :state 'open' } UNION { ?d :lock ?l FILTER(?l < 1) } }",
        ":e a :Door ; :state 'closed' . :w a :Door ; :state 'closed' ; :lock 5 .",
    )

    union = told.parts[1]
    assert (union.kind, union.matches, union.before, union.stops) == ("union", 0, 2, True)
    assert [table(branch) for branch in union.branches] == [
        [("?d :state 'open'", 0, True)],
        [("?d :lock ?l", 1, False), ("FILTER(?l < 1)", 0, True)],
    ]
    assert misses(union.branches[1]) == [("w", "5", "too high by 4")]


def test_what_should_be_absent_and_is_there_is_shown() -> None:
    turtle = ":e a :Door ; :state 'closed' . :w a :Door ; :state 'open' ."

    absent = asked("ASK { FILTER NOT EXISTS { ?d a :Door ; :state 'open' } }", turtle)
    minus = asked("ASK { ?d a :Door MINUS { ?x :state 'open' . ?d a :Door } }", turtle)

    assert (absent.parts[0].kind, absent.parts[0].stops) == ("absent", True)
    assert misses(absent.parts) == [("w", '"open"', "is there, and should not be")]
    assert minus.parts[1].stops
    assert misses(minus.parts)[0][2] == "is there, and should not be"


def test_what_should_exist_and_does_not_is_explained_inside() -> None:
    told = asked("ASK { ?d a :Door FILTER EXISTS { ?d :lock ?l FILTER(?l > 8) } }", ":w a :Door ; :lock 5 .")

    assert told.parts[1].stops
    assert misses(told.parts[1].branches[0]) == [("w", "5", "too low by 3")]


def test_an_optional_pattern_never_stops_a_query() -> None:
    told = asked("ASK { ?d a :Door OPTIONAL { ?d :lock ?l } }", ":w a :Door .")

    assert table(told.parts) == [("?d a :Door", 1, False), ("OPTIONAL { ?d :lock ?l }", 1, False)]
    assert [one.name for one in told.example] == ["w"]


def test_blank_nodes_lists_paths_and_values_keep_their_counts() -> None:
    turtle = ":a :p [ :q 1 ] , [ :q 2 ] . :b :list (1 2) ."

    assert table(asked("ASK { ?x :p _:n . _:n :q ?v }", turtle).parts) == [
        ("?x :p _:n", 2, False),
        ("_:n :q ?v", 2, False),
    ]
    assert table(asked("ASK { [] :q ?v ; :q 2 }", turtle).parts)[1] == ("[] :q 2", 1, False)
    assert table(asked("ASK { ?x :p [ :q 3 ] }", turtle).parts) == [("?x :p [ :q 3 ]", 0, True)]
    assert table(asked("ASK { ?x :p/:q ?v . VALUES ?v { 2 3 } }", turtle).parts) == [
        ("?x :p/:q ?v", 2, False),
        ("VALUES ?v { 2 3 }", 1, False),
    ]


def test_a_query_in_a_query_is_one_part_with_its_answer() -> None:
    told = asked("ASK { { SELECT (COUNT(*) AS ?n) { ?x a :Door } } FILTER(?n > 1) }", ":w a :Door .")

    assert [part.kind for part in told.parts] == ["other", "filter"]
    assert misses(told.parts)[0][1:] == ("1", "is just the limit; it has to be above")


def test_what_follows_the_patterns_stops_a_query_that_nothing_else_stops() -> None:
    told = asked("ASK { ?x a :Door } LIMIT 1 OFFSET 1", ":w a :Door .")

    assert [(part.kind, part.matches, part.stops) for part in told.parts] == [
        ("triple", 1, False),
        ("tail", 0, True),
    ]


def test_a_derived_value_names_the_rule_that_made_it() -> None:
    rules = "@prefix : <http://e/> . { ?x :raw ?r } => { ?x :heat ?r } ."
    program = read_program(rules, source="warm.n3", base="http://e/warm")
    derived = Triple(IRI("http://e/a"), IRI("http://e/heat"), Literal("low"))

    told = asked('ASK { :a :heat "high" }', ":a :raw 'low' .", program=program, derived=(derived,))

    assert [(one.value, one.document, one.rule) for one in told.parts[0].nearest] == [
        ('"low"', "", "warm.n3:1")
    ]


def test_at_most_twelve_misses_are_shown_and_the_others_counted() -> None:
    rooms = " ".join(f":r{number} :heat {number} ." for number in range(43))

    told = asked("ASK { ?r :heat ?h FILTER(?h > 60) }", rooms)

    assert (len(told.parts[1].nearest), told.parts[1].more) == (12, 31)
    assert told.parts[1].nearest[0].value == "42"


def test_a_product_of_patterns_is_counted_up_to_a_limit_and_says_so() -> None:
    things = " ".join(f":r{number} :heat {number} ." for number in range(200))

    told = asked("ASK { ?a :heat ?x . ?b :heat ?y . ?c :heat ?z . FILTER(?x > 300) }", things)

    assert [(part.matches, part.is_bounded) for part in told.parts[:3]] == [
        (200, False),
        (10_000, True),
        (10_000, True),
    ]
    assert told.parts[3].matches == 0


def test_a_query_that_holds_beyond_the_sample_stops_nowhere() -> None:
    things = " ".join(f":r{number} :heat {number} ." for number in range(200))
    queries = [
        f"ASK {{ ?a :heat ?x . ?b :heat ?y . FILTER({variable} = {value}) ?a :heat ?z }}"
        for variable in ("?x + 0 * ?y", "?y + 0 * ?x")
        for value in range(0, 200, 50)
    ]

    told = [asked(query, things).parts for query in queries]

    assert {parts[1].matches for parts in told} == {10_000}
    assert 0 in {parts[2].matches for parts in told}
    assert [part for parts in told for part in parts if part.stops or part.nearest] == []


def test_a_blank_node_of_the_query_stays_the_same_one_beyond_the_sample() -> None:
    things = " ".join(f":r{number} :heat {number} ." for number in range(200))

    told = asked("ASK { ?a :heat ?x . ?b :heat _:n . ?b :heat _:n }", things)

    assert [(part.text, part.matches) for part in told.parts[1:]] == [
        ("?b :heat _:n", 10_000),
        ("?b :heat _:n", 10_000),
    ]


RULES = """@prefix : <http://e/> . @prefix math: <http://www.w3.org/2000/10/swap/math#> .
@prefix string: <http://www.w3.org/2000/10/swap/string#> .
{ ?house :has ?room . ?room :isHot true } => { ?house :isHot true } .
{ ?room :heat ?h . ?h math:greaterThan 57 . ?h string:contains "x" } => { ?room :isHot true } .
{ ?a :isHot true } => { ?a :isHot true } .
"""


def test_a_conclusion_that_is_missing_is_explained_by_the_rules_that_could_have_drawn_it() -> None:
    program = read_program(RULES, source="hot.n3", base="http://e/hot")

    told = asked("ASK { :house :isHot true }", ":house :has :hall . :hall :heat 21 .", program=program)

    [rules] = told.parts[0].branches
    assert [(rule.kind, rule.text) for rule in rules] == [
        ("rule", "hot.n3:3"),
        ("rule", "hot.n3:4"),
        ("rule", "hot.n3:5"),
    ]
    [house] = rules[0].branches
    assert table(house) == [("?house :has ?room", 1, False), ("?room :isHot true", 0, True)]
    inner = house[1].branches[0][0]
    assert (inner.text, table(inner.branches[0])) == (
        "hot.n3:4",
        [
            ("?room :heat ?h", 1, False),
            ("?h math:greaterThan 57", 0, True),
            ('?h string:contains "x"', None, False),
        ],
    )
    assert [one[:3] for one in misses(inner.branches[0])] == [("hall", "21", "too low by 36")]


def test_rules_that_conclude_something_else_are_left_out() -> None:
    program = read_program(RULES, source="hot.n3", base="http://e/hot")

    assert asked("ASK { :house :isCold true }", "", program=program).parts[0].branches == ()
    assert asked("ASK { :house :isHot false }", "", program=program).parts[0].branches == ()


def test_hostile_texts_and_numbers_stay_short_and_printable() -> None:
    evil = "\\u001b[31m" + "x" * 5000
    turtle = f':a :heat "{evil}" . :b :heat 1{"0" * 5000} . :c :heat 1e308 . :d :heat "NaN"^^<http://www.w3.org/2001/XMLSchema#double> .'

    told = asked("ASK { ?r :heat ?h FILTER(?h < -1e308) }", turtle)

    shown = [text for miss in misses(told.parts) for text in miss]
    assert len(told.parts[1].nearest) == 4
    assert max(map(len, shown)) < 100
    assert [text for text in shown if printable(text) != text] == []


def test_many_patterns_end_in_one_for_the_rest() -> None:
    patterns = " . ".join(f":a :p{number} ?v{number}" for number in range(100))
    turtle = " ".join(f":a :p{number} {number} ." for number in range(99))

    told = asked(f"ASK {{ {patterns} }}", turtle)

    assert len(told.parts) == 61
    assert (told.parts[60].text, told.parts[60].matches, told.parts[60].stops) == (
        "... and 40 more patterns",
        0,
        True,
    )


def test_a_property_that_nothing_has_may_be_what_missing_rules_conclude() -> None:
    told = asked("ASK { ?r :isTooHot true }", ROOMS)

    assert misses(told.parts) == [
        ("isTooHot", "—", "nothing that was read says it; if rules conclude it, give them with -p")
    ]
