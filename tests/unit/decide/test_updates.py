"""Units are accepted or dropped together, by precedence; requests of no unit are picked from, refused or all sent."""

import itertools

import pytest

from agent.decide.request import Edge, Request
from agent.decide.updates import OnConflict, UpdateSet, decide_updates
from agent.errors import ClashError
from agent.rdf.terms import Literal
from tests.support.asked import E, asked, edge


def put(uri: str, body: str, *edges: Edge) -> Request:
    return asked("PUT", uri, Literal(body), *edges)


def told(updates: UpdateSet) -> tuple[list[str], list[str], list[str]]:
    """Return what is sent, what clashed and what was dropped, in short texts."""
    sent = [_short(request) for request in updates.accepted]
    clashes = [
        f"{_short(clash.winner)} {'and' if clash.both_sent else 'beats'} {_short(clash.loser)}"
        for clash in updates.clashes
    ]
    drops = [f"{_short(drop.request)}: {drop.reason}" for drop in updates.drops]
    return sent, clashes, drops


def _short(request: Request) -> str:
    body = request.body.lexical if isinstance(request.body, Literal) else ""
    return f"{request.method} {request.uri.removeprefix(E)} {body}".strip()


def decided(*requests: Request, on_conflict: OnConflict = "pick") -> tuple[list[str], list[str], list[str]]:
    """Return what every order of the requests decides."""
    results = [told(decide_updates(order, on_conflict)) for order in itertools.permutations(requests)]
    assert all(result == results[0] for result in results)
    return results[0]


def test_requests_on_different_documents_and_posts_do_not_clash() -> None:
    requests = [
        put("a", "1"),
        put("b", "2"),
        asked("POST", "a", Literal("3")),
        asked("POST", "a", Literal("4")),
    ]
    assert decided(*requests) == (["POST a 3", "POST a 4", "PUT a 1", "PUT b 2"], [], [])


def test_equal_updates_do_not_clash_whatever_their_annotations() -> None:
    one, other = asked("PUT", "a", Literal("1")), asked("PUT", "a", Literal("1"), headers=(("Slug", "x"),))
    assert decided(one, other) == (["PUT a 1", "PUT a 1"], [], [])


def test_the_same_text_as_another_media_type_is_another_update() -> None:
    one, other = (
        asked("PUT", "a", Literal("1")),
        asked("PUT", "a", Literal("1"), headers=(("Content-Type", "x/y"),)),
    )
    sent, clashes, drops = decided(one, other)
    assert (len(sent), len(clashes), len(drops)) == (1, 1, 1)


@pytest.mark.parametrize(
    ("one", "other", "winner"),
    [
        (put("a", "1"), put("a", "2"), "PUT a 1"),
        (put("a", "1"), asked("DELETE", "a"), "DELETE a"),
        (put("a", "1"), put("a", "2", edge(precedence=1)), "PUT a 2"),
        (put("a", "1", edge(precedence=1)), asked("DELETE", "a"), "PUT a 1"),
        (put("a", "1"), put("a", "2", edge("u")), "PUT a 1"),
        (put("a", "1"), put("a", "2", edge("u", precedence=20)), "PUT a 2"),
    ],
)
def test_of_two_updates_one_is_picked(one: Request, other: Request, winner: str) -> None:
    sent, clashes, drops = decided(one, other)
    (loser,) = {_short(one), _short(other)} - {winner}
    assert sent == [winner]
    assert clashes == [f"{winner} beats {loser}"]
    assert drops == [f"{loser}: it clashes"]


def test_a_unit_is_dropped_as_a_whole_and_the_reason_names_the_member_at_fault() -> None:
    activation = edge("s", precedence=10)
    sent, clashes, drops = decided(
        put("stage", "active", activation),
        put("milestone", "false", activation),
        asked("POST", "task", None, activation),
        put("stage", "inactive", edge("completion", precedence=30)),
    )
    assert sent == ["PUT stage inactive"]
    assert clashes == ["PUT stage inactive beats PUT stage active"]
    assert drops == [
        f"PUT milestone false: its unit is dropped: PUT {E}stage: it clashes",
        "PUT stage active: it clashes",
        f"POST task: its unit is dropped: PUT {E}stage: it clashes",
    ]


def test_what_another_accepted_unit_contains_is_sent_with_its_edges_only() -> None:
    kept, lost = edge("kept", 1, 20), edge("lost", 2, 10)
    updates = decide_updates(
        [
            put("shared", "0", kept, lost),
            put("a", "1", kept),
            put("b", "lost", lost),
            put("b", "won", edge(precedence=50)),
        ]
    )
    assert told(updates)[0] == ["PUT a 1", "PUT b won", "PUT shared 0"]
    assert [request.edges for request in updates.accepted] == [(kept,), (edge(precedence=50),), (kept,)]
    assert told(updates)[2] == ["PUT b lost: it clashes"]


def test_a_dropped_unit_drops_nothing_else() -> None:
    """c beats b, so b does not stand in the way of a."""
    sent, _, _ = decided(
        put("x", "c", edge("c", precedence=3)),
        put("x", "b", edge("b", precedence=2)),
        put("y", "b", edge("b", precedence=2)),
        put("y", "a", edge("a", precedence=1)),
    )
    assert sent == ["PUT x c", "PUT y a"]


def test_a_request_alone_and_in_a_unit_survives_the_unit() -> None:
    unit = edge("u", precedence=10)
    sent, _, drops = decided(
        put("m", "false", unit, edge(precedence=20)),
        put("s", "active", unit),
        put("s", "inactive", edge("v", precedence=30)),
    )
    assert sent == ["PUT m false", "PUT s inactive"]
    assert drops == ["PUT s active: it clashes"]


def test_a_unit_that_clashes_with_itself_is_dropped() -> None:
    sent, clashes, drops = decided(
        put("a", "1", edge("u")), put("a", "2", edge("u")), put("b", "3", edge("u"))
    )
    assert sent == []
    assert clashes == ["PUT a 1 beats PUT a 2"]
    assert [drop.split(":")[0] for drop in drops] == ["PUT a 1", "PUT a 2", "PUT b 3"]


def test_of_two_in_one_dropped_unit_another_unit_may_bring_one_through_which_then_is_the_winner() -> None:
    sent, clashes, drops = decided(
        asked("DELETE", "a", None, edge("u", precedence=1)), put("a", "1", edge("u"), edge())
    )
    assert sent == ["PUT a 1"]
    assert clashes == ["PUT a 1 beats DELETE a"]
    assert drops == [f"DELETE a: its unit is dropped: PUT {E}a: it clashes inside its unit"]


def test_units_of_equal_precedence_are_taken_by_their_smallest_request() -> None:
    sent, _, _ = decided(put("b", "1", edge("z")), put("a", "0", edge("z")), put("b", "0", edge("y")))
    assert sent == ["PUT a 0", "PUT b 1"]


def test_units_that_ask_for_opposite_orders_are_not_both_accepted() -> None:
    u, v = edge("u", 0, 20), edge("v", 0, 10)
    sent, clashes, drops = decided(
        put("a", "1", edge("u", 0, 20), edge("v", 1, 10)),
        put("b", "1", edge("u", 1, 20), v),
        put("c", "1", v),
        put("d", "1", u),
    )
    assert (sent, clashes) == (["PUT a 1", "PUT b 1", "PUT d 1"], [])
    assert [drop.split(":")[0] for drop in drops] == ["PUT c 1"]
    assert "opposite order" in drops[0]


def test_last_units_that_ask_for_opposite_orders_are_not_both_accepted() -> None:
    u, v = edge("u", 0, 20, last=True), edge("v", 1, 10, last=True)
    sent, _, drops = decided(
        put("a", "1", u, v),
        put("b", "1", edge("u", 1, 20, last=True), edge("v", 0, 10, last=True)),
        put("c", "1", edge("v", 0, 10, last=True)),
    )
    assert sent == ["PUT a 1", "PUT b 1"]
    assert [drop.split(":")[0] for drop in drops] == ["PUT c 1"]


def test_a_last_unit_asks_for_no_order_of_what_others_send() -> None:
    sent, _, drops = decided(
        put("a", "1", edge("u", 0), edge("root", 1, last=True)),
        put("b", "1", edge("u", 1), edge("root", 0, last=True)),
    )
    assert (sent, drops) == (["PUT a 1", "PUT b 1"], [])


def test_a_request_that_cannot_be_sent_drops_its_unit_and_wins_no_clash() -> None:
    cannot, mate, rival = put("a", "1", edge("u", 0, 9)), put("b", "1", edge("u", 0, 9)), put("b", "2")
    updates = decide_updates([cannot, mate, rival], "pick", {cannot.key: "the document was not read"})
    assert told(updates) == (
        ["PUT b 2"],
        [],
        [
            "PUT a 1: the document was not read",
            f"PUT b 1: its unit is dropped: PUT {E}a: the document was not read",
        ],
    )


def test_all_sends_what_clashes_outside_units() -> None:
    sent, clashes, drops = decided(put("a", "1"), put("a", "2"), asked("DELETE", "a"), on_conflict="all")
    assert sent == ["DELETE a", "PUT a 1", "PUT a 2"]
    assert clashes == ["DELETE a and PUT a 1", "DELETE a and PUT a 2", "PUT a 1 and PUT a 2"]
    assert drops == []


def test_all_leaves_units_as_they_are() -> None:
    sent, _, drops = decided(put("a", "1"), put("a", "2", edge("u", precedence=1)), on_conflict="all")
    assert (sent, drops) == (["PUT a 2"], ["PUT a 1: it clashes"])


def test_error_names_document_and_rules() -> None:
    requests = [put("a", "1", edge(rule="r.n3:1")), put("a", "2", edge(rule="r.n3:7"))]
    with pytest.raises(ClashError) as caught:
        decide_updates(requests, "error")
    assert str(caught.value) == (
        f"{E}a  error ASM111  PUT and PUT of different content are asked for {E}a\n"
        "  Rules: r.n3:1, r.n3:7.\n"
        "  Nothing of this step was sent. Give the rules ag:precedence."
    )


def test_error_does_not_mind_clashes_that_units_settle() -> None:
    requests = [put("a", "1", edge("u", precedence=1)), put("a", "2", edge("v"))]
    assert told(decide_updates(requests, "error"))[0] == ["PUT a 1"]
