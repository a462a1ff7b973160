"""Schedulers of a server that asks for tokens: they may use it, and nobody else may because of that."""

from pathlib import Path

from agent.serve.app import create_app
from ldp_server import MemoryStore, TokenFile, add_token, listen
from tests.support.ldp import Ldp
from tests.support.scheduling import PREFIXES, Bench, order, recording_service

CONTAINER = '<http://www.w3.org/ns/ldp#BasicContainer>; rel="type"'


async def test_a_request_to_the_scheduler_s_own_server_needs_no_token_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    held = {"Authorization": f"Bearer {add_token(file, 'alice')}"}
    store, tokens = MemoryStore(), TokenFile(file, lambda: 0.0)
    async with (
        recording_service() as service,
        listen(lambda base: create_app(store, base_url=base, tokens=tokens), port=0) as server,
        Ldp(server) as ldp,
    ):
        ldp.held = held
        bench = Bench(ldp, service)
        home = (
            f"{PREFIXES}<#it> a sched:SchedulerProxy ; sched:capacity 1 ; sched:forService <{ldp.base}/orders/> ;"
            ' sched:responseTime "PT1S"^^xsd:duration .'
        )
        made = [
            await ldp.put("/orders/", b"", Link=CONTAINER),
            await ldp.put("/schedulers/o/", home),
            await ldp.put("/schedulers/o/queue/k", order(f"{ldp.base}/orders/one", method="PUT", body="")),
        ]
        ldp.held = {}
        strangers = [(await ldp.get(path)).status for path in ("/orders/one", "/schedulers/o/queue/k")]
        ldp.held = held

        assert [answer.status for answer in made[:2]] == [201, 201]
        await bench.wait_until("o", "k", "Done")
        assert await ldp.members("/orders/") == [f"{ldp.base}/orders/one"]
        assert strangers == [401, 401]
    await store.close()
