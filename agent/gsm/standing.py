"""Conclusions about sentries on a memory that lives from step to step: valued again where something has changed.

The outcome is that of ``GsmWorkflows.conclude``, pair by pair of instance and sentry.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from agent.gsm.asked import asked_sentries, result_of
from agent.gsm.evaluation import Evaluation, SentryValue, value_of
from agent.gsm.missing import Missing
from agent.gsm.questions.rules import rules_of
from agent.gsm.questions.standing import StandingQuestions
from agent.gsm.sentries import Sentries
from agent.gsm.sentry import READ_OF_SENTRIES, Sentry
from agent.gsm.terms import IS_INSTANCE_OF, IS_RUNNING, IS_TRUE_IN, USES_SENTRY
from agent.rdf.documents import Outcome
from agent.rdf.terms import IRI, Term, Triple
from agent.reason.facts import Facts
from agent.reason.join import Numbers

_Pair = tuple[IRI, Term]
_NOT_VALUED = SentryValue("", "", "broken", "not valued yet")


class StandingConclusions:
    """The conclusions on ``memory``, whose status containers are ``containers``. One that is filled anew needs a new one.

    ``sentries`` are what keeps the sentries of ``memory``, if there is one.
    """

    def __init__(self, memory: Facts, containers: Iterable[str], sentries: Sentries | None = None) -> None:
        self._kept_sentries = sentries or Sentries(memory)
        self._reads: tuple[frozenset[str] | None] | None = None
        self._memory = memory
        self._containers = tuple(sorted(containers))
        self._questions = StandingQuestions(memory)
        intern = memory.table.intern
        self._is_true_in, self._is_instance_of = intern(IS_TRUE_IN), intern(IS_INSTANCE_OF)
        self._memberships = frozenset({intern(IS_RUNNING), intern(USES_SENTRY)})
        self._asked: dict[_Pair, int] | None = None
        self._nodes: list[Term] = []
        self._is_rearranged = False
        self._instances: dict[int, IRI] = {}
        self._sentries: dict[Term, Sentry] = {}
        self._unread: dict[Term, frozenset[str]] = {}
        self._values: list[SentryValue] = []
        self._results: list[tuple[Triple, ...]] = []
        self._last: tuple[list[Triple], list[SentryValue]] = ([], [])

    def conclude(
        self,
        outcomes: Mapping[str, Outcome],
        instant: str,
        gained: Collection[Numbers],
        lost: Collection[Numbers],
    ) -> tuple[list[Triple], list[SentryValue]]:
        """Return what follows from the sentries, and all values, after the memory ``gained`` and ``lost`` facts.

        Nothing may be changed in what is returned: it comes back in the next step if nothing has changed.
        """
        self._is_rearranged = False
        self._questions.change(gained, lost)
        self._questions.begin(instant)
        stale = self._ask_anew(gained, lost)
        stale |= dict.fromkeys(self._told_by_rules(gained, lost))
        stale |= dict.fromkeys(self._read_sentries(outcomes))
        stale |= dict.fromkeys(self._answered_anew())
        if not stale and not self._is_rearranged:
            return self._last
        evaluation = Evaluation(self._memory, outcomes, instant, self._questions)
        for pair in stale:
            self._value(pair, evaluation)
        self._last = ([triple for result in self._results for triple in result], list(self._values))
        return self._last

    def reads(self) -> frozenset[str] | None:
        """Return the predicates that the conclusions of the last step depended on; nothing if it may be any."""
        if self._reads is None:
            self._reads = (self._find_reads(),)
        return self._reads[0]

    def _find_reads(self) -> frozenset[str] | None:
        found = {
            each.value for each in (*READ_OF_SENTRIES, IS_RUNNING, USES_SENTRY, IS_INSTANCE_OF, IS_TRUE_IN)
        }
        for question in {question for sentry in self._sentries.values() for question in sentry.questions}:
            rules = rules_of(question)
            if rules is None or rules.reads is None:
                return None
            found |= rules.reads
        return frozenset(found)

    def _ask_anew(self, gained: Collection[Numbers], lost: Collection[Numbers]) -> dict[_Pair, None]:
        """Find out which pairs there are, if that has changed, and return those that are new."""
        if self._asked is not None and not any(
            predicate in self._memberships
            or (predicate == self._is_instance_of and subject in self._instances)
            for facts in (gained, lost)
            for subject, predicate, _ in facts
        ):
            return {}
        before = self._asked or {}
        pairs = list(asked_sentries(self._memory))
        positions = [before.get(pair) for pair in pairs]
        values, results = self._values, self._results
        self._values = [_NOT_VALUED if at is None else values[at] for at in positions]
        self._results = [() if at is None else results[at] for at in positions]
        self._asked = {pair: position for position, pair in enumerate(pairs)}
        self._nodes = list(dict.fromkeys(node for _, node in pairs))
        intern = self._memory.table.intern
        self._instances = {intern(instance): instance for instance, _ in pairs}
        self._is_rearranged = True
        return {pair: None for pair, at in zip(pairs, positions, strict=True) if at is None}

    def _told_by_rules(self, gained: Collection[Numbers], lost: Collection[Numbers]) -> Iterator[_Pair]:
        """Yield the pairs of which rules found out something else."""
        terms = self._memory.table.terms
        for facts in (gained, lost):
            for subject, predicate, object_ in facts:
                if predicate == self._is_true_in and object_ in self._instances:
                    yield from self._pair(self._instances[object_], terms[subject])

    def _read_sentries(self, outcomes: Mapping[str, Outcome]) -> Iterator[_Pair]:
        """Yield the pairs whose sentry says something else, or has something else in its scope that is not known."""
        sentries = {node: self._kept_sentries.read(node) for node in self._nodes}
        if not sentries and not self._sentries:
            return
        missing = Missing(self._memory, outcomes, self._containers, sentries.values())
        unread = {node: missing.matters_to(sentry) for node, sentry in sentries.items()}
        changed = {
            node
            for node, sentry in sentries.items()
            if sentry != self._sentries.get(node)
            or unread[node] != self._unread.get(node)
            or any(question.uses_graphs for question in sentry.questions)
        }
        if sentries != self._sentries:
            self._reads = None
        self._sentries, self._unread = sentries, unread
        if changed:
            yield from (pair for pair in self._asked or () if pair[1] in changed)

    def _answered_anew(self) -> Iterator[_Pair]:
        """Yield the pairs whose questions may have another answer."""
        touched = self._questions.touched()
        if not touched:
            return
        for node, sentry in self._sentries.items():
            for question in sentry.questions:
                if question not in touched:
                    continue
                numbers = touched[question]
                instances = self._instances if numbers is None else self._instances.keys() & numbers
                for number in instances:
                    yield from self._pair(self._instances[number], node)

    def _pair(self, instance: IRI, node: Term) -> Iterator[_Pair]:
        if (instance, node) in (self._asked or {}):
            yield instance, node

    def _value(self, pair: _Pair, evaluation: Evaluation) -> None:
        instance, node = pair
        known = Triple(node, IS_TRUE_IN, instance) in self._memory
        value = value_of(
            self._sentries[node],
            instance.value,
            by_rules=known,
            unread=self._unread[node],
            evaluation=evaluation,
        )
        assert self._asked is not None  # noqa: S101  what is valued is asked
        at = self._asked[pair]
        self._values[at] = value
        self._results[at] = tuple(result_of(node, instance)) if value.value == "true" and not known else ()
