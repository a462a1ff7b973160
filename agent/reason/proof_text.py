"""Proofs as text for people: numbered steps, each resting on those above it."""

from collections.abc import Iterator, Mapping, Sequence

from agent.n3.scopes import NOT_INCLUDES
from agent.n3.write import BODY_BLANK, Writer
from agent.rdf.terms import Formula, Term, Triple
from agent.reason.proof import Step

_INDENT = " " * 4


def proof_text(steps: Sequence[Step], prefixes: Mapping[str, str]) -> str:
    """Return ``steps`` as text: a line for each triple, numbered from 1, and below it where it comes from."""
    writer = Writer(prefixes)
    return "".join(
        line + "\n" for number, step in enumerate(steps, 1) for line in _lines(number, step, writer)
    )


def _lines(number: int, step: Step, writer: Writer) -> Iterator[str]:
    yield f"{number}  {writer.triple(step.triple)} ."
    if step.source:
        read = "".join(f", read because of {premise + 1}" for premise in step.premises)
        yield f"{_INDENT}stated in {' and '.join((step.source, *step.also))}{read}"
        return
    if not step.rule:
        yield f"{_INDENT}given"
        return
    from_ = f", from {', '.join(str(premise + 1) for premise in step.premises)}" if step.premises else ""
    kind = "backward rule" if step.is_answer else "rule"
    yield f"{_INDENT}by {kind} {step.rule}{from_}"
    if step.binding:
        yield f"{_INDENT}with {', '.join(_bound(name, value, writer) for name, value in step.binding)}"
    for condition in step.conditions:
        yield _INDENT + _condition(condition, writer, is_past=step.is_past)


def _bound(name: str, value: Term, writer: Writer) -> str:
    return f"{name if name.startswith(BODY_BLANK) else f'?{name}'} = {writer.term(value)}"


def _condition(condition: Triple, writer: Writer, *, is_past: bool) -> str:
    if condition.predicate == NOT_INCLUDES and isinstance(condition.object, Formula):
        verb = "matched, when the rule ran," if is_past else "matches"
        return f"as nothing {verb} {writer.term(condition.object)}"
    return f"as {writer.triple(condition)}"
