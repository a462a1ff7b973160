"""What a command reads quickly is what typer reads: the same values of the same types, the same faults."""

from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias, cast

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.core import TyperCommand, TyperOption

from agent.cli.commands import ROOMS
from agent.cli.plain import PlainCommand
from tests.support.depth import depth

if TYPE_CHECKING:
    from collections.abc import Callable

Read: TypeAlias = tuple[str, list[tuple[str, object, type]]]

COMMANDS = tuple(name for name in ROOMS if name not in {"bench", "experiment"})
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


def _command(name: str, kind: type[TyperCommand]) -> TyperCommand:
    """Return the command ``name``, which only tells the values that it was called with."""
    defined = cast("Callable[..., object]", getattr(import_module(f"agent.cli.{ROOMS[name]}"), name))

    @wraps(defined)
    def told(**values: object) -> object:
        return values

    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(cls=kind)(told)
    return cast("TyperCommand", typer.main.get_command(app))


def _words(parameter: object) -> int:
    """Return how many words give a parameter its value."""
    return 2 if isinstance(parameter, TyperOption) else 1


def _read(command: TyperCommand, words: list[str]) -> Read:
    try:
        values = command(words, prog_name="milepost", standalone_mode=False)
    except typer.TyperException as error:
        return error.format_message(), []
    if not isinstance(values, dict):
        return f"left with {values}", []  # after the help
    return "", sorted((name, value, type(value)) for name, value in values.items())


@pytest.mark.parametrize("name", COMMANDS)
def test_plain_arguments_are_read_as_typer_reads_them(name: str) -> None:
    quick, slow = _command(name, PlainCommand), _command(name, TyperCommand)
    options = [word for each in slow.params if isinstance(each, TyperOption) for word in each.opts]
    limited = [word for each in slow.params if getattr(each, "min", None) is not None for word in each.opts]
    needed = [
        word for each in slow.params if each.required for word in (*each.opts[:1], "a")[-_words(each) :]
    ]
    joined = [f"{option}={value}" for option in options for value in ("1", "nt", "")]
    number = st.tuples(st.sampled_from(limited or ["-x"]), st.sampled_from(("-1", "0", "1", "65536")))
    pair = st.tuples(st.sampled_from(options or ["-x"]), st.sampled_from(VALUES))
    word = st.tuples(st.sampled_from((*VALUES, *options, *joined, "-x", "-pa", "--no-such")))

    @settings(max_examples=depth(40, 2000))
    @given(st.lists(number | pair | word, max_size=4), st.booleans())
    def check(groups: list[tuple[str, ...]], lacking: bool) -> None:
        words = ([] if lacking else needed) + [word for group in groups for word in group]
        assert _read(quick, words) == _read(slow, words)

    check()
