"""What a question means as rules of our program model (ADR 0119)."""

from functools import lru_cache
from hashlib import sha256

from msgspec import Struct

from agent.gsm.question import THIS_VARIABLE, Question
from agent.gsm.terms import IS_RUNNING
from agent.n3.builtins import BUILTINS
from agent.n3.builtins.kept import QUESTION
from agent.n3.program import DerivationRule
from agent.rdf.terms import IRI, TRUE, Formula, Triple, Variable

HOLDS = IRI(QUESTION + "holds")
HOLDS_FOR = IRI(QUESTION + "holdsFor")
THIS = Variable(THIS_VARIABLE)
RUNNING = Triple(THIS, IS_RUNNING, TRUE)
"""Is a pattern of every rule that concludes something for an instance."""


class QuestionRules(Struct, frozen=True):
    """The rules that answer one question, called ``name``.

    ``conclusions`` state ``<name> HOLDS true``, or ``<name> HOLDS_FOR ?instance`` for every running instance for
    which it holds if it ``is_relative``. What they read besides the memory, ``auxiliary`` rules derive from it. Both
    derive nothing but predicates that begin with ``QUESTION``; rules of different questions with the same name are
    the same.
    """

    name: IRI
    is_relative: bool
    conclusions: tuple[DerivationRule, ...]
    auxiliary: tuple[DerivationRule, ...]

    @property
    def all(self) -> tuple[DerivationRule, ...]:
        """Return all rules."""
        return self.auxiliary + self.conclusions

    @property
    def predicates(self) -> frozenset[str]:
        """Return the predicates that the rules derive: nothing else may state or derive them."""
        heads = (pattern.triple.predicate for rule in self.all for pattern in rule.head)
        return frozenset(predicate.value for predicate in heads if isinstance(predicate, IRI))

    @property
    def reads(self) -> frozenset[str] | None:
        """Return the predicates of the memory that the rules read, nothing if they may read any."""
        pending = [pattern.triple for rule in self.all for pattern in rule.body]
        names: set[str] = set()
        while pending:
            triple = pending.pop()
            if isinstance(triple.object, Formula):
                pending += triple.object.triples
            elif not isinstance(triple.predicate, IRI):
                return None
            elif triple.predicate.value not in BUILTINS and not triple.predicate.value.startswith(QUESTION):
                names.add(triple.predicate.value)
        return frozenset(names)


def rules_of(question: Question) -> QuestionRules | None:
    """Return the rules that answer ``question``, or nothing if the SPARQL engine has to.

    On every memory that has the instance as ``ag:isRunning true`` and the instant as that of ``ag:thisStep`` they
    derive exactly what ``agent.gsm.evaluation.Evaluation`` answers.
    """
    if question.fault or question.uses_graphs:
        return None
    return _rules(question, question.prefixes_used)


@lru_cache(maxsize=4096)
def _rules(question: Question, prefixes: tuple[tuple[str, str], ...]) -> QuestionRules | None:
    from agent.gsm.questions.translation import translate  # noqa: PLC0415  loads rdflib, slowly; only questions need it

    digest = sha256(repr((question.text, question.base, prefixes)).encode("utf-8", "surrogatepass"))
    name = digest.hexdigest()[:16]
    subject = IRI(QUESTION + name)
    head = Triple(subject, HOLDS_FOR, THIS) if question.is_relative else Triple(subject, HOLDS, TRUE)
    translation = translate(question, name, head)
    if translation is None:
        return None
    conclusions, auxiliary = translation
    return QuestionRules(subject, question.is_relative, conclusions, auxiliary)
