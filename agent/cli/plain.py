"""Plain words are read without the library that reads all words.

typer takes a tenth of a second to load together with pydantic, which converts each value, longer than most commands
need to run. A command line whose words are all plain is read here: options by their whole names, values that are
texts, plain numbers within their bounds or one of a choice. Everything else, every fault and the help are typer's.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import NoneType
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from agent.cli.parameters import Argument, Group, Option
from agent.cli.rooms import ROOMS, load

_NUMBERS = {int: re.compile("-?[0-9]{1,15}"), float: re.compile("-?[0-9]{1,15}([.][0-9]{1,15})?")}


class _NotPlainError(Exception):
    """Words that typer has to look at."""


class _Parameter(NamedTuple):
    """A parameter of a command: the type of one value, whether there may be several, and what is said about it."""

    kind: object
    is_list: bool
    said: Option | Argument


def plain_call(words: Sequence[str]) -> tuple[str, partial[int | None]] | None:
    """Return the command that ``words`` name and the call that they mean, nothing if they are not all plain."""
    name, *rest = words or [""]
    if name not in ROOMS:
        return None
    command = load(name)
    if isinstance(command, Group):
        if not rest or rest[0] not in command.commands:
            return None
        command = command.commands[rest.pop(0)]
    try:
        values = _plain_values(command, rest)
    except _NotPlainError:
        return None
    return name, partial(command, **values)


def _plain_values(command: Callable[..., object], words: Sequence[str]) -> dict[str, object]:
    """Return the value of each parameter of ``command`` by its name; _NotPlainError if a word is not plain."""
    parameters = {
        name: _parameter(hint)
        for name, hint in get_type_hints(command, include_extras=True).items()
        if name != "return"
    }
    given: dict[str, list[object]] = {}
    for name, value in _pairs(parameters, words):
        given.setdefault(name, []).append(_value(value, parameters[name]))
    defaults = _defaults(command)
    values = {}
    for name, parameter in parameters.items():
        some = given.get(name, [])
        if (not some and name not in defaults) or (len(some) > 1 and not parameter.is_list):
            raise _NotPlainError
        values[name] = defaults[name] if not some else some if parameter.is_list else some[0]
    return values


def _parameter(hint: object) -> _Parameter:
    kind, said = get_args(hint)
    if NoneType in get_args(kind):
        (kind,) = (each for each in get_args(kind) if each is not NoneType)
    is_list = get_origin(kind) is list
    return _Parameter(get_args(kind)[0] if is_list else kind, is_list, said)


def _defaults(command: Callable[..., Any]) -> Mapping[str, object]:
    """Return the defaults of those parameters that have one."""
    while hasattr(command, "__wrapped__"):
        command = command.__wrapped__
    names = command.__code__.co_varnames[: command.__code__.co_argcount]
    defaults = command.__defaults__ or ()
    return dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))


def _pairs(parameters: Mapping[str, _Parameter], words: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """Yield the names of parameters with the words that give them values, None for an option that takes none."""
    options = {
        word: name
        for name, each in parameters.items()
        if isinstance(each.said, Option)
        for word in each.said.names
    }
    places = iter([name for name, each in parameters.items() if isinstance(each.said, Argument)])
    place = ""
    pending = iter(words)
    for word in pending:
        if word in options:
            name = options[word]
            value = None if parameters[name].kind is bool else next(pending, "-")
            if value is not None and value.startswith("-"):
                raise _NotPlainError
            yield name, value
        elif word.startswith("-"):
            raise _NotPlainError
        else:
            if not place or not parameters[place].is_list:
                place = next(places, "")
            if not place:
                raise _NotPlainError
            yield place, word


def _value(word: str | None, parameter: _Parameter) -> object:
    """Return what typer would make of ``word``."""
    kind = parameter.kind
    if word is None:
        return True
    if kind is str or (get_origin(kind) is Literal and word in get_args(kind)):
        return word
    if kind in _NUMBERS and _NUMBERS[kind].fullmatch(word) and isinstance(parameter.said, Option):
        number = kind(word)
        least, most = parameter.said.min, parameter.said.max
        if (least is None or least <= number) and (most is None or number <= most):
            return number
    raise _NotPlainError
