"""Random sets of requests: the update set is that of the definition, whatever the order, and is sent in order."""

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from agent.decide.order import orders_agree
from agent.decide.request import Edge, Request, merge_equal
from agent.decide.sending import Sending
from agent.decide.updates import OnConflict, decide_updates
from agent.rdf.terms import Literal, Term
from tests.support.asked import asked, edge
from tests.support.depth import depth

EDGES = st.builds(
    edge,
    st.sampled_from([None, "u", "v", "w", "x"]),
    st.integers(-1, 2),
    st.integers(0, 2),
    rule=st.sampled_from(["r:1", "r:2"]),
    last=st.sampled_from([False, False, False, True]),
    instance=st.sampled_from(["", "i", "j"]),
)
REQUESTS = st.builds(
    lambda method, uri, body, edges: asked(
        method, uri, None if method == "DELETE" else Literal(body), *edges
    ),
    st.sampled_from(["PUT", "PUT", "PUT", "POST", "DELETE", "PATCH"]),
    st.sampled_from("abcd"),
    st.sampled_from("12"),
    st.lists(EDGES, min_size=1, max_size=3),
)
SETS = st.lists(REQUESTS, max_size=8).map(merge_equal)
POLICIES: list[OnConflict] = ["pick", "all"]
MANY = settings(max_examples=depth(80, 2_000))


@MANY
@given(SETS, st.sampled_from(POLICIES), st.randoms(use_true_random=False))
def test_the_order_of_rules_and_bindings_never_changes_the_update_set(
    requests: tuple[Request, ...], policy: OnConflict, chance: random.Random
) -> None:
    pieces = [
        asked(r.method, r.uri.rpartition("/")[2], r.body, one, annotations=r.annotations)
        for r in requests
        for one in r.edges
    ]
    chance.shuffle(pieces)
    assert merge_equal(pieces) == requests
    shuffled = list(requests)
    chance.shuffle(shuffled)
    assert decide_updates(shuffled, policy) == decide_updates(requests, policy)


@MANY
@given(SETS)
def test_what_is_accepted_is_free_of_clashes_and_complete(requests: tuple[Request, ...]) -> None:
    updates = decide_updates(requests)
    for one in updates.accepted:
        for other in updates.accepted:
            assert not one.clashes_with(other)
    for clash in updates.clashes:
        assert clash.winner.clashes_with(clash.loser)
        assert clash.loser.key not in {request.key for request in updates.accepted}
    keys = [request.key for request in updates.accepted] + [drop.request.key for drop in updates.drops]
    assert sorted(keys) == [request.key for request in requests]


@MANY
@given(SETS, st.sets(st.integers(0, 7), max_size=2))
def test_units_are_accepted_as_the_definition_says(requests: tuple[Request, ...], bad: set[int]) -> None:
    unsendable = {requests[n].key: "cannot" for n in bad if n < len(requests)}
    updates = decide_updates(requests, "pick", unsendable)
    assume(orders_agree(_every_order(requests)))
    expected = _accepted_by_definition(requests, frozenset(unsendable))
    assert {request.key for request in updates.accepted} == {requests[position].key for position in expected}


def _every_order(requests: Sequence[Request]) -> list[list[tuple[int, Edge]]]:
    """Return what every unit says about order, as if none were last: if that agrees, no unit is dropped for it."""
    units: dict[Term, list[tuple[int, Edge]]] = defaultdict(list)
    for position, request in enumerate(requests):
        for one in request.edges:
            if one.unit is not None:
                units[one.unit].append((position, replace(one, last=False)))
    return list(units.values())


def _accepted_by_definition(requests: Sequence[Request], unsendable: frozenset[str]) -> set[int]:
    """Take the units one by one, as the text of the decision has it, without any index."""
    units: dict[Term | int, set[int]] = defaultdict(set)
    precedence: dict[Term | int, int] = {}
    for position, request in enumerate(requests):
        for one in request.edges:
            name: Term | int = position if one.unit is None else one.unit
            units[name].add(position)
            precedence[name] = max(one.precedence, precedence.get(name, one.precedence))
    accepted: set[int] = set()
    for name in sorted(units, key=lambda name: (-precedence[name], sorted(units[name]), str(name))):
        members = units[name]
        clash = any(requests[a].clashes_with(requests[b]) for a in members for b in accepted | members)
        if not clash and not any(requests[a].key in unsendable for a in members):
            accepted |= members
    return accepted


@MANY
@given(SETS)
def test_every_drop_is_justified(requests: tuple[Request, ...]) -> None:
    updates = decide_updates(requests)
    accepted = list(updates.accepted)
    for drop in updates.drops:
        units = {one.unit for one in drop.request.edges}
        mates = [r for r in requests if r == drop.request or {one.unit for one in r.edges} & units - {None}]
        clashing = [(a, b) for a in mates for b in (*accepted, *mates) if a.clashes_with(b)]
        assert clashing or "opposite order" in drop.reason
        if drop.against is not None:
            assert any(mate.clashes_with(drop.against) for mate in mates)


@MANY
@given(SETS, st.randoms(use_true_random=False), st.sampled_from([0.0, 0.3]))
def test_nothing_is_sent_before_what_goes_before_it(
    requests: tuple[Request, ...], chance: random.Random, failures: float
) -> None:
    accepted = decide_updates(requests).accepted
    sending = Sending(accepted)
    state: dict[int, str] = {}
    flying = sending.start()
    _check_start(accepted, state, flying)
    while flying:
        position = flying.pop(chance.randrange(len(flying)))
        done = chance.random() >= failures
        state[position] = "done" if done else "failed"
        new = sending.answered(position, done=done)
        _check_start(accepted, state, new)
        assert not {accepted[p].uri for p in new if _is_free(accepted[p])} & {
            accepted[p].uri for p in flying if _is_free(accepted[p])
        }
        flying += new
    assert sending.is_over
    for position, end in enumerate(sending.states):
        assert end == state.get(position, "stopped")
        if end == "stopped":
            before = _before(accepted, position)
            assert any(sending.states[p] in {"failed", "stopped"} for p in before)


def _check_start(accepted: Sequence[Request], state: dict[int, str], started: list[int]) -> None:
    for position in started:
        assert position not in state
        assert all(state.get(p) == "done" for p in _before(accepted, position)), (
            "sent before its predecessors"
        )
        assert all(p in state for p in _answered_before(accepted, position)), "sent before a barrier"


def _is_free(request: Request) -> bool:
    return all(one.unit is None and not one.last for one in request.edges)


def _ranks(accepted: Sequence[Request]) -> tuple[dict[object, dict[int, int]], set[object]]:
    ranks: dict[object, dict[int, int]] = defaultdict(dict)
    last: set[object] = set()
    for position, request in enumerate(accepted):
        for one in request.edges:
            if one.unit is not None or one.last:
                name: object = position if one.unit is None else one.unit
                ranks[name][position] = min(one.rank, ranks[name].get(position, one.rank))
                if one.last:
                    last.add(name)
    return ranks, last


def _before(accepted: Sequence[Request], position: int) -> set[int]:
    """Return what has to succeed before a request: lower ranks of its units, all others for a last unit."""
    ranks, last = _ranks(accepted)
    early = {p for name, unit in ranks.items() if name not in last for p in unit}
    late = {p for name in last for p in ranks[name]} - early
    before: set[int] = set()
    for name, unit in ranks.items():
        if position not in unit or (name in last and position in early):
            continue
        mine = set(unit) - early if name in last else set(unit)
        before |= {p for p in mine if unit[p] < unit[position]}
        if name in last:
            instance = _instance_of(accepted, name)
            others = set(range(len(accepted))) - late
            before |= {p for p in others if not instance or instance in accepted[p].instances}
    return before


def _instance_of(accepted: Sequence[Request], name: object) -> str:
    edges: list[Edge] = [
        one
        for position, request in enumerate(accepted)
        for one in request.edges
        if (one.unit is not None or one.last) and (position if one.unit is None else one.unit) == name
    ]
    return min((one.instance for one in edges if one.instance), default="")


def _answered_before(accepted: Sequence[Request], position: int) -> set[int]:
    """Return what has to be answered before a request of no unit: the earlier barriers."""
    if not _is_free(accepted[position]):
        return set()
    phase = {"POST": 0, "DELETE": 2}
    mine = phase.get(accepted[position].method, 1)
    return {p for p, r in enumerate(accepted) if _is_free(r) and phase.get(r.method, 1) < mine}
