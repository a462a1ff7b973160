"""The options of ``milepost serve``, one each."""

from enum import StrEnum
from typing import Annotated

from agent.cli.parameters import Option

DEFAULT_FOLDER = "milepost-data"
LOOPBACK = "127.0.0.1"


class Profile(StrEnum):
    """The profiles of the server, by name; they are in ``ldp_server.settings``, which is loaded when it is needed."""

    RELAXED = "relaxed"
    CONFORMANCE = "conformance"


class Loop(StrEnum):
    """The event loops that the server can run on, by the names of their packages."""

    ASYNCIO = "asyncio"
    UVLOOP = "uvloop"


Data = Annotated[
    str | None,
    Option("--data", metavar="DIR", help=f"Keep data in DIR [default: {DEFAULT_FOLDER}]."),
]
Memory = Annotated[bool, Option("--memory", help="Keep data in memory and forget them.")]
Host = Annotated[
    str | None, Option("--host", metavar="H", help=f"Listen on this address [default: {LOOPBACK}].")
]
Port = Annotated[
    int,
    Option("--port", metavar="N", min=0, max=65535, help="Listen on this port; 0 takes a free one."),
]
BaseUrl = Annotated[
    str | None, Option("--base-url", metavar="U", help="The URL that clients know the server by.")
]
OffersSchedulers = Annotated[
    bool | None,
    Option(
        "--schedulers/--no-schedulers",
        help="Offer queues of requests at /schedulers/ [default: only to this machine itself].",
        show_default=False,
    ),
]
ProfileName = Annotated[
    Profile,
    Option(
        "--profile",
        help="relaxed: agents may write without conditions and use names again; "
        "conformance: all that the Linked Data Platform recommends.",
    ),
]
AllowOrigin = Annotated[
    list[str] | None,
    Option(
        "--allow-origin",
        metavar="ORIGIN",
        help="Let pages of this site read and write through a browser, such as https://app.example.",
    ),
]
TokenFile = Annotated[
    str | None,
    Option("--tokens", metavar="FILE", help="Answer only who sends a token that FILE has the hash of."),
]
NewToken = Annotated[
    str | None,
    Option(
        "--new-token", metavar="NAME", help="Make a token for NAME, print it, note its hash in FILE, and end."
    ),
]
Insecure = Annotated[
    bool,
    Option("--insecure", help="Listen where others reach it without asking anybody for a token."),
]
EventLoop = Annotated[
    Loop | None,
    Option(
        "--loop",
        help="The event loop to run on: Python's own, or the quicker one of milepost[fast]  "
        "[default: uvloop if it is installed].",
        show_default=False,
    ),
]
