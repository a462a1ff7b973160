"""The builtins: predicates computed by code, one function each, one module for each vocabulary."""

from collections.abc import Mapping
from types import MappingProxyType

from agent.n3.builtins import arithmetic, comparisons, lists, logic, names, text, times
from agent.n3.builtins.registry import REGISTRY, Builtin, Context, Numeric

BUILTINS: Mapping[str, Builtin] = MappingProxyType(REGISTRY)

VOCABULARY_MODULES = (arithmetic, comparisons, lists, logic, names, text, times)

__all__ = ["BUILTINS", "VOCABULARY_MODULES", "Builtin", "Context", "Numeric"]
