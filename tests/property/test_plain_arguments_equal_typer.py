"""What is read without typer is what typer reads: the same values of the same types. All else is left to it."""

from typing import TYPE_CHECKING, TypeAlias, cast

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.core import TyperCommand, TyperOption

from agent.cli.commands import declared
from agent.cli.parameters import Group
from agent.cli.plain import plain_call
from agent.cli.rooms import ROOMS, load
from tests.support.depth import depth

if TYPE_CHECKING:
    from collections.abc import Callable

Read: TypeAlias = list[tuple[str, object, type]]

VALUES = (
    *(
        "",
        "a",
        "http://h/i",
        "nt",
        "n3",
        "strict",
        "pick",
        "json",
        "text",
        "None",
        "true",
        "-",
        "--",
        "--help",
    ),
    *("0", "1", "-1", "+1", "007", "1_000", " 7 ", "7.0", "0.5", ".5", "5.", "1e3", "nan", "inf", "65536"),
    *("\u0663", "9" * 15, "9" * 16, "9" * 5000),
)


def _defined() -> dict[tuple[str, ...], "Callable[..., object]"]:
    """Return all commands by the words that they are called with."""
    found: dict[tuple[str, ...], Callable[..., object]] = {}
    for name in ROOMS:
        command = load(name)
        if isinstance(command, Group):
            found.update(((name, each), function) for each, function in command.commands.items())
        else:
            found[name,] = command
    return found


DEFINED = _defined()


def _typer_command(defined: "Callable[..., object]") -> TyperCommand:
    """Return a command of typer that only tells the values that it was called with."""

    def told(**values: object) -> object:
        return values

    known = declared(defined)
    told.__signature__, told.__annotations__ = known.__signature__, known.__annotations__  # type: ignore[attr-defined]  # as inspect reads them
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command()(told)
    return cast("TyperCommand", typer.main.get_command(app))


def _sorted(values: dict[str, object]) -> Read:
    return sorted((name, value, type(value)) for name, value in values.items())


def _read(command: TyperCommand, words: list[str]) -> Read | None:
    """Return what typer reads, nothing if it finds a fault or shows the help."""
    try:
        values = command(words, prog_name="milepost", standalone_mode=False)
    except typer.TyperException:
        return None
    return _sorted(values) if isinstance(values, dict) else None


def _read_plainly(name: tuple[str, ...], words: list[str]) -> Read | None:
    call = plain_call([*name, *words])
    if call is None:
        return None
    assert call[0] == name[0]
    assert call[1].func is DEFINED[name]
    return _sorted(call[1].keywords)


@pytest.mark.parametrize("name", DEFINED, ids=" ".join)
def test_plain_words_are_read_as_typer_reads_them(name: tuple[str, ...]) -> None:
    command = _typer_command(DEFINED[name])
    options = [word for each in command.params if isinstance(each, TyperOption) for word in each.opts]
    limited = [
        word for each in command.params if getattr(each, "min", None) is not None for word in each.opts
    ]
    needed = [
        word
        for each in command.params
        if each.required
        for word in ((each.opts[0], "a") if isinstance(each, TyperOption) else ("a",))
    ]
    joined = [f"{option}={value}" for option in options for value in ("1", "nt", "")]
    number = st.tuples(st.sampled_from(limited or ["-x"]), st.sampled_from(("-1", "0", "1", "65536")))
    pair = st.tuples(st.sampled_from(options or ["-x"]), st.sampled_from(VALUES))
    word = st.tuples(st.sampled_from((*VALUES, *options, *joined, "-x", "-pa", "--no-such")))

    @settings(max_examples=depth(40, 2000))
    @given(st.lists(number | pair | word, max_size=4), st.booleans())
    def check(groups: list[tuple[str, ...]], lacking: bool) -> None:
        words = ([] if lacking else needed) + [word for group in groups for word in group]
        plain = _read_plainly(name, words)
        assert plain is None or plain == _read(command, words)

    assert _read_plainly(name, needed) == _read(command, needed) is not None
    check()


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (
            ["reason", "-p", "a", "--program", "b", "--max-rounds", "5", "--format", "n3", "--strings"],
            {"program": ["a", "b"], "max_rounds": 5, "form": "n3", "strings": True, "numeric": "strict"},
        ),
        (
            ["run", "http://h/a", "--steps", "7", "http://h/b", "--recompute"],
            {"uris": ["http://h/a", "http://h/b"], "steps": 7, "recompute": True},
        ),
        (["why", "http://h/i", "Stage"], {"instance": "http://h/i", "element": "Stage"}),
        (
            ["bench", "reason", "--runs", "5", "--only", "join", "--only", "milepost"],
            {"only": ["join", "milepost"], "runs": 5},
        ),
    ],
)
def test_what_people_write_every_day_is_plain(words: list[str], values: dict[str, object]) -> None:
    call = plain_call(words)

    assert call is not None
    assert {name: call[1].keywords[name] for name in values} == values
