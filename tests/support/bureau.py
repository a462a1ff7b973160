"""Services and claims of the insurance on a server of their own, in real time: they outlive the server of the workflows.

Every service finishes what it is asked after ``takes_s`` seconds and writes the result into the claim. The experts do the
work of one Idempotency-Key once.
"""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from agent.resources import read_bundled
from agent.sim.claim_files import INS
from agent.sim.services import RESULTS

MODELS = ("comprehensive-claim", "liability-claim", "agreements")
_PROCESS = re.compile(r"<(http[^<>]*/processes/(claim-\d+)#it)>")


@dataclass
class Bureau:
    """``calls`` counts what reached the experts by key, ``appraised`` the work they did; ``results`` are by claim."""

    base: str = ""
    takes_s: float = 0.1
    calls: Counter[str] = field(default_factory=Counter)
    appraised: Counter[str] = field(default_factory=Counter)
    results: dict[str, set[str]] = field(default_factory=dict)
    busy: int = 0
    most_busy: int = 0
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def wait_for_appraisals(self, count: int, limit_s: float) -> None:
        """Wait until the experts have done ``count`` pieces of work, ``limit_s`` seconds at most."""
        async with self.changed, asyncio.timeout(limit_s):
            await self.changed.wait_for(lambda: self.appraised.total() >= count)

    async def serve(self, request: web.Request) -> web.Response:
        """Answer for a service when its work is done, or at once if the requester prefers."""
        service = request.match_info["name"]
        found = _PROCESS.search(await request.text())
        if found is None or request.method != "POST":
            return web.Response(status=422)
        if "respond-async" in request.headers.get("Prefer", ""):
            await self._finish(service, found[2])
            return web.Response(status=202)
        return await self._appraise(request.headers.get("Idempotency-Key", ""), service, found[2])

    async def _appraise(self, key: str, service: str, claim: str) -> web.Response:
        self.calls[key] += 1
        self.busy += 1
        self.most_busy = max(self.busy, self.most_busy)
        try:
            await asyncio.sleep(self.takes_s)
            if not self.appraised[key]:
                self.appraised[key] += 1
                await self._finish(service, claim)
        finally:
            self.busy -= 1
        return web.Response(status=204)

    async def _finish(self, service: str, claim: str) -> None:
        said = self.results.setdefault(claim, set())
        said.add(f'<#it> <{RESULTS[service].value}> "done" .')
        if service == "decision":
            said.add(f"<#it> <{INS}outcome> <{INS}Reimburse> .")
        async with self.changed:
            self.changed.notify_all()

    async def claim(self, request: web.Request) -> web.Response:
        """Say what is known of a claim."""
        said = self.results.get(request.match_info["name"], set())
        text = f"<#it> a <{INS}Claim> .\n" + "\n".join(sorted(said))
        return web.Response(text=text, content_type="text/turtle", headers={"ETag": f'"{len(said)}"'})

    async def model(self, request: web.Request) -> web.Response:
        """Serve a bundled model."""
        name = request.match_info["name"]
        if name not in MODELS:
            return web.Response(status=404)
        return web.Response(
            text=read_bundled(f"rules/examples/insurance/{name}.ttl"), content_type="text/turtle"
        )


@asynccontextmanager
async def open_bureau() -> AsyncIterator[Bureau]:
    """Serve a bureau on a free port."""
    bureau = Bureau()
    app = web.Application()
    app.router.add_route("*", "/services/{name}", bureau.serve)
    app.router.add_get("/claims/{name}", bureau.claim)
    app.router.add_get("/insurance/{name}", bureau.model)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    bureau.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield bureau
    finally:
        await runner.cleanup()
