"""The builtins: predicates computed by code, one function each, one module for each vocabulary."""

from collections.abc import Mapping
from types import MappingProxyType

from agent.n3.builtins import (
    arithmetic,
    comparisons,
    crypto,
    formats,
    formulas,
    lists,
    logic,
    names,
    patterns,
    quoting,
    rounding,
    sparql,
    text,
    times,
    trigonometry,
)
from agent.n3.builtins.registry import REGISTRY, Builtin, Context, Numeric

BUILTINS: Mapping[str, Builtin] = MappingProxyType(REGISTRY)

VOCABULARY_MODULES = (
    arithmetic,
    comparisons,
    crypto,
    formats,
    formulas,
    lists,
    logic,
    names,
    patterns,
    quoting,
    rounding,
    sparql,
    text,
    times,
    trigonometry,
)

__all__ = ["BUILTINS", "VOCABULARY_MODULES", "Builtin", "Context", "Numeric"]
