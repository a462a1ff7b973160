"""IRIs that are checked together are refused exactly if one of them is refused alone."""

import pyoxigraph as ox
import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from agent.rdf.plain_iris import BETWEEN_IRIS, are_plain, check_iris, spelled_iris
from tests.support.depth import depth

starts = st.sampled_from(["http://", "https://", "http:", "HTTP://", "urn:", "//", ""])
rests = st.text(st.sampled_from("az09-._~/?#:%<>\0@[]\\ \n\"é'"), max_size=12) | st.text(
    st.sampled_from("aZ9-._~/?#"), max_size=12
)
values = st.builds(str.__add__, starts, rests) | st.builds("http://h.example/{}".format, rests)


def joined(iris: list[str]) -> bytes:
    return f"<{BETWEEN_IRIS.join(iris)}>".encode()


def is_iri(value: str) -> bool:
    try:
        ox.NamedNode(value)
    except ValueError:
        return False
    return True


@settings(max_examples=depth(400, 40_000))
@given(st.lists(values, max_size=4))
@example(["http://a/>\0<http://b/"])
@example(["http://a/#x#y"])
@example(["http://a/#x:y#", "#http://"])
@example(["http://a/", "b<http://"])
@example([])
def test_iris_are_refused_together_exactly_if_one_is_refused_alone(iris: list[str]) -> None:
    are_good = all(map(is_iri, iris))
    event(f"good {are_good}, plain {are_plain(joined(iris), len(iris))}")
    if are_good:
        check_iris(iris)
        assert spelled_iris(iris) == [f"<{iri}>" for iri in iris]
    else:
        with pytest.raises(ValueError, match=r".+"):
            check_iris(iris)


def test_iris_of_big_data_are_plain() -> None:
    plain = ["http://a.example/b-c_d~e.f/?g#h", "https://a.example/#", "http://a.example"]
    assert are_plain(joined(plain), 3)


@pytest.mark.parametrize(
    "odd",
    [
        "http://a.example:80/",
        "http://a.example/%41",
        "http://é.example/",
        "urn:a",
        "http://a.example/#b#c",
        "http://a.example/ b",
        "http://u@a.example/",
        "mailto:http://",
    ],
)
def test_an_odd_iri_makes_none_of_them_plain(odd: str) -> None:
    assert not are_plain(joined(["http://a.example/", odd]), 2)
