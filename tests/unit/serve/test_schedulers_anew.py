"""A scheduler that could not be taken up after a start, and is put anew."""

from ldp_server import MemoryStore
from ldp_server.storage.port import Delete
from tests.unit.serve.test_schedulers_in_time import open_shop


async def test_a_scheduler_put_anew_over_an_unusable_one_sends_what_was_accepted_before() -> None:
    store = MemoryStore()
    async with open_shop(store) as shop:
        await shop.create()
        await shop.put("a", "b")
    await store.commit([Delete("/schedulers/e/policy")])
    async with open_shop(store) as shop:
        await shop.create(capacity=3)
        await shop.put("c")

        await shop.advance()

        assert shop.sent == ["a", "b", "c"]
