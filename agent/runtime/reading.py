"""The read phase: retrieving and reasoning in turns until no rule asks for another document.

Answers are reasoned about in batches: when at least as many wait as are still to come. So a slow document keeps
only what depends on it waiting, and n answers cost log n rounds of reasoning, not n.
"""

from collections.abc import Iterable

from agent.errors import BudgetError, Place
from agent.messages import Answer, Get, Headers, NoAnswer
from agent.n3.quoted import Quotation, quotation_of, quoted_document
from agent.rdf.documents import Content, Failed, Outcome, read_answer
from agent.rdf.syntax import Syntax, syntax_of
from agent.rdf.terms import Triple, document_of
from agent.reason.fixpoint import Reasoner
from agent.runtime.plan import StepPlan
from agent.runtime.read_memo import report_of
from agent.runtime.report import GetReport


class Reading:
    """One read phase; it never asks for a document twice."""

    def __init__(self, reasoner: Reasoner, plan: StepPlan) -> None:
        self.outcomes: dict[str, Outcome] = {}
        self.not_admitted = 0
        self._reasoner = reasoner
        self._plan = plan
        self._open: set[str] = set()
        self._asked: set[str] = set()
        self._believed: set[str] = set()
        self._quoted: dict[str, Quotation] = {}
        self._batch: list[Triple] = []
        self._batch_size = 0
        self._bytes = 0
        self._reports: dict[str, GetReport] = {}

    @property
    def is_complete(self) -> bool:
        """Tell whether every document is answered or given up, and nothing asks for more."""
        return not self._open

    @property
    def reports(self) -> tuple[GetReport, ...]:
        """Return what was retrieved, sorted by URI."""
        return tuple(self._reports[uri] for uri in sorted(self._reports))

    def start(self, facts: Iterable[Triple]) -> list[Get]:
        """Reason about the facts and return the documents to retrieve first."""
        self._batch.extend(facts)
        return self._reason()

    def answered(self, event: Answer | NoAnswer) -> list[Get]:
        """Take the answer to a Get and return the documents to retrieve now; other events change nothing."""
        if event.uri not in self._open:
            return []
        self._open.remove(event.uri)
        if isinstance(event, Answer):
            self._count_bytes(event)
        outcome = read_answer(event)
        self.outcomes[event.uri] = outcome
        self._reports[event.uri] = report_of(event, outcome, keep_body=self._plan.keep_bodies)
        if isinstance(outcome, Content):
            self._take(outcome)
            if isinstance(event, Answer) and event.uri in self._reasoner.openings():
                self._quoted[event.uri] = _quoted(event, outcome)
        self._batch_size += 1
        return self._reason() if self._batch_size >= len(self._open) else []

    def failed(self) -> list[str]:
        """Return the documents that are not known in this step, sorted."""
        return sorted(uri for uri, outcome in self.outcomes.items() if isinstance(outcome, Failed))

    def tainted(self) -> list[str]:
        """Return the documents that are known in part only, sorted."""
        return sorted(
            uri for uri, outcome in self.outcomes.items() if isinstance(outcome, Content) and outcome.tainted
        )

    def _take(self, content: Content) -> None:
        # After a redirect the document that answered is read too, and not asked for again.
        self._asked.add(content.document)
        self.outcomes.setdefault(content.document, content)
        if content.uri in self._believed:
            self._believe(content)

    def _believe(self, content: Content) -> None:
        self._believed |= {content.uri, content.document}
        if self._plan.workflows is None:
            self._batch.extend(content.triples)
            return
        triples, refused = self._plan.workflows.admit(content)
        self.not_admitted += refused
        self._batch.extend(triples)

    def _reason(self) -> list[Get]:
        wanted = self._wanted()
        for uri in self._reasoner.openings():
            if uri.startswith(("http://", "https://")):
                wanted.setdefault(uri, ())
        new = [uri for uri in wanted if uri not in self._asked]
        self._asked.update(new)
        self._open.update(new)
        if len(self._reports) + len(self._open) > self._plan.limits.documents:
            raise BudgetError(
                "ASM112",
                f"the step asks for more than {self._plan.limits.documents} documents (--max-documents)",
                place=Place(max(new)),
                hint="Nothing was written. This is one of the documents that were too many.",
            )
        return [Get(uri, wanted[uri]) for uri in sorted(new)]

    def _wanted(self) -> dict[str, Headers]:
        """Reason about the batch and return the documents whose triples are facts, with their header fields."""
        while True:
            self._reasoner.add(self._batch)
            self._reasoner.read(self._quoted)
            self._batch, self._quoted, self._batch_size = [], {}, 0
            wanted = dict(self._reasoner.retrievals())
            if self._plan.workflows is not None:
                for uri in self._plan.workflows.sources(self._reasoner.facts):
                    wanted.setdefault(document_of(uri), ())
            believed = wanted.keys() - self._believed
            self._believed |= believed
            for uri in sorted(believed):
                outcome = self.outcomes.get(uri)
                if isinstance(outcome, Content):  # so far rules only looked into it
                    self._believe(outcome)
            if not self._batch:
                return wanted

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
