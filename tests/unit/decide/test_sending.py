"""Ranks inside units, barriers outside, and what the first failure stops."""

import pytest

from agent.decide.request import CREATE_ONLY, Request
from agent.decide.sending import Sending, is_done
from agent.rdf.terms import TRUE, Literal
from tests.support.asked import E, asked, edge


class Story:
    """A sending told by names of documents: every line is what goes out after an answer."""

    def __init__(self, *requests: Request) -> None:
        self.requests = sorted(requests, key=lambda request: request.key)
        self.sending = Sending(self.requests)

    def start(self) -> list[str]:
        return self._names(self.sending.start())

    def done(self, name: str) -> list[str]:
        return self._names(self.sending.answered(self._position(name), done=True))

    def failed(self, name: str) -> list[str]:
        return self._names(self.sending.answered(self._position(name), done=False))

    def states(self) -> dict[str, str]:
        return {self._name(position): state for position, state in enumerate(self.sending.states)}

    def _names(self, positions: list[int]) -> list[str]:
        return [self._name(position) for position in positions]

    def _name(self, position: int) -> str:
        request = self.requests[position]
        body = request.body.lexical if isinstance(request.body, Literal) else ""
        return request.uri.removeprefix(E) + body

    def _position(self, name: str) -> int:
        return next(p for p in range(len(self.requests)) if self._name(p) == name)


def test_ranks_go_out_one_after_the_other_and_equal_ranks_together() -> None:
    story = Story(
        *(asked("PUT", name, None, edge("u", rank)) for name, rank in (("c", 1), ("a", -2), ("b", -2)))
    )
    assert story.start() == ["a", "b"]
    assert story.done("b") == []
    assert story.done("a") == ["c"]
    assert not story.sending.is_over
    assert story.done("c") == []
    assert story.sending.is_over


@pytest.mark.parametrize("rules", [("r:1", "r:2"), ("r:2", "r:1")])
def test_a_request_with_two_ranks_in_a_unit_has_the_lower_one(rules: tuple[str, str]) -> None:
    twice = (edge("u", 2, rule=rules[0]), edge("u", 0, rule=rules[1]))
    story = Story(asked("PUT", "a", None, *twice), asked("PUT", "b", None, edge("u", 1)))
    assert story.start() == ["a"]
    assert story.done("a") == ["b"]


def test_units_go_out_side_by_side() -> None:
    story = Story(
        asked("PUT", "a", None, edge("u", 0)),
        asked("PUT", "b", None, edge("u", 1)),
        asked("PUT", "x", None, edge("v", 0)),
        asked("PUT", "y", None, edge("v", 1)),
    )
    assert story.start() == ["a", "x"]
    assert story.done("x") == ["y"]
    assert story.done("a") == ["b"]


def test_the_first_failure_stops_the_later_ranks_but_not_its_own() -> None:
    story = Story(
        *(
            asked("PUT", name, None, edge("u", rank))
            for name, rank in (("a", 0), ("b", 0), ("c", 1), ("d", 2))
        )
    )
    story.start()
    assert story.failed("a") == []
    assert story.done("b") == []
    assert story.states() == {"a": "failed", "b": "done", "c": "stopped", "d": "stopped"}
    assert story.sending.is_over


def test_a_failure_stops_every_unit_that_contains_the_failed_request() -> None:
    """The shared write closes a child; neither completion may go on to its milestone."""
    story = Story(
        asked("PUT", "child", None, edge("parent", -1), edge("child", 1)),
        asked("PUT", "parent", None, edge("parent", 1)),
        asked("PUT", "parent-milestone", None, edge("parent", 2)),
        asked("PUT", "child-milestone", None, edge("child", 2)),
    )
    assert story.start() == ["child"]
    assert story.failed("child") == []
    assert story.states() == {
        "child": "failed",
        "child-milestone": "stopped",
        "parent": "stopped",
        "parent-milestone": "stopped",
    }


def test_what_is_stopped_stops_what_waits_for_it_elsewhere() -> None:
    story = Story(
        asked("PUT", "a", None, edge("u", 0)),
        asked("PUT", "b", None, edge("u", 1), edge("v", 1)),
        asked("PUT", "before", None, edge("v", 0)),
        asked("PUT", "after", None, edge("v", 2)),
    )
    assert story.start() == ["a", "before"]
    assert story.failed("a") == []
    assert story.done("before") == []
    assert story.states() == {"a": "failed", "after": "stopped", "b": "stopped", "before": "done"}


def test_ranks_before_a_stopped_request_still_go_out() -> None:
    story = Story(
        asked("PUT", "a", None, edge("u", 0)),
        asked("PUT", "c", None, edge("u", 1), edge("v", 3)),
        asked("PUT", "v0", None, edge("v", 0)),
        asked("PUT", "v1", None, edge("v", 1)),
        asked("PUT", "v4", None, edge("v", 4)),
    )
    assert story.start() == ["a", "v0"]
    assert story.failed("a") == []
    assert story.done("v0") == ["v1"]
    story.done("v1")
    assert story.states() == {"a": "failed", "c": "stopped", "v0": "done", "v1": "done", "v4": "stopped"}
    assert story.sending.is_over


def test_a_shared_request_waits_for_its_rank_in_each_unit_and_goes_out_once() -> None:
    story = Story(
        asked("PUT", "a", None, edge("u", 0)),
        asked("PUT", "shared", None, edge("u", 1), edge("v", 1)),
        asked("PUT", "x", None, edge("v", 0)),
    )
    assert story.start() == ["a", "x"]
    assert story.done("a") == []
    assert story.done("x") == ["shared"]


def test_outside_units_posts_go_first_and_deletes_last_whatever_fails() -> None:
    story = Story(
        asked("DELETE", "d"), asked("PUT", "p"), asked("POST", "c"), asked("PATCH", "q"), asked("PUT", "r")
    )
    assert story.start() == ["c"]
    assert story.failed("c") == ["p", "q", "r"]
    assert story.done("p") == []
    assert story.done("r") == []
    assert story.failed("q") == ["d"]
    assert story.done("d") == []
    assert story.sending.is_over


def test_outside_units_a_document_gets_one_request_at_a_time_in_canonical_order() -> None:
    story = Story(*(asked("POST", "c", Literal(text)) for text in "213"), asked("POST", "e"))
    assert story.start() == ["c1", "e"]
    assert story.done("c1") == ["c2"]
    assert story.failed("c2") == ["c3"]
    assert story.done("c3") == []
    assert story.done("e") == []
    assert story.sending.is_over


def test_barriers_and_units_do_not_wait_for_each_other() -> None:
    story = Story(asked("PUT", "u", None, edge("u")), asked("POST", "c"), asked("DELETE", "d"))
    assert story.start() == ["c", "u"]
    assert story.done("c") == ["d"]


def test_a_last_unit_waits_for_everything_else_of_its_instance() -> None:
    story = Story(
        asked("PUT", "root", None, edge("root", 1, last=True, instance="i")),
        asked("PUT", "stage", None, edge("u", 0, instance="i")),
        asked("PUT", "milestone", None, edge("u", 1, instance="i")),
        asked("PUT", "alone", None, edge(instance="i")),
        asked("PUT", "other", None, edge("v", 0, instance="j")),
    )
    assert story.start() == ["alone", "other", "stage"]
    assert story.done("alone") == []
    assert story.done("stage") == ["milestone"]
    assert story.done("milestone") == ["root"]


def test_a_last_unit_is_not_sent_when_something_of_its_instance_failed() -> None:
    story = Story(
        asked("PUT", "root", None, edge("root", 1, last=True, instance="i")),
        asked("PUT", "stage", None, edge("u", 0, instance="i")),
        asked("PUT", "milestone", None, edge("u", 1, instance="i")),
        asked("PUT", "other-root", None, edge("rootj", 1, last=True, instance="j")),
    )
    assert story.start() == ["other-root", "stage"]
    assert story.failed("stage") == []
    assert story.states() == {
        "milestone": "stopped",
        "other-root": "sent",
        "root": "stopped",
        "stage": "failed",
    }


def test_what_a_last_unit_shares_goes_out_with_the_others_whatever_its_rank_there() -> None:
    """The root closes every stage; the one that completes itself goes in its own order."""
    story = Story(
        asked("PUT", "grandchild", None, edge("root", -2, last=True, instance="i")),
        asked("PUT", "stage", None, edge("root", -1, last=True, instance="i"), edge("u", 1, instance="i")),
        asked("PUT", "milestone", None, edge("u", 2, instance="i")),
        asked("PUT", "root", None, edge("root", 1, last=True, instance="i")),
    )
    assert story.start() == ["stage"]
    assert story.done("stage") == ["milestone"]
    assert story.done("milestone") == ["grandchild"]
    assert story.done("grandchild") == ["root"]


def test_a_last_request_of_no_unit_and_no_instance_waits_for_the_whole_step() -> None:
    story = Story(
        asked("PUT", "z", None, edge(last=True)), asked("POST", "c"), asked("PUT", "a", None, edge("u"))
    )
    assert story.start() == ["a", "c"]
    assert story.done("a") == []
    assert story.done("c") == ["z"]


def test_last_units_do_not_wait_for_each_other() -> None:
    story = Story(*(asked("PUT", name, None, edge(name, last=True, instance="i")) for name in "ab"))
    assert story.start() == ["a", "b"]


def test_nothing_to_send_is_over_at_once() -> None:
    story = Story()
    assert (story.start(), story.sending.is_over) == ([], True)


@pytest.mark.parametrize(
    ("request_", "done", "failed"),
    [
        (asked("PUT", "a"), (200, 201, 204, 205, 299), (199, 301, 303, 400, 404, 409, 412, 500, 503)),
        (asked("PUT", "a", annotations=((CREATE_ONLY, TRUE),)), (201, 204, 412), (400, 409, 500)),
        (asked("DELETE", "a"), (200, 204, 400, 404, 410), (401, 403, 409, 412, 500)),
        (asked("POST", "a", annotations=((CREATE_ONLY, TRUE),)), (201, 202), (400, 404, 412)),
    ],
)
def test_what_counts_as_done(request_: Request, done: tuple[int, ...], failed: tuple[int, ...]) -> None:
    assert [is_done(request_, status) for status in (*done, *failed)] == [True] * len(done) + [False] * len(
        failed
    )
