"""A dataclass of ours does what one of the standard library does."""

import copy
import dataclasses
import pickle
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from agent import records

Decorator: TypeAlias = Callable[..., Callable[[type], Any]]


def _classes(decorator: Decorator, **flags: bool) -> dict[str, Any]:
    @decorator(slots=True, **flags)
    class Plain:
        """Fields with and without defaults."""

        first: str
        second: int = 2
        third: list[int] = dataclasses.field(default_factory=list)

    @decorator(slots=True, **flags)
    class Hidden:
        """Fields that do not count everywhere."""

        seen: str
        unseen: object = dataclasses.field(default=None, compare=False, repr=False)
        unhashed: tuple[object, ...] = dataclasses.field(default=(), hash=False)

    @decorator(slots=True, **flags)
    class Own:
        """Methods of its own."""

        value: int

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own)

        def __hash__(self) -> int:
            return 7

    @decorator(slots=True, **flags)
    class Late:
        """Something done at the end of making one."""

        value: int
        double: int = dataclasses.field(init=False)
        known: int = dataclasses.field(init=False, default=3)
        empty: list[int] = dataclasses.field(init=False, default_factory=list)

        def __post_init__(self) -> None:
            object.__setattr__(self, "double", 2 * self.value)

    @decorator(slots=True, **flags)
    class Checked:
        """A check at the end of making one."""

        value: int

        def __post_init__(self) -> None:
            if self.value < 0:
                raise ValueError("negative")

    @decorator(slots=True, **flags)
    class Nothing:
        """No field at all."""

    return {each.__name__: each for each in (Plain, Hidden, Own, Late, Checked, Nothing)}


ACTIONS: dict[str, Callable[[dict[str, Any]], object]] = {
    "repr": lambda c: repr(c["Plain"]("a", 3, [1])),
    "repr of defaults": lambda c: repr(c["Plain"]("a")),
    "repr of one in itself": lambda c: repr(_in_itself(c["Plain"])),
    "repr hides": lambda c: repr(c["Hidden"]("a", 1)),
    "repr of none": lambda c: repr(c["Nothing"]()),
    "own repr": lambda c: repr(c["Own"](1)),
    "by name": lambda c: repr(c["Plain"](third=[], first="b")),
    "missing": lambda c: c["Plain"](),
    "too many": lambda c: c["Plain"](1, 2, 3, 4),
    "unknown": lambda c: c["Plain"](1, fourth=3),
    "default made anew": lambda c: c["Plain"]("a").third is c["Plain"]("a").third,
    "equal": lambda c: c["Plain"]("a") == c["Plain"]("a"),
    "unequal": lambda c: c["Plain"]("a") == c["Plain"]("b"),
    "other class": lambda c: c["Checked"](1) == c["Late"](1),
    "no value": lambda c: c["Checked"](1) == 1,
    "uncompared": lambda c: c["Hidden"]("a", 1) == c["Hidden"]("a", 2),
    "own equality": lambda c: c["Own"](1) == c["Own"](2),
    "hash": lambda c: hash(c["Hidden"]("a", 1)),
    "hash without unhashed": lambda c: hash(c["Hidden"]("a", 1, ([],))),
    "hash of unhashable": lambda c: hash(c["Plain"]("a")),
    "hash of none": lambda c: hash(c["Nothing"]()),
    "own hash": lambda c: hash(c["Own"](1)),
    "set": lambda c: setattr(c["Checked"](1), "value", 2),
    "delete": lambda c: delattr(c["Checked"](1), "value"),
    "late": lambda c: repr(c["Late"](3)),
    "checked": lambda c: c["Checked"](-1),
    "replace": lambda c: repr(dataclasses.replace(c["Plain"]("a"), second=5)),
    "as a dictionary": lambda c: dataclasses.asdict(c["Hidden"]("a", 1)),
    "fields": lambda c: [(f.name, f.type, f.default) for f in dataclasses.fields(c["Plain"])],
    "match": lambda c: (c["Plain"].__match_args__, c["Late"].__match_args__),
    "slots": lambda c: [each.__slots__ for each in c.values()],
    "copy": lambda c: repr(copy.copy(c["Plain"]("a", 4))),
    "deep copy": lambda c: repr(copy.deepcopy(c["Hidden"]("a", [4]))),
    "state": lambda c: _through_state(c["Plain"], "a", 4),
    "doc": lambda c: [each.__doc__ for each in c.values()],
}


def _in_itself(cls: Callable[..., object]) -> object:
    items: list[object] = []
    made = cls("a", 1, items)
    items.append(made)
    return made


def _through_state(cls: Callable[..., Any], *values: object) -> str:
    function, arguments, state, *_ = cls(*values).__reduce_ex__(pickle.HIGHEST_PROTOCOL)
    made = function(*arguments)
    if hasattr(made, "__setstate__"):
        made.__setstate__(state)
    return f"{state} {made.first if state and isinstance(state, list) else ''}"


def _outcome(action: Callable[[dict[str, Any]], object], classes: dict[str, Any]) -> object:
    try:
        return action(classes)
    except (TypeError, ValueError, AttributeError) as error:
        return type(error), str(error)


@pytest.mark.parametrize("flags", [{"frozen": True}, {}], ids=["frozen", "mutable"])
@pytest.mark.parametrize("action", ACTIONS)
def test_a_class_does_what_one_of_the_standard_library_does(action: str, flags: dict[str, bool]) -> None:
    ours, theirs = _classes(records.dataclass, **flags), _classes(dataclasses.dataclass, **flags)

    assert _outcome(ACTIONS[action], ours) == _outcome(ACTIONS[action], theirs)


def test_other_flags_go_to_the_standard_library() -> None:
    @records.dataclass(frozen=True, slots=True, eq=False)
    class Same:
        """Equal to nothing else."""

        value: int

    assert Same(1) != Same(1)


def test_a_field_given_by_name_only_is_refused() -> None:
    with pytest.raises(TypeError, match="value: a field that is only given by name"):

        @records.dataclass(slots=True)
        class Named:
            """A field that cannot stand in order."""

            value: int = dataclasses.field(kw_only=True)
