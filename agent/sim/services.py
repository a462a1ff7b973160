"""The services of the insurance as HTTP resources that take their time by a clock of their own world.

POST an order that names a process instance. With ``Prefer: respond-async`` (RFC 7240) the answer is 202 at once and the
result appears later in the claim's document; without it the answer comes when the result is there. A service serves as
many orders at a time as it has capacity, first come first served.
"""

import asyncio
from collections.abc import Mapping

from aiohttp import web
from msgspec import Struct, field

from agent.clock import lexical
from agent.errors import ProgramError
from agent.rdf.documents import parse_document
from agent.rdf.terms import IRI, XSD_DATETIME, XSD_DECIMAL, Literal, Triple
from agent.sim.claim_files import INS, ClaimFiles
from agent.sim.service_quality import QUALITIES, Chance, Quality
from agent.sim.virtual_time import VirtualClock

FOR_PROCESS = IRI(INS + "forProcess")
OUTCOME = IRI(INS + "outcome")
RESULTS = {
    "registration": IRI(INS + "registered"),
    "estimation": IRI(INS + "estimated"),
    "analysis": IRI(INS + "analysed"),
    "information": IRI(INS + "informed"),
    "decision": IRI(INS + "decided"),
    "expertise": IRI(INS + "appraised"),
    "notification": IRI(INS + "notified"),
}


class Order(Struct):
    """One order of a process ``instance`` about ``claim``; times are seconds since 1970, ``ends_s`` once it has begun.

    ``is_held``: the answer is held back until the result is there. ``answered`` becomes true when the result is in the claim's document, false when the services close before.
    """

    service: str
    instance: str
    claim: str
    arrived_s: float
    takes_s: float
    ends_s: float | None = None
    is_held: bool = False
    answered: "asyncio.Future[bool]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class Services:
    """The services below the path ``folder``; ``orders`` are all that ever came, in order of arrival."""

    def __init__(
        self,
        clock: VirtualClock,
        chance: Chance,
        qualities: Mapping[str, Quality] = QUALITIES,
        folder: str = "/services/",
    ) -> None:
        self.orders: list[Order] = []
        self.folder = folder
        self._qualities = qualities
        self._clock = clock
        self._chance = chance
        self._files: ClaimFiles | None = None
        self._waiting: list[Order] = []
        self._running: list[Order] = []
        self._came = asyncio.Condition()

    def mount(self, app: web.Application) -> None:
        """Add the services to ``app``; paths of their own win over any catch-all that ``app`` has."""
        app.router.add_route("*", self.folder + "{name}", self._serve)
        app.on_shutdown.append(self._close)

    def open(self, files: ClaimFiles) -> None:
        """Begin to work on ``files``."""
        self._files = files

    def next_due(self) -> float | None:
        """Return when the next order begins or ends, in seconds since 1970; None if no order is there."""
        if self._beginning():
            return self._clock.seconds()
        return min((order.ends_s for order in self._running if order.ends_s is not None), default=None)

    @property
    def held(self) -> int:
        """Return how many orders hold their answer back until the result is there."""
        return sum(order.is_held and not order.answered.done() for order in (*self._waiting, *self._running))

    async def wait_for_held(self, count: int) -> None:
        """Wait until ``count`` orders hold their answers back."""
        async with self._came:
            await self._came.wait_for(lambda: self.held >= count)

    async def advance(self) -> None:
        """Begin and end what is due now; the results are in the claims' documents afterwards."""
        while True:
            now = self._clock.seconds()
            for order in self._beginning():
                self._waiting.remove(order)
                self._running.append(order)
                order.ends_s = now + order.takes_s
            due = [order for order in self._running if order.ends_s is not None and order.ends_s <= now]
            if not due:
                return
            for order in sorted(due, key=lambda one: (one.ends_s, one.service, one.claim)):
                self._running.remove(order)
                await self._finish(order)

    def _beginning(self) -> list[Order]:
        """Return the orders that begin now, by arrival; of those that came in one instant, by the name of the claim."""
        busy = {name: sum(order.service == name for order in self._running) for name in self._qualities}
        begin: list[Order] = []
        for order in sorted(self._waiting, key=lambda one: (one.arrived_s, one.claim)):
            capacity = self._qualities[order.service].capacity
            if capacity is None or busy[order.service] < capacity:
                busy[order.service] += 1
                begin.append(order)
        return begin

    async def _finish(self, order: Order) -> None:
        claim, at = IRI(order.claim), Literal(lexical(self._clock.now()), XSD_DATETIME)
        results = [Triple(claim, RESULTS[order.service], at)]
        if order.service == "estimation":
            cost = self._chance.of("cost", _name(order.claim)).randrange(200, 9000)
            results.append(Triple(claim, IRI(INS + "estimatedCost"), Literal(f"{cost}.0", XSD_DECIMAL)))
        if order.service == "decision":
            outcome = "Reimburse" if self._chance.is_paid(_name(order.claim)) else "Reject"
            results.append(Triple(claim, OUTCOME, IRI(INS + outcome)))
        if self._files is not None:
            await self._files.add(order.claim, results)
        if not order.answered.done():
            order.answered.set_result(True)

    async def _close(self, _app: web.Application) -> None:
        for order in (*self._waiting, *self._running):
            if not order.answered.done():
                order.answered.set_result(False)

    async def _serve(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in self._qualities or self._files is None:
            return web.Response(
                status=404, text=f"There is no such service; there are: {', '.join(self._qualities)}.\n"
            )
        if request.method != "POST":
            return web.Response(status=405, headers={"Allow": "POST"})
        instance = await _process_named_by(request)
        claim = None if instance is None else await self._files.claim_of(instance)
        if instance is None or claim is None:
            return web.Response(
                status=422,
                text=f"An order says <{FOR_PROCESS.value}> of an instance that concerns a claim.\n",
            )
        taken_s = self._chance.response_time_s(name, _name(claim))
        is_held = "respond-async" not in request.headers.get("Prefer", "")
        order = Order(name, instance, claim, self._clock.seconds(), taken_s, is_held=is_held)
        async with self._came:
            self.orders.append(order)
            self._waiting.append(order)
            self._came.notify_all()
        if not is_held:
            return web.Response(status=202, headers={"Preference-Applied": "respond-async"})
        return web.Response(status=204 if await order.answered else 503)


def _name(claim: str) -> str:
    return claim.partition("#")[0].rpartition("/")[2]


async def _process_named_by(request: web.Request) -> str | None:
    """Return the process instance that the order in ``request`` is for, or None if it names none or several."""
    try:
        said = parse_document(await request.read(), request.content_type, str(request.url), strict=True)
    except ProgramError:
        return None
    named = [t.object.value for t in said.triples if t.predicate == FOR_PROCESS and isinstance(t.object, IRI)]
    return named[0] if len(named) == 1 else None
