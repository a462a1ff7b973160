"""A checker of proofs that shares no code with what finds them: it believes premises and the oracle alone."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.n3.builtins import BUILTINS, Context
from agent.n3.program import DerivationRule, Program, RequestRule
from agent.n3.scopes import SCOPED
from agent.rdf.terms import IRI, RDF_NIL, ListTerm, Literal, Term, Triple, Variable, document_of, variables_of
from agent.reason.budget import Budget
from agent.reason.naive import Oracle
from agent.reason.naive_unify import filled
from agent.reason.proof import ASKS, READS, THE_PROGRAM, THE_SENTRIES, THIS_STEP, Step

SPECIAL = {*map(IRI, BUILTINS), *SCOPED}
"""The predicates of patterns that no fact matches."""


def faults(
    steps: Sequence[Step],
    program: Program,
    stated: Mapping[str, Iterable[Triple]],
    memory: Iterable[Triple],
    context: Context,
) -> list[str]:
    """Return what is wrong with ``steps``: one line for each step that proves nothing.

    A fact must be ``stated`` by the file that it names; any other step must be an instance of its rule, whose body
    holds when only its premises are known, and must rest on earlier steps. Negated groups are tested on all of
    ``memory``; those of the past cannot be, since the memory of then is gone.
    """
    oracle = Oracle(program, context, frozenset(), Budget())
    rules = {rule.name: rule for rule in (*program.derivations, *program.backward)}
    everything = [_plain(triple) for triple in memory]
    facts = {name: {_plain(triple) for triple in triples} for name, triples in stated.items()}
    found: list[str] = []
    for number, step in enumerate(steps):
        if step.source:
            if step.triple not in facts.get(step.source, ()):
                found.append(f"{number}: {step.source} does not say it")
            continue
        if step.rule not in rules:
            found.append(f"{number}: there is no rule {step.rule!r}")
            continue
        if any(premise >= number for premise in step.premises):
            found.append(f"{number}: rests on a later step")
            continue
        if step.triple not in _conclusions(rules[step.rule], step, steps, everything, oracle):
            found.append(f"{number}: is no instance of {step.rule}")
    return found


def _instances(
    rule: DerivationRule | RequestRule,
    step: Step,
    steps: Sequence[Step],
    everything: Sequence[Triple],
    oracle: Oracle,
) -> Iterator[Mapping[Term, Term]]:
    """Yield the instances of ``rule`` for the binding of ``step`` when nothing but its premises is known.

    What builtins compute is computed again: what is known beforehand they would only compare by value.
    """
    known = [steps[premise].triple for premise in step.premises]
    binding: dict[Term, Term] = {Variable(name): value for name, value in step.binding}
    plain = [each.triple for each in rule.body if each.triple.predicate not in SPECIAL]
    found = set(variables_of(part for triple in plain for part in triple))
    data: dict[Term, Term] = {Variable(name): value for name, value in step.binding if name in found}
    for instance in oracle.instances(rule.body, known, [] if step.is_past else everything, data):
        if all(instance.get(term, value) == value for term, value in binding.items()):
            yield instance


def _conclusions(
    rule: DerivationRule, step: Step, steps: Sequence[Step], everything: Sequence[Triple], oracle: Oracle
) -> set[Triple]:
    return {
        triple
        for instance in _instances(rule, step, steps, everything, oracle)
        for triple in oracle.conclusions(rule, instance)
    }


@dataclass(frozen=True)
class Ground:
    """What the proofs of a step of a run may rest on: what was given, what documents say, and what was concluded."""

    program: Program
    protected: frozenset[str]
    given: Sequence[Triple]
    said: Callable[[str], Sequence[Triple]]
    concluded: Sequence[Triple]
    context: Context
    memory: Sequence[Triple]
    tells_why_read: bool


def run_faults(steps: Sequence[Step], ground: Ground) -> list[str]:
    """Return what is wrong with the proofs of a run: one line for each step that proves nothing.

    Beside what ``faults`` wants, a document that states something must be read because of an earlier step, by a rule
    that asks for it, where the proofs tell that.
    """
    oracle = Oracle(ground.program, ground.context, ground.protected, Budget())
    everything = [_plain(triple) for triple in ground.memory]
    program = ground.program
    rules = {rule.name: rule for rule in (*program.derivations, *program.backward)}
    requests = {rule.name: rule for rule in program.requests}
    found: list[str] = []
    for number, step in enumerate(steps):
        premises = [steps[premise].triple for premise in step.premises if premise < number]
        if len(premises) < len(step.premises):
            found.append(f"{number}: rests on a later step")
        elif step.source and not _is_stated(step, premises, ground):
            found.append(f"{number}: {step.source} does not say it, or is not read")
        elif not step.source and step.rule in rules:
            if step.triple not in _conclusions(rules[step.rule], step, steps, everything, oracle):
                found.append(f"{number}: is no instance of {step.rule}")
        elif not step.source and step.rule in requests:
            if not _is_asked(requests[step.rule], step, steps, everything, oracle):
                found.append(f"{number}: {step.rule} does not ask for it")
        elif not step.source and (step.rule or step.triple not in map(_plain, ground.given)):
            found.append(f"{number}: was not given")
    return found


def _is_stated(step: Step, premises: Sequence[Triple], ground: Ground) -> bool:
    held = {THE_PROGRAM: ground.program.facts, THE_SENTRIES: ground.concluded}
    if step.source in held:
        return not premises and step.triple in map(_plain, held[step.source])
    reads = [Triple(THIS_STEP, READS, IRI(step.source))]
    return (list(premises) == reads or not ground.tells_why_read) and all(
        step.triple in map(_plain, ground.said(document)) for document in (step.source, *step.also)
    )


def _is_asked(
    rule: RequestRule, step: Step, steps: Sequence[Step], everything: Sequence[Triple], oracle: Oracle
) -> bool:
    """Tell whether ``rule`` reads the document of ``step``, or if it asks for something else, whether it holds."""
    instances = list(_instances(rule, step, steps, everything, oracle))
    if step.triple == Triple(THIS_STEP, ASKS, Literal(rule.name)):
        return bool(instances)
    uris = [filled(each.uri, found) for found in instances for each in rule.requests if each.uri is not None]
    documents = {IRI(document_of(uri.value)) for uri in uris if isinstance(uri, IRI)}
    return step.triple[:2] == (THIS_STEP, READS) and step.triple.object in documents


def _plain(triple: Triple) -> Triple:
    return Triple(*(RDF_NIL if term == ListTerm(()) else term for term in triple))
