"""A ledger of processor time: every moment belongs to one activity, the innermost that was entered."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from time import thread_time
from typing import Any, Literal, ParamSpec, TypeAlias, TypeVar

Activity: TypeAlias = Literal["read", "parse", "reason", "decide", "act", "aside"]
ACTIVITIES: tuple[str, ...] = ("read", "parse", "reason", "decide", "act")
"""Retrieving (asking, taking answers, waiting), parsing, reasoning, deciding, sending. "Aside" is no part of the work."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Ledger:
    """Seconds of processor time of this thread by activity; ``clock`` never goes back.

    The clock of the whole process moves in ticks of some milliseconds where a limit of processor time is set.
    """

    def __init__(self, clock: Callable[[], float] = thread_time) -> None:
        self._clock = clock
        self._spent: dict[str, float] = dict.fromkeys(ACTIVITIES, 0.0)
        self._open: list[Activity] = ["read"]
        self._since = clock()

    def enter(self, activity: Activity) -> None:
        """Count what follows for ``activity``, until ``leave``."""
        self._settle()
        self._open.append(activity)

    def leave(self) -> None:
        """Go back to the activity before."""
        self._settle()
        self._open.pop()

    @contextmanager
    def during(self, activity: Activity) -> Iterator[None]:
        """Count what is done while the context is open for ``activity``."""
        self.enter(activity)
        try:
            yield
        finally:
            self.leave()

    def go_on_with(self, activity: Activity) -> None:
        """Count from now on for ``activity`` what is done outside all others."""
        self._settle()
        self._open[0] = activity

    def taken(self) -> dict[str, float]:
        """Return what was spent since the last call."""
        self._settle()
        spent: dict[str, float] = {activity: self._spent[activity] for activity in ACTIVITIES}
        self._spent = dict.fromkeys(ACTIVITIES, 0.0)
        return spent

    def counted(self, activity: Activity, function: Callable[_P, _T]) -> Callable[_P, _T]:
        """Return ``function`` with its processor time counted for ``activity``; if a generator, that of each piece."""
        if inspect.isgeneratorfunction(function):
            return self._counted_pieces(activity, function)

        @wraps(function)
        def call(*args: _P.args, **kwargs: _P.kwargs) -> _T:
            self.enter(activity)
            try:
                return function(*args, **kwargs)
            finally:
                self.leave()

        return call

    def count(self, activity: Activity, owner: Any, name: str) -> None:  # noqa: ANN401  a module or a class
        """Count all that the function or method ``name`` of ``owner`` does for ``activity``."""
        setattr(owner, name, self.counted(activity, getattr(owner, name)))

    def before(self, activity: Activity, kind: type[Any], name: str) -> None:
        """Go on with ``activity`` whenever the method ``name`` of ``kind`` is called."""
        method = getattr(kind, name)

        @wraps(method)
        def call(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  whatever the method takes and gives
            self.go_on_with(activity)
            return method(*args, **kwargs)

        setattr(kind, name, call)

    def count_class(self, activity: Activity, kind: type[Any]) -> None:
        """Count all that the public methods of ``kind`` do, and its constructor, for ``activity``."""
        for name, function in list(vars(kind).items()):
            if inspect.isfunction(function) and (name == "__init__" or not name.startswith("_")):
                setattr(kind, name, self.counted(activity, function))

    def _counted_pieces(self, activity: Activity, function: Callable[_P, Any]) -> Callable[_P, Any]:
        @wraps(function)
        def call(*args: _P.args, **kwargs: _P.kwargs) -> Iterator[Any]:
            pieces = function(*args, **kwargs)
            following = self.counted(activity, lambda: next(pieces, _END))
            while (piece := following()) is not _END:
                yield piece

        return call

    def _settle(self) -> None:
        now = self._clock()
        activity = self._open[-1]
        self._spent[activity] = self._spent.get(activity, 0.0) + now - self._since
        self._since = now


_END = object()
