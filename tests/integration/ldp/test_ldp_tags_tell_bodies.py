"""Whatever is written in whatever order: an entity tag means one body for ever, and 304 that nothing differs.

Writes of every kind are made by chance, one after another or several at once, and what is shown is read between them in
every syntax and view. A reader that has seen earlier bodies asks with all their tags.
"""

import asyncio
import random
from collections import defaultdict
from collections.abc import Sequence

import pytest

from ldp_server import Store
from tests.support.depth import depth
from tests.support.ldp import Ldp, running_ldp
from tests.support.ldp_wire import Wire, WireAnswer, wires

LDP = "http://www.w3.org/ns/ldp#"
SOLID = "@prefix s: <http://www.w3.org/ns/solid/terms#> . _:p a s:InsertDeletePatch ; "
ACCEPTS = (
    "text/turtle",
    "application/ld+json",
    "application/n-triples",
    "application/rdf+xml",
    "application/n-quads",
    "application/trig",
    "text/html, */*;q=0.1",
)
PREFERS = (
    "",
    "",
    f'return=representation; include="{LDP}PreferMinimalContainer"',
    f'return=representation; omit="{LDP}PreferContainment"',
)
DOCUMENTS = ("/c/x", "/c/p.meta", "/c/box/y", "/c/", "/c/box/")
PLACES = (*DOCUMENTS, "/c/p", "/", "/c/box/deep/")
ALL_ABOVE = ("/", "/c/", "/c/box/")


class Reader:
    """Reads all there is to see, and knows what each tag was shown with."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._shown: dict[str, dict[str, tuple[bytes, bytes]]] = defaultdict(dict)
        self._numbers = ["1"]
        self.bodies = 0

    def _question(self) -> tuple[str, dict[str, str]]:
        path = self._chance.choice(PLACES)
        if path.endswith("/"):
            view = self._chance.choice(("", "", "?inlined", "?since={}", "?since={}&bodies"))
            path += view.format(self._chance.choice(self._numbers[-4:]))
        if "?" not in path and self._chance.random() < 0.2:
            path += self._chance.choice(("?as=ttl", "?as=jsonld", "?as=html"))
        headers = {"Accept": self._chance.choice(ACCEPTS), "Prefer": self._chance.choice(PREFERS)}
        return path, headers

    async def read(self, wire: Wire) -> tuple[str, dict[str, str], WireAnswer]:
        """Read something; assert that its tag was never shown with anything else."""
        path, headers = self._question()
        answer = await wire.send("GET", path, **headers)
        assert answer.status in {200, 404, 406, 410}, (path, headers, answer)
        if answer.status == 200:
            body = (answer.headers[b"content-type"], answer.body)
            self.bodies += answer.tag not in self._shown[path]
            assert self._shown[path].setdefault(answer.tag, body) == body, (path, headers, answer.tag)
            if path.endswith("/"):
                self._numbers.append(answer.tag.strip('"').partition("-")[0])
        return path, headers, answer

    async def read_again(self, wire: Wire) -> None:
        """Read something, and then once more with the tags of all bodies that differ from it, and with its own."""
        path, headers, answer = await self.read(wire)
        if answer.status != 200:
            return
        shown = (answer.headers[b"content-type"], answer.body)
        others = [tag for tag, body in self._shown[path].items() if body != shown]
        held = ", ".join(others[-120:])
        later = await wire.send("GET", path, **headers, If_None_Match=held)
        assert (later.status, later.body) == (200, answer.body), (path, headers, held)
        same = await wire.send("GET", path, **headers, If_None_Match=f"{held}, {answer.tag}")
        head = await wire.send("HEAD", path, **headers, If_None_Match=answer.tag)
        assert {(each.status, each.tag) for each in (same, head)} == {(304, answer.tag)}, (path, headers)


async def write(wire: Wire, chance: random.Random) -> None:
    """Write something; few bodies are used, so what was there before often comes back."""
    number, path = chance.randrange(3), chance.choice(DOCUMENTS)
    turtle = f"<> <http://v/> {number} , [ <http://w/> {number} ] ."
    kind = chance.choice(
        ("put", "put", "content", "content", "insert", "update", "engine", "post", "delete", "delete")
    )
    if kind == "put":
        answer = await wire.put(path, turtle)
    elif kind == "content":
        content = bytes([number]) * chance.choice((3, 3, 70_000))
        media_type = chance.choice(("image/png", "a/b", "text/turtle"))
        link = f'<{LDP}NonRDFSource>; rel="type"'
        answer = await wire.send("PUT", "/c/p", content, Content_Type=media_type, Link=link)
    elif kind == "insert":
        body = f"{SOLID} s:inserts {{ <> <http://v/> {number} }} ."
        answer = await wire.send("PATCH", path, body.encode(), Content_Type="text/n3")
    elif kind in {"update", "engine"}:
        what = f"?s ?p {number}" if kind == "update" else f"?s ?p ?o FILTER (?o = {number} && isNumeric(?o))"
        body = f"DELETE {{ ?s <http://v/> ?o }} WHERE {{ ?s <http://v/> ?o . {what} }}"
        answer = await wire.send("PATCH", path, body.encode(), Content_Type="application/sparql-update")
    elif kind == "post":
        answer = await wire.send(
            "POST", chance.choice(ALL_ABOVE), turtle.encode(), Content_Type="text/turtle"
        )
        if answer.status == 201 and chance.random() < 0.7:
            place = answer.headers[b"location"].split(wire.host)[1].decode()
            answer = await wire.send("DELETE", place)
    else:
        answer = await wire.send("DELETE", chance.choice((*PLACES, "/c/p")))
    assert answer.status < 500, (kind, path, answer)


@pytest.mark.parametrize("seed", range(depth(1, 20)))
async def test_a_tag_means_one_body_for_ever(store: Store, seed: int) -> None:
    chance = random.Random(seed)
    reader = Reader(chance)
    async with running_ldp(store) as server, Ldp(server) as ldp, wires(server, 4) as crowd:
        for _ in range(depth(80, 300)):
            await write(crowd[0], chance)
            for _ in range(3):
                await reader.read_again(crowd[0])
            await at_once(crowd, chance, reader)
        await ldp.check_listings()
    assert reader.bodies > depth(80, 300)


async def at_once(crowd: Sequence[Wire], chance: random.Random, reader: Reader) -> None:
    """Write and read at the same time."""
    first, second, *others = crowd
    await asyncio.gather(write(first, chance), write(second, chance), *map(reader.read, others))
