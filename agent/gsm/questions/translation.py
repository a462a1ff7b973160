"""From the text of a question to its rules."""

from agent.gsm.question import Question
from agent.gsm.questions.bodies import Writer
from agent.gsm.questions.plain import PlainWays, plain_group
from agent.gsm.questions.text import Skeleton, read_skeleton
from agent.gsm.questions.ways import NotCoveredError, Ways
from agent.n3.program import DerivationRule
from agent.rdf.terms import Term, Triple

Rules = tuple[DerivationRule, ...]


def translate(question: Question, name: str, head: Triple) -> tuple[Rules, Rules] | None:
    """Return the rules that state ``head`` when ``question`` holds, and those for what they read besides.

    ``name`` is that of no other question. Nothing is returned for a question that rules do not answer exactly.
    """
    skeleton = read_skeleton(question)
    if skeleton is None:
        return None
    group = plain_group(skeleton)
    if group is None:
        return _translate_algebra(skeleton, name, head)
    writer = Writer(name, _no_path)
    try:
        conclusions = writer.conclude(PlainWays(skeleton).ways(group), head)
    except NotCoveredError:
        return None
    return conclusions, tuple(writer.rules.values())


def _translate_algebra(skeleton: Skeleton, name: str, head: Triple) -> tuple[Rules, Rules] | None:
    from agent.gsm.algebra import algebra_of  # noqa: PLC0415  loads rdflib's SPARQL slowly; plain questions do without
    from agent.gsm.questions.groups import Groups  # noqa: PLC0415  builds on the algebra of rdflib

    algebra = algebra_of(skeleton.text, "", {})
    if algebra is None:
        return None
    groups = Groups(skeleton)
    writer = Writer(name, groups.path)
    try:
        conclusions = writer.conclude(groups.ways(algebra), head)
    except (NotCoveredError, RecursionError):
        return None
    return conclusions, tuple(writer.rules.values())


def _no_path(start: Term, path: object, end: Term) -> Ways:
    raise NotCoveredError
