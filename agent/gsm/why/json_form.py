"""An explanation as JSON: every field of every value, always, in camel case."""

import json
import re

from msgspec import Struct
from msgspec.structs import fields

from agent.gsm.why.explanation import Explanation

FORMAT = 1
"""Grows when a key changes its meaning or goes away; new keys may come without it."""


def to_json(explanation: Explanation) -> str:
    """Return ``explanation`` as one JSON object, indented, ending in a line break."""
    document = {"format": FORMAT, **_object(explanation)}
    return json.dumps(document, ensure_ascii=False, indent=2).encode("utf-8", "replace").decode() + "\n"


def _object(value: Struct) -> dict[str, object]:
    return {_camel(each.name): _json(getattr(value, each.name)) for each in fields(value)}


def _json(value: object) -> object:
    if isinstance(value, Struct):
        return _object(value)
    return [_json(one) for one in value] if isinstance(value, tuple) else value


def _camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)
