"""Large contents: one file each, under a name chosen by chance, in a folder of their own.

A file is written and flushed to the disk before the row that names it is committed, and removed after the
commit that drops the row. A crash in between leaves a file that no row names; the next start removes it
(ADR 0130).
"""

import logging
import os
import secrets
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import BinaryIO

LOG = logging.getLogger(__name__)
FOLDER = "contents"


class Incoming:
    """A content on its way into a file: written piece by piece, then finished or abandoned."""

    def __init__(self, folder: Path, *, is_durable: bool) -> None:
        self.name = secrets.token_hex(16)
        self._folder = folder
        self._is_durable = is_durable
        self._file = (folder / self.name).open("xb")

    def write(self, piece: bytes) -> None:
        """Append a piece, or raise OSError."""
        self._file.write(piece)

    def finish(self) -> None:
        """Close the file; in a durable folder it and its name are on the disk then."""
        self._file.flush()
        if self._is_durable:
            os.fsync(self._file.fileno())
        self._file.close()
        if self._is_durable:
            flush_folder(self._folder)

    def abandon(self) -> None:
        """Remove what has come so far; a write that is under way in another thread ends first."""
        try:
            self._file.close()
        except OSError as error:  # what was buffered does not fit on the disk, and is not wanted
            LOG.warning("a content that did not arrive whole: %s", error)
        (self._folder / self.name).unlink(missing_ok=True)


class ContentFolder:
    """The files of large contents in ``folder``, which is made if need be."""

    def __init__(self, folder: Path, *, is_durable: bool) -> None:
        self.folder = folder
        self._is_durable = is_durable
        folder.mkdir(exist_ok=True)
        if is_durable:
            flush_folder(folder.parent)

    def create(self) -> Incoming:
        """Begin a new file, or raise OSError."""
        return Incoming(self.folder, is_durable=self._is_durable)

    def open(self, name: str) -> BinaryIO:
        """Return the content of that name for reading, or raise FileNotFoundError; it stays readable when removed."""
        return (self.folder / name).open("rb")

    def remove(self, names: Iterable[str]) -> None:
        """Remove contents that no resource has any more; one that cannot be removed waits for the next start."""
        for name in names:
            try:
                (self.folder / name).unlink(missing_ok=True)
            except OSError as error:
                LOG.warning("the file of a content that is gone stays: %s", error)

    def sweep(self, kept: Collection[str]) -> None:
        """Remove the files that are not in ``kept``, and tell which of ``kept`` are missing."""
        present = {entry.name for entry in self.folder.iterdir()}
        self.remove(sorted(present - set(kept)))
        for name in sorted(set(kept) - present):
            LOG.error("the content %s is missing; put the folder back from a copy", self.folder / name)


def flush_folder(folder: Path) -> None:
    """Write the names in ``folder`` to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
