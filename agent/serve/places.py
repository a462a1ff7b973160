"""Where the resources of schedulers are, below one container of the server."""

from typing import Literal, TypeAlias

from msgspec import Struct

PREFIX = "/schedulers/"
READ_ONLY = "GET, HEAD, OPTIONS"

Kind: TypeAlias = Literal[
    "all", "scheduler", "policy", "queue", "entry", "decisions", "decision", "nothing"
]  # what a path below the prefix is
_METHODS: dict[Kind, str] = {
    "all": READ_ONLY,
    "scheduler": f"{READ_ONLY}, PUT, DELETE",
    "policy": f"{READ_ONLY}, PUT",
    "queue": f"{READ_ONLY}, POST",
    "entry": f"{READ_ONLY}, PUT",
    "decisions": READ_ONLY,
    "decision": READ_ONLY,
    "nothing": "",
}


class Spot(Struct, frozen=True):
    """What a path means: a resource of the scheduler ``name``; ``key`` is the last segment of an entry or decision."""

    kind: Kind
    name: str = ""
    key: str = ""

    @property
    def methods(self) -> str:
        """Return what the resource takes."""
        return _METHODS[self.kind]


def spot(path: str) -> Spot:
    """Return what ``path``, which begins with ``PREFIX``, means."""
    match path.removeprefix(PREFIX).split("/"):
        case [""]:
            return Spot("all")
        case [name, ""]:
            return Spot("scheduler", name)
        case [name, "policy"]:
            return Spot("policy", name)
        case [name, "queue", ""]:
            return Spot("queue", name)
        case [name, "queue", key]:
            return Spot("entry", name, key)
        case [name, "decisions", ""]:
            return Spot("decisions", name)
        case [name, "decisions", key]:
            return Spot("decision", name, key)
        case _:
            return Spot("nothing")


class Addresses(Struct, frozen=True):
    """The resources of one scheduler: paths, and IRIs with ``base`` (no final slash) before them."""

    base: str
    name: str

    @property
    def home(self) -> str:
        """Return the path of the scheduler's container."""
        return f"{PREFIX}{self.name}/"

    @property
    def policy(self) -> str:
        """Return the path of its policy."""
        return self.home + "policy"

    @property
    def queue(self) -> str:
        """Return the path of its queue."""
        return self.home + "queue/"

    @property
    def decisions(self) -> str:
        """Return the path of its decisions."""
        return self.home + "decisions/"

    @property
    def it(self) -> str:
        """Return the IRI of the scheduler."""
        return f"{self.base}{self.home}#it"

    def iri(self, path: str) -> str:
        """Return the IRI of the resource at ``path``."""
        return self.base + path
