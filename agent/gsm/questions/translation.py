"""From the text of a question to its rules."""

from agent.gsm.algebra import algebra_of
from agent.gsm.question import Question
from agent.gsm.questions.bodies import Writer
from agent.gsm.questions.groups import Groups
from agent.gsm.questions.text import read_skeleton
from agent.gsm.questions.ways import NotCoveredError
from agent.n3.program import DerivationRule
from agent.rdf.terms import Triple

Rules = tuple[DerivationRule, ...]


def translate(question: Question, name: str, head: Triple) -> tuple[Rules, Rules] | None:
    """Return the rules that state ``head`` when ``question`` holds, and those for what they read besides.

    ``name`` is that of no other question. Nothing is returned for a question that rules do not answer exactly.
    """
    skeleton = read_skeleton(question)
    algebra = None if skeleton is None else algebra_of(skeleton.text, "", {})
    if skeleton is None or algebra is None:
        return None
    groups = Groups(skeleton)
    writer = Writer(name, groups)
    try:
        conclusions = writer.conclude(groups.ways(algebra), head)
    except (NotCoveredError, RecursionError):
        return None
    return conclusions, tuple(writer.rules.values())
