"""The read phase: retrieving and reasoning in turns until no rule asks for another document.

Answers are reasoned about in batches: when at least as many wait as are still to come. So a slow document keeps
only what depends on it waiting, and n answers cost log n rounds of reasoning, not n.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from msgspec.structs import replace

from agent.errors import BudgetError, Place
from agent.messages import Answer, Get, Headers, NoAnswer
from agent.n3.builtins import Context
from agent.n3.quoted import Quotation, quotation_of, quoted_document
from agent.rdf.documents import Content, Failed
from agent.rdf.outcomes import Outcomes
from agent.rdf.syntax import Syntax, syntax_of
from agent.rdf.terms import Triple
from agent.reason.incremental.run_reasoner import RunReasoner
from agent.runtime.plan import StepPlan
from agent.runtime.read_memo import ReadMemo
from agent.runtime.report import GetReport

MOST_TIMES_ASKED = 3
"""How often a step asks for one document, when the header fields to ask with turn out to be others."""


class Reading:
    """One read phase; ``documents`` is what documents said before.

    It asks for everything at once that was asked for in the end of the step before, so some of it may turn out not to
    be wanted any more: that does not count, as if it had not been asked for.
    """

    def __init__(self, reasoner: RunReasoner, plan: StepPlan, documents: ReadMemo) -> None:
        self.outcomes = Outcomes()
        self._reasoner = reasoner
        self._plan = plan
        self._documents = documents
        self._open: set[str] = set()
        self._asked: dict[str, Headers | None] = {}
        self._times: dict[str, int] = {}
        self._believed: set[str] = set()
        self._wanted: Mapping[str, Headers] = {}
        self._quoted: dict[str, Quotation] = {}
        self._openings: AbstractSet[str] = frozenset()
        self._answers: dict[str, Sequence[Triple]] = {}
        self._said: dict[str, Sequence[Triple]] = {}
        self._batch_size = 0
        self._bytes = 0
        self._refused: dict[str, int] = {}
        self._reports: dict[str, GetReport] = {}

    @property
    def is_complete(self) -> bool:
        """Tell whether every document is answered or given up, and nothing asks for more."""
        return not self._open

    @property
    def reports(self) -> tuple[GetReport, ...]:
        """Return what was retrieved, sorted by URI."""
        return tuple(self._reports[uri] for uri in sorted(self._reports))

    @property
    def not_admitted(self) -> int:
        """Return how many statements of the documents do not count."""
        return sum(self._refused.values())

    def start(self, facts: Iterable[Triple], context: Context) -> list[Get]:
        """Reason about the facts and return the documents to retrieve first."""
        self._reasoner.begin(facts, context, self._answers)
        return self._reason()

    def answered(self, event: Answer | NoAnswer) -> list[Get]:
        """Take the answer to a Get and return the documents to retrieve now; other events change nothing."""
        if event.uri not in self._open:
            return []
        self._open.remove(event.uri)
        if isinstance(event, Answer):
            self._count_bytes(event)
        read = self._documents.read(event)
        self.outcomes.put(event.uri, read.outcome)
        self._reports[event.uri] = read.report
        if isinstance(read.outcome, Content):
            self._take(read.outcome)
            if event.uri in self._openings and isinstance(event, Answer):
                self._quoted[event.uri] = _quoted(event, read.outcome)
        else:
            self._say(event.uri, ())
        self._batch_size += 1
        if self._batch_size < len(self._open):
            return []
        if self._said or self._quoted:
            return self._reason()
        self._batch_size = 0
        if not self._open:
            self._drop_unwanted()
        return []

    def failed(self) -> list[str]:
        """Return the documents that are not known in this step, sorted."""
        return sorted(uri for uri in self.outcomes.unread if isinstance(self.outcomes[uri], Failed))

    def tainted(self) -> list[str]:
        """Return the documents that are known in part only, sorted."""
        return sorted(uri for uri in self.outcomes.unread if isinstance(self.outcomes[uri], Content))

    def _take(self, content: Content) -> None:
        # After a redirect the document that answered is read too, and not asked for again.
        if content.document not in self.outcomes:
            self._asked.setdefault(content.document)
            self.outcomes.put(content.document, content)
        if content.uri in self._believed:
            self._believe(content)

    def _believe(self, content: Content) -> None:
        self._believed.add(content.uri)
        self._believed.add(content.document)
        triples: Sequence[Triple] = content.triples
        if self._plan.workflows is not None:
            triples, self._refused[content.uri] = self._plan.workflows.admit(content)
        self._say(content.uri, triples)
        if content.document != content.uri and self._asked.get(content.document) is None:
            self._say(content.document, triples)

    def _say(self, uri: str, triples: Sequence[Triple]) -> None:
        """Note what a document says, for the reasoner if that is not the very same that it knows."""
        self._answers[uri] = triples
        if self._reasoner.said.get(uri) is not triples:
            self._said[uri] = triples
        elif self._said:
            self._said.pop(uri, None)

    def _reason(self) -> list[Get]:
        wanted = self._reason_about_batch()
        self._openings = self._reasoner.openings()
        if self._openings:
            wanted = dict(wanted)
            for uri in self._openings:
                if uri.startswith(("http://", "https://")):
                    wanted.setdefault(uri, ())
        new = [] if wanted is self._wanted else [uri for uri in wanted if self._is_to_ask(uri, wanted[uri])]
        self._wanted = wanted
        for uri in new:
            self._asked[uri] = wanted[uri]
            self._times[uri] = self._times.get(uri, 0) + 1
        self._open.update(new)
        if len(wanted) > self._plan.limits.documents:
            raise BudgetError(
                "ASM112",
                f"the step asks for more than {self._plan.limits.documents} documents (--max-documents)",
                place=Place(max(new or wanted)),
                hint="Nothing was written. This is one of the documents that were too many.",
            )
        if not self._open:
            self._drop_unwanted()
        return [Get(uri, wanted[uri]) for uri in sorted(new)]

    def _is_to_ask(self, uri: str, headers: Headers) -> bool:
        if uri not in self._asked:
            return True
        # What was asked for with the header fields of the step before may have to be asked for with others.
        return (
            self._reasoner.is_maintained
            and self._asked[uri] not in (None, headers)
            and uri not in self._open
            and self._times[uri] < MOST_TIMES_ASKED
        )

    def _reason_about_batch(self) -> Mapping[str, Headers]:
        """Reason about the batch and return the documents whose triples are facts, with their header fields."""
        while True:
            if self._said:
                self._reasoner.answer(self._said)
            self._reasoner.read(self._quoted)
            self._said, self._quoted, self._batch_size = {}, {}, 0
            workflows = self._plan.workflows
            while workflows is not None and self._reasoner.want(workflows.sources(self._reasoner.facts)):
                pass
            wanted = self._reasoner.wanted()
            believed = wanted.keys() - self._believed
            self._believed |= believed
            for uri in sorted(believed):
                outcome = self.outcomes.get(uri)
                if isinstance(outcome, Content):  # so far rules only looked into it
                    self._believe(outcome)
            if not self._said:
                return wanted

    def _drop_unwanted(self) -> None:
        """Forget what was asked for and is not wanted after all."""
        wanted = self._wanted
        self._report_redirected()
        for uri in self._reports.keys() - wanted.keys():
            del self._reports[uri]
            self._refused.pop(uri, None)
        unwanted = [
            uri for uri in self.outcomes.keys() - wanted.keys() if self.outcomes[uri].uri not in wanted
        ]
        for uri in unwanted:
            self.outcomes.drop(uri)
        if unwanted:
            # Another document may have been answered under the name of one of them.
            for content in [each for each in self.outcomes.values() if isinstance(each, Content)]:
                if content.document not in self.outcomes:
                    self.outcomes.put(content.document, content)

    def _report_redirected(self) -> None:
        """Report what was answered under another name only, as if it had been asked for: that hangs on which came first."""
        for uri in self._wanted.keys() - self._reports.keys():
            outcome = self.outcomes.get(uri)
            if isinstance(outcome, Content) and outcome.uri in self._reports:
                self._reports[uri] = replace(self._reports[outcome.uri], uri=uri)

    def _count_bytes(self, answer: Answer) -> None:
        self._bytes += len(answer.body)
        if self._bytes > self._plan.limits.bytes:
            raise BudgetError(
                "ASM113",
                f"the documents of the step are larger than {self._plan.limits.bytes} bytes together",
                place=Place(answer.uri),
                hint="Nothing was written. This document was the one too many.",
            )


def _quoted(answer: Answer, content: Content) -> Quotation:
    """Return what a document says for rules that look into it: its triples, its text.

    Notation3 is read as such, with formulas and rules; of everything else the triples are those that were read.
    """
    text = answer.body.decode("utf-8", "replace")
    if syntax_of(answer.media_type, content.document) is Syntax.N3:
        return quotation_of(text, source=content.document, base=content.document)
    return Quotation(quoted_document(content.triples), text)
