"""Sentries: their value as the step found it, and their questions pattern by pattern."""

from msgspec.structs import replace

from agent.gsm.evaluation import Evaluation, SentryValue, value_of
from agent.gsm.missing import Missing
from agent.gsm.question import Question, read_question
from agent.gsm.sentry import Sentry, read_sentry, spin_text
from agent.gsm.terms import HAS_RESULT, HOLDS_IN, IS_INSTANCE_OF, SPIN_WHERE, USES_SENTRY
from agent.gsm.why.explanation import Asked, SentryView
from agent.gsm.why.naming import cut_short, document_name, local_name
from agent.gsm.why.patterns import explain_question
from agent.gsm.why.snapshot import Snapshot
from agent.rdf.documents import Content, Failed, Gone
from agent.rdf.terms import IRI, TRUE, Literal, Term, Triple, document_of
from agent.vocab import AG, RDFS

LABEL = IRI(RDFS + "label")
_IS_KNOWN = IRI(AG + "isKnown")
_NO_STATUS = "it asks for the status of the instance, which is not known"


class Sentries:
    """The sentries of one snapshot; each is evaluated once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._evaluation = Evaluation(snapshot.asked, snapshot.outcomes, snapshot.instant)
        self._values: dict[Term, SentryValue] = {}
        self._missing: Missing | None = None

    def value(self, node: Term) -> SentryValue:
        """Return the value that the step found, or would have found if the instance were running."""
        snapshot = self._snapshot
        known = snapshot.values.get((snapshot.instance, node)) or self._values.get(node)
        if known is None:
            sentry = read_sentry(snapshot.asked, node)
            known = value_of(
                sentry,
                snapshot.instance.value,
                by_rules=Triple(node, HOLDS_IN, snapshot.instance) in snapshot.memory,
                unread=self.unread(sentry),
                evaluation=self._evaluation,
            )
            if known.value == "not true" and self._asks_unknown_status(sentry):
                known = replace(known, value="unknown", reason=_NO_STATUS)
            self._values[node] = known
        return known

    def _asks_unknown_status(self, sentry: Sentry) -> bool:
        """Tell whether ``sentry`` asks about the status of an instance of which it is not known."""
        snapshot = self._snapshot
        if Triple(snapshot.instance, _IS_KNOWN, TRUE) in snapshot.memory:
            return False
        return any(one.is_relative for one in (*sentry.questions, *self._spin_questions(sentry.node)))

    def unread(self, sentry: Sentry) -> frozenset[str]:
        """Return the documents in the scope of ``sentry`` that are not known."""
        if self._missing is None:
            snapshot = self._snapshot
            roots = list(snapshot.asked.objects(snapshot.instance, IS_INSTANCE_OF))
            nodes = {node for root in roots for node in snapshot.asked.objects(root, USES_SENTRY)}
            all_of_them = [read_sentry(snapshot.asked, node) for node in nodes]
            self._missing = Missing(snapshot.asked, snapshot.outcomes, [snapshot.container], all_of_them)
        return self._missing.matters_to(sentry)

    def view(self, node: Term, *, in_full: bool) -> SentryView:
        """Return what is to be said of the sentry ``node``; ``in_full``: with the parts of its questions."""
        snapshot = self._snapshot
        value = self.value(node)
        sentry = read_sentry(snapshot.asked, node)
        asked: tuple[Asked, ...] = ()
        rule = ""
        if in_full and value.value != "broken":
            questions = (*sentry.questions, *self._spin_questions(node))
            asked = tuple(self._asked(question, value) for question in questions)
            if value.value == "true" and not any(_holds(one) for one in asked):
                rule = self._rule(node)
        return SentryView(
            iri=node.value if isinstance(node, IRI) else "",
            name=local_name(node.value) if isinstance(node, IRI) else "",
            label=label_of(snapshot, node),
            value=value.value,
            reason=self._reason(sentry, value),
            rule=rule,
            asked=asked,
        )

    def _asked(self, question: Question, value: SentryValue) -> Asked:
        holds: bool | None
        try:
            holds = self._evaluation.holds(question, self._snapshot.instance.value)
        except (ValueError, RuntimeError, OSError, SyntaxError):
            holds = None
        return explain_question(self._snapshot, question, self._evaluation, holds=holds)

    def _spin_questions(self, node: Term) -> list[Question]:
        """Return the lists of patterns that rules evaluate, as questions."""
        found: list[Question] = []
        base = document_of(node.value) if isinstance(node, IRI) else ""
        for head in self._snapshot.asked.objects(node, SPIN_WHERE):
            try:
                text = spin_text(self._snapshot.asked, head)
            except ValueError:
                continue
            question = read_question(text, base) if text else None
            if question is not None and not question.fault:
                found.append(question)
        return found

    def _rule(self, node: Term) -> str:
        """Return what made a sentry true that no question of it makes true."""
        snapshot = self._snapshot
        for predicate in (HAS_RESULT, HOLDS_IN):
            for triple in snapshot.memory.match(node, predicate, None):
                name = snapshot.document_of(triple) or snapshot.rule_of(triple)
                if name:
                    return name
        return "its own result (sr:boolean true)"

    def _reason(self, sentry: Sentry, value: SentryValue) -> str:
        if value.value != "unknown" or value.reason == _NO_STATUS:
            return cut_short(value.reason, 300)
        unread = sorted(self.unread(sentry))
        return "; ".join(self._matter(uri) for uri in unread[:3]) + (
            f"; and {len(unread) - 3} more" if unread[3:] else ""
        )

    def _matter(self, uri: str) -> str:
        """Return what is the matter with a document that is not known."""
        snapshot = self._snapshot
        history = snapshot.history
        name = document_name(uri)
        since = ""
        if history is not None and history.answered.get(uri):
            since = f", has not answered since {clock(history.answered[uri])}"
        match snapshot.outcomes.get(uri):
            case Failed(_, reason):
                return f"{name}: {cut_short(reason, 120)}{snapshot.times_failed(uri)}{since}"
            case Content():
                return f"{name}: not all of it can be read"
            case Gone(_, status):
                return f"{name} is gone ({status})"
            case _:
                return f"{name} was not asked for"


def label_of(snapshot: Snapshot, node: Term) -> str:
    """Return the shortest rdfs:label of ``node``, or ""."""
    labels = [o.lexical for o in snapshot.memory.objects(node, LABEL) if isinstance(o, Literal)]
    return cut_short(min(labels, key=lambda text: (len(text), text)), 80) if labels else ""


def clock(instant: str) -> str:
    """Return the time of day of an instant, as in 22:03:40Z."""
    return f"{instant[11:19]}Z" if len(instant) >= 19 else instant


def _holds(asked: Asked) -> bool:
    return not asked.parts or bool(asked.parts[-1].matches)
