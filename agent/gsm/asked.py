"""Which sentries are asked for which instances, and how it is said that one is true."""

from collections.abc import Iterator
from hashlib import sha256

from agent.gsm.terms import BOOLEAN, HAS_RESULT, IS_INSTANCE_OF, IS_RUNNING, OF_INSTANCE, USES_SENTRY
from agent.rdf.terms import IRI, TRUE, BlankNode, Term, Triple
from agent.reason.facts import Facts

_RESULT_SCOPE = "sentry results"


def asked_sentries(facts: Facts) -> Iterator[tuple[IRI, Term]]:
    """Yield every running instance with each sentry of its model, in an order that is always the same."""
    running = sorted(
        (a for a in facts.subjects(IS_RUNNING, TRUE) if isinstance(a, IRI)), key=lambda a: a.value
    )
    of_model: dict[Term, list[Term]] = {}
    for instance in running:
        root = facts.value(instance, IS_INSTANCE_OF)
        if root is None:
            continue
        if root not in of_model:
            of_model[root] = sorted(facts.objects(root, USES_SENTRY), key=repr)
        for sentry in of_model[root]:
            yield instance, sentry


def result_of(sentry: Term, instance: IRI) -> Iterator[Triple]:
    """Yield the triples that say that ``sentry`` is true for ``instance``."""
    name = sha256(f"{sentry!r} {instance.value}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
    node = BlankNode(f"r{name}", _RESULT_SCOPE)
    yield Triple(sentry, HAS_RESULT, node)
    yield Triple(node, OF_INSTANCE, instance)
    yield Triple(node, BOOLEAN, TRUE)
