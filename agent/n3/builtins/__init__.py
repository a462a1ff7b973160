"""The builtins: predicates computed by code, one function each; a vocabulary is loaded when one of its names is met."""

from collections.abc import Iterator, Mapping
from importlib import import_module

from agent.n3.builtins.registry import REGISTRY, Builtin, Context, Numeric
from agent.vocab import AG, CRYPTO, LIST, LOG, MATH, STRING, TIME

MODULES: Mapping[str, tuple[str, ...]] = {
    AG: ("names", "sparql"),
    CRYPTO: ("crypto",),
    LIST: ("lists",),
    LOG: ("formulas", "logic", "quoting"),
    MATH: ("arithmetic", "comparisons", "lists", "rounding", "trigonometry"),
    STRING: ("formats", "patterns", "text"),
    TIME: ("times",),
}
"""The modules that hold the builtins of a namespace."""


class _Builtins(Mapping[str, Builtin]):
    """All builtins by their IRIs: most programs use few vocabularies, and each takes time to load."""

    def __init__(self) -> None:
        self._waiting = set(MODULES)

    def __getitem__(self, iri: str) -> Builtin:
        found = REGISTRY.get(iri)
        if found is not None:
            return found
        self._load(iri[: iri.rfind("#") + 1])
        return REGISTRY[iri]

    def __iter__(self) -> Iterator[str]:
        for namespace in MODULES:
            self._load(namespace)
        return iter(REGISTRY)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _load(self, namespace: str) -> None:
        if namespace in self._waiting:
            for module in MODULES[namespace]:
                import_module(f"{__name__}.{module}")
            self._waiting.discard(namespace)


BUILTINS: Mapping[str, Builtin] = _Builtins()

__all__ = ["BUILTINS", "MODULES", "Builtin", "Context", "Numeric"]
