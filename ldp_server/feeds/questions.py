"""What a query on a container asks for."""

import re
from urllib.parse import parse_qsl

from msgspec import Struct

from ldp_server.faults import Problem

NUMBER = re.compile(r"[0-9]{1,18}")


class Changes(Struct, frozen=True):
    """What changed after the commit ``since``; ``with_bodies`` also the documents that did."""

    since: int
    with_bodies: bool = False


class Inlined(Struct, frozen=True):
    """The container with the documents of its members."""


def read_question(query: str) -> Changes | Inlined:
    """Return what is asked, or raise LDP009 for what is no question here, LDP060 for one that is not well-formed."""
    try:
        fields = parse_qsl(query, keep_blank_values=True, max_num_fields=4)
    except ValueError:
        fields = []
    names = [name for name, _ in fields]
    if fields == [("inlined", "")]:
        return Inlined()
    if "since" not in names:
        raise Problem(
            "LDP009", "This query is no resource here. Containers answer ?since=NUMBER and ?inlined."
        )
    values = dict(fields)
    if sorted(names) not in (["since"], ["bodies", "since"]) or values.get("bodies"):
        raise Problem("LDP060", "A question about changes is ?since=NUMBER or ?since=NUMBER&bodies.")
    return Changes(read_number(values["since"]), "bodies" in values)


def read_number(text: str) -> int:
    """Return the number after ``since=``, or raise LDP060."""
    if not NUMBER.fullmatch(text):
        raise Problem("LDP060", "The number after since= is the sequence of an earlier answer, digits only.")
    return int(text)
