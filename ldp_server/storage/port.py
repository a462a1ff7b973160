"""What the server asks of a store: batches of writes, what is there now, and what changed.

Values that hold no functions are left out of the search for cycles (``gc=False``): they cannot be in one, and are many.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Protocol

from msgspec import Struct

from ldp_server.binaries import Binary
from ldp_server.documents import Draft
from ldp_server.faults import Problem
from ldp_server.storage.changes import ChangeLog
from ldp_server.storage.contents import ContentFolder
from ldp_server.storage.rules import NO_RULES, Rules
from ldp_server.validators import NO_PRECONDITION, Precondition


class Record(Struct, frozen=True, gc=False):
    """The state of one resource: its path, the number of the commit that made it, its own triples or content.

    ``text`` is N-Triples, empty for a Non-RDF source, which has ``binary`` instead. ``describes`` is the path
    of the Non-RDF source that a description is about, else empty. The version of a container also moves when
    a member comes or goes, because its listing shows that; it does not move when a member changes.
    """

    path: str
    version: int
    text: bytes
    binary: Binary | None = None
    describes: str = ""


class Put(Struct, frozen=True, gc=False):
    """Replace or create the resource at ``path``, with the containers on the way; content is no container."""

    path: str
    draft: Draft | Binary
    precondition: Precondition = NO_PRECONDITION
    rules: Rules = NO_RULES


class Post(Struct, frozen=True, gc=False):
    """Create a member of ``container`` under a name the store chooses; ``slug`` is a safe name or empty.

    Content that is to be a container is refused: a container is RDF.
    """

    container: str
    draft: Draft | Binary
    slug: str = ""
    makes_container: bool = False
    precondition: Precondition = NO_PRECONDITION
    rules: Rules = NO_RULES


class Delete(Struct, frozen=True, gc=False):
    """Remove the resource at ``path``, and its description."""

    path: str
    precondition: Precondition = NO_PRECONDITION
    rules: Rules = NO_RULES


class Patch(Struct, frozen=True):
    """Replace the triples at ``path`` by what ``change`` makes of them, or create the resource from nothing (None).

    ``change`` is pure and quick, because it is called inside the commit.
    """

    path: str
    change: "Callable[[Record | None], bytes | Refusal]"
    precondition: Precondition = NO_PRECONDITION
    rules: Rules = NO_RULES


Write = Put | Post | Delete | Patch


class Committed(Struct, frozen=True, gc=False):
    """A write that is done, durable and visible; ``version`` is the number of its commit.

    ``describes`` is the path of the Non-RDF source that the written resource is about, else empty.
    """

    path: str
    version: int
    created: bool = False
    describes: str = ""


class Reason(Enum):
    """Why a write was refused; its value says it in words."""

    PRECONDITION = "the precondition does not hold"
    ABSENT = "there is no such resource"
    GONE = "the resource was deleted and its name is not used again"
    UNCONDITIONAL = "the resource is replaced under If-Match only"
    READ_ONLY = "the body changes a property that clients may not change"
    NOT_A_CONTAINER = "the resource is not a container"
    ROOT = "the root container cannot be deleted"
    NOT_EMPTY = "the container has members"
    SLASH_TWIN = "the same path with or without its final slash exists"
    BELOW_DOCUMENT = "a document stands where a container is needed"
    OTHER_KIND = "the resource is of the other kind, RDF or not"
    DESCRIPTION = "a description goes with what it describes"
    DESCRIPTION_TAKEN = "the name of the description is taken"
    CONTAINMENT = "the body changes what the container contains"
    NO_ROOM = "the path of the member would be too long or too deep"
    NOT_RDF = "the resource is not RDF"
    PATCH = "the patch cannot be done"
    COSTLY = "the patch is not quick enough for the commit"
    OUTPACED = "the resource changed while the patch was worked out"
    BUSY = "too many writes are waiting"
    FAILED = "the store could not write"


class Refusal(Struct, frozen=True):
    """A write that left no trace; ``path`` is the resource that stands in the way.

    ``problem`` says more where the reason alone does not tell it.
    """

    reason: Reason
    path: str
    problem: Problem | None = None


Outcome = Committed | Refusal


class FamilyTooLargeError(Exception):
    """The members of a container are more bytes than were asked for."""


class Family(Struct, frozen=True):
    """A container with its members, all of one moment; ``subtree`` is its subtree version.

    Each member comes with the paths of its own members if it is a container; a description stands for what it describes.
    ``size`` is about how many bytes all of it takes as N-Triples.
    """

    container: Record
    subtree: int
    members: tuple[tuple[Record, Sequence[str]], ...]
    size: int


class Store(Protocol):
    """A place for resources. Everything one write does happens at once or not at all."""

    @property
    def contents(self) -> ContentFolder:
        """Return the folder for the files of large contents."""
        ...

    @property
    def log(self) -> ChangeLog:
        """The log of the commits that are visible to reads."""
        ...

    async def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        """Do each write that can be done, in order, and return one outcome each.

        The writes are independent: a refused one does not hinder the others. What is committed is durable
        (as far as the store is) and visible to every later read. The files of contents pass to the store, which
        removes those of refused writes, and of resources that are gone; that of a write that failed goes at the next start.
        """

    def submit(self, writes: Sequence[Write], tell: Callable[[list[Outcome]], None]) -> None:
        """Do as ``commit`` does, and call ``tell`` with the outcomes: at once, or later in the thread of the running loop."""

    async def read(self, path: str) -> Record | None:
        """Return the resource at ``path``, or None."""

    def at_hand(self, path: str) -> Record | None:
        """Return the resource at ``path`` if that takes no waiting; None says neither that there is one nor that there is none."""
        ...

    async def read_listing(self, path: str) -> tuple[Record, list[str]] | None:
        """Return a container and the paths of its members in order, both of the same moment, or None."""

    async def was_deleted(self, path: str) -> bool:
        """Tell whether a resource at ``path`` was deleted under the rule that keeps its name."""

    async def read_subtree(self, path: str) -> int | None:
        """Return the number of the last commit that changed anything at or below a container, or None without one."""

    async def read_family(self, path: str, max_bytes: int) -> Family | None:
        """Return a container with the states of its members, or None; raise FamilyTooLargeError above ``max_bytes``."""

    def claim_base(self, base: str) -> None:
        """Note the base URL that the stored IRIs begin with, or raise LDP032 if there is another one."""

    async def close(self) -> None:
        """Finish the writes that wait, and let go of files and threads. Later calls are refused."""
