"""The collector of cyclic garbage during a run: it looks seldom, and not again at what stays (ADR 0118)."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# A search through the memory of a thousand workflows takes some 50 ms, and steps make hardly any cyclic garbage.
_THRESHOLDS = (20_000, 20, 50)
_WORTH_IT = 10_000


@contextmanager
def sparing_memory() -> Iterator[Callable[[int], None]]:
    """Let the collector look seldom meanwhile, and give what is to be told the number of facts after each step.

    When memory has doubled, all that lives then is set aside: the collector does not look at it any more until memory
    has doubled again. In the end all is as it was before.
    """
    before = gc.get_threshold()
    is_ours = gc.isenabled() and not gc.get_freeze_count()
    set_aside = 0

    def after_step(facts: int) -> None:
        nonlocal set_aside
        if is_ours and facts >= max(2 * set_aside, _WORTH_IT):
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            set_aside = facts

    if is_ours:
        gc.set_threshold(*_THRESHOLDS)
    try:
        yield after_step
    finally:
        if is_ours:
            gc.unfreeze()
            gc.set_threshold(*before)
