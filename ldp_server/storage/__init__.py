"""Stores: one port, two implementations, one place where writes are decided."""

from ldp_server.storage.memory import MemoryStore
from ldp_server.storage.port import (
    Committed,
    Delete,
    Outcome,
    Patch,
    Post,
    Put,
    Reason,
    Record,
    Refusal,
    Store,
    Write,
)
from ldp_server.storage.sqlite import SqliteStore, open_sqlite_store

__all__ = [
    "Committed",
    "Delete",
    "MemoryStore",
    "Outcome",
    "Patch",
    "Post",
    "Put",
    "Reason",
    "Record",
    "Refusal",
    "SqliteStore",
    "Store",
    "Write",
    "open_sqlite_store",
]
