"""Arguments that need no conversion worth the name are read without the library that converts.

typer converts each value by pydantic, which takes longer to load than most commands need to run.
"""

import re
from collections.abc import Sequence
from types import NoneType
from typing import Any, Literal, TypeAlias, cast, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperArgument, TyperCommand, TyperOption

Parameter: TypeAlias = TyperArgument | TyperOption

_NUMBERS = {int: re.compile("-?[0-9]{1,15}"), float: re.compile("-?[0-9]{1,15}([.][0-9]{1,15})?")}


class PlainCommand(TyperCommand):
    """A command that takes plain values as they are, and leaves all others, wrong words and the help to typer."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401  typer hides the type
        """Put the values that the words ``args`` give into the context; typer.TyperException if a word is wrong."""
        try:
            values = self._plain_values(ctx, args)
        except (typer.TyperException, _NotPlainError):
            return super().parse_args(ctx, args)
        ctx.params.update(values)
        return []

    def _plain_values(self, context: Any, words: Sequence[str]) -> dict[str, object]:  # noqa: ANN401  the type of a context is typer's secret
        """Return the value of each parameter by its name."""
        given, rest, _ = self.make_parser(context).parse_args(args=list(words))
        if rest or not given.keys() <= {each.name for each in self.params}:  # such as --help
            raise _NotPlainError
        kinds = get_type_hints(self.callback)
        parameters = cast("list[Parameter]", self.params)  # typer makes no others
        return {each.name: _plain_value(each, kinds[each.name], given.get(each.name)) for each in parameters}


class _NotPlainError(Exception):
    """A value that typer has to look at."""


def _plain_value(parameter: Parameter, kind: object, given: object) -> object:
    """Return the value of a parameter of the type ``kind``, for which the words gave ``given``, None if nothing."""
    if parameter.envvar or parameter.callback or (parameter.required and not given):
        raise _NotPlainError
    value = parameter.default if given is None or given == () else given
    if value is None or value == []:
        return None if parameter.default is None else value
    kind = _without_none(kind)
    if get_origin(kind) is list and isinstance(value, list | tuple):
        (kind,) = get_args(kind)
        return [_converted(each, kind, parameter) for each in value]
    return _converted(value, kind, parameter)


def _without_none(kind: object) -> object:
    """Return the one type that the optional type ``kind`` is made of, or ``kind`` if it is not optional."""
    if NoneType not in get_args(kind):
        return kind
    (only,) = (each for each in get_args(kind) if each is not NoneType)
    return only


def _converted(value: object, kind: object, parameter: Parameter) -> object:
    """Return what typer would make of ``value``, a word or a default."""
    if kind is bool or kind is str:
        if isinstance(value, kind):
            return value
    elif get_origin(kind) is Literal:
        if value in get_args(kind):
            return value
    elif kind in _NUMBERS and _NUMBERS[kind].fullmatch(str(value)):
        number = kind(value)
        least, most = parameter.min, parameter.max
        if (least is None or least <= number) and (most is None or number <= most):
            return number
    raise _NotPlainError
