"""Who waits for which changes: subscriptions that read the log at their own pace and never hold a writer up.

The log is the queue of every subscription, so a slow reader costs no memory of its own. What the log has forgotten
before it was taken is told as a gap.
"""

import asyncio
from collections.abc import Sequence

from ldp_server.paths import ancestors
from ldp_server.storage.changes import Change, ChangeLog

_AT_A_TIME = 256


class Subscription:
    """The changes at or below some paths after ``position``, taken piece by piece; made by ``Hub.subscribe``."""

    def __init__(self, log: ChangeLog, topics: frozenset[str], after: int | None) -> None:
        self.topics = topics
        self.position = log.sequence if after is None else after
        self.is_over = False
        self._log = log
        self._woken = asyncio.Event()
        if after is not None:
            self._woken.set()

    def note(self, number: int) -> None:
        """Hear that the commit ``number`` concerns the topics."""
        if not self._woken.is_set():
            self.position = number - 1
            self._woken.set()

    def end(self) -> None:
        """Give nothing out any more."""
        self.is_over = True
        self._woken.set()

    async def wait(self) -> None:
        """Return when there is something to take, or the subscription is over."""
        await self._woken.wait()

    def take(self) -> Sequence[Change] | None:
        """Return the next changes, whole commits, perhaps none; None if some are lost.

        ``position`` is then the last commit whose changes have been given out, or did not concern the topics. Only so
        many changes are looked at in one go, and ``wait`` returns at once while there are more.
        """
        if not self._woken.is_set():
            self._rest()
            return []
        if not self._log.horizon <= self.position <= self._log.sequence:
            self._rest()
            return None
        looked_at = self._log.after(self.position, _AT_A_TIME)
        if looked_at and looked_at[-1].number < self._log.sequence:
            self.position = looked_at[-1].number
        else:
            self._rest()
        return [change for change in looked_at if self._is_concerned_by(change)]

    def _is_concerned_by(self, change: Change) -> bool:
        return change.path in self.topics or not self.topics.isdisjoint(ancestors(change.path))

    def _rest(self) -> None:
        self.position = self._log.sequence
        if not self.is_over:
            self._woken.clear()


class Hub:
    """All subscriptions on one log."""

    def __init__(self, log: ChangeLog) -> None:
        self._log = log
        self._by_topic: dict[str, set[Subscription]] = {}
        self._leave_log = log.listen(self._tell)
        self.is_closed = False

    def subscribe(self, topics: frozenset[str], after: int | None = None) -> Subscription:
        """Return a subscription on what changes after the commit ``after``, by default from now on."""
        subscription = Subscription(self._log, topics, after)
        for topic in topics:
            self._by_topic.setdefault(topic, set()).add(subscription)
        return subscription

    def leave(self, subscription: Subscription) -> None:
        """Forget a subscription."""
        for topic in subscription.topics:
            waiting = self._by_topic.get(topic, set())
            waiting.discard(subscription)
            if not waiting:
                self._by_topic.pop(topic, None)

    def close(self) -> None:
        """End all subscriptions."""
        if self.is_closed:
            return
        self.is_closed = True
        self._leave_log()
        for waiting in self._by_topic.values():
            for subscription in waiting:
                subscription.end()

    def _tell(self, changes: Sequence[Change] | None) -> None:
        if changes is None:
            for waiting in self._by_topic.values():
                for subscription in waiting:
                    subscription.note(self._log.horizon)
            return
        if not self._by_topic:
            return
        for change in changes:
            for place in (change.path, *ancestors(change.path)):
                for subscription in self._by_topic.get(place, ()):
                    subscription.note(change.number)
