"""A checker of proofs that shares no code with what finds them: it believes premises and the oracle alone."""

from collections.abc import Iterable, Mapping, Sequence

from agent.n3.builtins import Context
from agent.n3.program import Program
from agent.rdf.terms import RDF_NIL, ListTerm, Term, Triple, Variable
from agent.reason.budget import Budget
from agent.reason.naive import Oracle
from agent.reason.proof import Step


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
        rule = rules[step.rule]
        known = [steps[premise].triple for premise in step.premises]
        binding: dict[Term, Term] = {Variable(name): value for name, value in step.binding}
        if not any(
            step.triple in oracle.conclusions(rule, instance)
            for instance in oracle.instances(rule.body, known, [] if step.is_past else everything, binding)
        ):
            found.append(f"{number}: is no instance of {step.rule}")
    return found


def _plain(triple: Triple) -> Triple:
    return Triple(*(RDF_NIL if term == ListTerm(()) else term for term in triple))
