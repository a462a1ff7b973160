"""Carry ``ontology/`` and ``rules/`` inside the wheel as ``agent/_data/``; an editable install reads the checkout."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

AREAS = ("ontology", "rules")


class BundleData(BuildHookInterface):  # type: ignore[type-arg]  # the hook is the same for every builder
    """Add the data areas to a wheel that is installed for real."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Map every area below ``agent/_data``, unless ``version`` says that the install is editable."""
        if version != "editable":
            for area in AREAS:
                build_data["force_include"][area] = f"agent/_data/{area}"
