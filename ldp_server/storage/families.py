"""A container together with its members, read in one go."""

from ldp_server.binaries import description_path
from ldp_server.paths import is_container
from ldp_server.storage.decision import View
from ldp_server.storage.port import Family, FamilyTooLargeError, Record


def gather(container: Record, subtree: int, view: View, max_bytes: int) -> Family:
    """Return ``container`` with its members, or raise FamilyTooLargeError when their texts pass ``max_bytes``.

    For a Non-RDF source its description stands.
    """
    members = []
    size = len(container.text)
    for path in view.members(container.path):
        record = view.record(path)
        if record is not None and record.binary is not None:
            record = view.record(description_path(path))
        if record is None:
            continue
        below = tuple(view.members(path)) if is_container(path) else ()
        size += len(record.text) + sum(map(len, below))
        if size > max_bytes:
            raise FamilyTooLargeError
        members.append((record, below))
    return Family(container, subtree, tuple(members))
