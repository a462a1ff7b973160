"""What a server can be told: its limits, its rules for writes, whose pages may use it."""

from collections.abc import Mapping

from msgspec import Struct

from ldp_server.vocabulary import LDP_CONTAINS


class Settings(Struct, frozen=True):
    """Limits that keep one client from hurting the others, then rules; sizes in bytes, times in seconds."""

    max_body: int = 4 * 1024 * 1024
    max_content: int = 64 * 1024 * 1024
    """Size of the content of a Non-RDF source."""
    max_inline: int = 64 * 1024
    """Content up to this size is kept with its resource, larger content in a file."""
    max_patch: int = 256 * 1024
    max_triples: int = 100_000
    max_stored: int = 32 * 1024 * 1024
    """Size of a document written out as N-Triples; prefixes can make a small body long."""
    max_iri: int = 8 * 1024
    max_literal: int = 1024 * 1024
    max_header_line: int = 8 * 1024
    max_header_fields: int = 100
    max_header: int = 32 * 1024
    """Size of all header fields together."""
    parse_budget_s: float = 5.0
    """Processor time for parsing one body."""
    patch_steps: int = 300_000
    """Triples that a patch may look at, to find what it is about and to write it."""
    patch_budget_s: float = 2.0
    """Processor time of an update that needs all of SPARQL, in a process of its own."""
    header_timeout_s: float = 10.0
    body_idle_timeout_s: float = 30.0
    body_timeout_s: float = 60.0
    unread_timeout_s: float = 60.0
    """How long a client may take nothing of an answer before its connection is ended."""
    keepalive_timeout_s: float = 75.0
    stop_timeout_s: float = 5.0
    max_connections: int = 1000
    max_connections_of_one: int = 100
    """Connections that one address of another machine may have open."""
    cached_bytes: int = 64 * 1024 * 1024
    """Memory for what was served before: one half for representations, one for answers to requests that come again."""
    max_view: int = 8 * 1024 * 1024
    """Size of the members of a container that are shown in one answer, as N-Triples."""
    max_streams: int = 64
    """Streams of events that one address may have open."""
    max_topics: int = 256
    """Topics of one stream."""
    stream_pulse_s: float = 15.0
    """The time between two signs of life in a stream in which nothing happens."""
    requires_match: bool = False
    """A PUT on a resource that exists needs If-Match (428)."""
    keeps_names: bool = False
    """The name of a resource that was deleted is never used again (410)."""
    shows_types: bool = False
    """A document is shown with the type ldp:RDFSource, also when its author did not write it."""
    read_only: frozenset[str] = frozenset()
    """Properties whose values on a resource no client may set or change (409)."""
    cors_origins: frozenset[str] = frozenset()
    """Sites whose pages may read and write through a browser, such as ``https://app.example``."""


PROFILES: Mapping[str, Settings] = {
    "relaxed": Settings(),
    "conformance": Settings(
        requires_match=True,
        keeps_names=True,
        shows_types=True,
        read_only=frozenset({LDP_CONTAINS, "http://example.com/ns#comment"}),
    ),
}
"""Settings with a name: ``relaxed`` for agents that share a server, ``conformance`` with all that LDP recommends.

The property of an example is read-only so that clients, and the suite of the W3C, meet both kinds of constraints.
"""
