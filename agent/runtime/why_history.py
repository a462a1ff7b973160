"""What the trace of a run tells an explanation: the last step, failures in a row, when stages opened."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from agent.errors import Place, UsageError
from agent.gsm.ruleset import lifecycle_rules
from agent.gsm.why.snapshot import History
from agent.n3.program import RequestRule
from agent.rdf.terms import IRI, Formula, document_of
from agent.vocab import AG, GSM

_HAS_STATE, _ACTIVE = IRI(GSM + "hasState"), IRI(GSM + "active")
_FOR_STAGE = AG + "forStageInstance"

Line = dict[str, Any]


def read_history(name: str) -> History:
    """Return what the trace in the file ``name`` tells; UsageError USE002 if it cannot be read, or is none.

    A last line that is cut off is left out: the run may be going on.
    """
    try:
        with Path(name).open(encoding="utf-8") as stream:
            return _history(_lines(stream, name), name)
    except OSError as error:
        raise UsageError("USE002", f"{name} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError("USE002", f"{name} is no trace: it is not UTF-8 text") from None


def _lines(stream: Iterable[str], name: str) -> Iterator[Line]:
    number, fault = 0, ""
    for number, text in enumerate(stream, 1):
        if fault:
            raise UsageError("USE002", f"{name} is no trace: {fault}", place=Place(name, number - 1, 1))
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):
            fault = "this is no line of JSON"
            continue
        if not (isinstance(line, dict) and isinstance(line.get("step"), int)):
            raise UsageError("USE002", f"{name} is no trace: this is no step", place=Place(name, number, 1))
        yield line


def _history(lines: Iterable[Line], name: str) -> History:
    openers = frozenset(rule.name for rule in lifecycle_rules().requests if _opens(rule))
    failures: dict[str, int] = {}
    answered: dict[str, str] = {}
    opened: dict[str, tuple[int, str]] = {}
    last: Line = {}
    for line in lines:
        last = line
        instant = str(line.get("instant", ""))
        for get in _objects(line.get("gets")):
            uri = str(get.get("uri"))
            if get.get("reason"):
                failures[uri] = failures.get(uri, 0) + 1
            else:
                failures[uri] = 0
                answered[uri] = instant
        for request in _objects(line.get("requests")):
            for document in _opened(request, openers):
                opened[document] = (line["step"], instant)
    if not last:
        raise UsageError("USE002", f"{name} is no trace: it has no step")
    in_a_row = {uri: count for uri, count in failures.items() if count}
    return History(last["step"], str(last.get("instant", "")), in_a_row, answered, opened)


def _objects(value: object) -> list[Line]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _opened(request: Line, openers: frozenset[str]) -> Iterator[str]:
    """Yield the documents of stage instances that ``request`` opened, or started a task of."""
    if request.get("outcome") != "confirmed":
        return
    rules = request.get("rule")
    if isinstance(rules, list) and not openers.isdisjoint(filter(_is_text, rules)):
        yield document_of(str(request.get("uri")))
    annotations = request.get("annotations")
    for pair in annotations if isinstance(annotations, list) else []:
        if isinstance(pair, list) and len(pair) == 2 and pair[0] == _FOR_STAGE:
            yield document_of(str(pair[1]).removeprefix("<").removesuffix(">"))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _opens(rule: RequestRule) -> bool:
    """Tell whether a rule of the lifecycle makes a stage active that was not."""
    bodies = (template.body for template in rule.requests)
    sets_active = any(
        isinstance(body, Formula) and any((p, o) == (_HAS_STATE, _ACTIVE) for _, p, o in body.triples)
        for body in bodies
    )
    return sets_active and any(pattern.triple.predicate == IRI(AG + "mayActivate") for pattern in rule.body)
