"""Where a filter is counted: it is about its whole group, so not before its variables have their values for good."""

from agent.gsm.why.pieces import cut, order


def ordered(group: str) -> list[str]:
    """Return the patterns of ``group`` in the order in which they are counted."""
    query = cut(f"ASK {{ {group} }}")
    assert query is not None
    return [piece.text for piece in order(query.pieces)]


def test_a_filter_follows_the_triple_that_binds_its_variable() -> None:
    assert ordered("FILTER(?b < 5) ?a <p:p> ?b . ?b <p:q> ?c") == [
        "?a <p:p> ?b",
        "FILTER(?b < 5)",
        "?b <p:q> ?c",
    ]


def test_a_filter_waits_for_the_last_pattern_that_may_bind_its_variable() -> None:
    assert ordered("OPTIONAL { ?a <p:p> ?b } FILTER(?b < 5) ?c <p:q> ?b . ?c <p:r> ?d") == [
        "OPTIONAL { ?a <p:p> ?b }",
        "?c <p:q> ?b",
        "FILTER(?b < 5)",
        "?c <p:r> ?d",
    ]


def test_a_filter_on_what_only_a_condition_inside_an_option_names_waits() -> None:
    assert ordered("OPTIONAL { ?a <p:p> 1 FILTER EXISTS { ?a <p:q> ?b } } FILTER(?b < 5) ?c <p:q> ?b") == [
        "OPTIONAL { ?a <p:p> 1 FILTER EXISTS { ?a <p:q> ?b } }",
        "?c <p:q> ?b",
        "FILTER(?b < 5)",
    ]


def test_a_filter_without_a_pattern_for_its_variable_stands_behind_the_first_pattern() -> None:
    assert ordered("FILTER(?x < 5) ?a <p:p> ?b . ?b <p:q> ?c") == [
        "?a <p:p> ?b",
        "FILTER(?x < 5)",
        "?b <p:q> ?c",
    ]
