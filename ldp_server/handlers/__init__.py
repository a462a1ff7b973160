"""What the server does with a request: which resource it is about, reads, writes."""

from ldp_server.handlers.dispatch import Dispatch
from ldp_server.handlers.site import Site

__all__ = ["Dispatch", "Site"]
