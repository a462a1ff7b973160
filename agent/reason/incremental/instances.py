"""Check functions that give the instances they find, for proofs; written and compiled when somebody asks for one."""

from agent.reason.body import slots_bound
from agent.reason.incremental.functions import Functions
from agent.reason.incremental.source import Text

UNBOUND = -1
"""What stands in a slot that an instance does not bind: those of its negated groups."""


class Instances(Functions):
    """Writes each check function as a generator: it yields the numbers in the slots for every instance it finds."""

    def _check(self, signature: str, text: Text) -> str:
        unit = self._unit
        for group in unit.groups:
            text.when(self._absent(text, group))
        bound = slots_bound(unit.goals, unit.slots) | unit.slots.constants
        slots = range(len(unit.slots.names))
        values = [text.value(slot) if slot in bound else str(UNBOUND) for slot in slots]
        text.add(f"yield ({''.join(f'{value},' for value in values)})")
        return "\n".join([f"def {signature}:", *text.lines])
