"""Tasks that go through a scheduler: instead of the request, its description goes into the scheduler's queue.

The operator says which service has one, by facts of the program: ``?scheduler sched:forService ?service ;
sched:queue ?queue``. Documents that a run retrieves cannot say so (ADR 0014), or any page could divert tasks. The
model of the workflow stays as it is.
"""

import uuid
from collections.abc import Iterable, Mapping

from agent.decide.bodies import Refusal, render
from agent.decide.request import CREATE_ONLY, Annotation, Request, build_request, merge_equal
from agent.rdf.terms import IRI, TRUE, Formula, Literal, Term
from agent.reason.facts import Facts
from agent.schedulers.entries import Order, order_triples
from agent.schedulers.terms import FOR_SERVICE, IN_INSTANCE, IS_INSTANCE_OF, QUEUE
from agent.schedulers.workflow import is_served_by
from agent.vocab import AG, THIS_BASE

FOR_STAGE_INSTANCE = AG + "forStageInstance"
_ACTIVATION = IRI(AG + "activation")
_RUN = IRI(AG + "run")
_AT_ONCE = ("Prefer", "respond-async")


def through_schedulers(requests: tuple[Request, ...], facts: Facts) -> tuple[Request, ...]:
    """Return ``requests`` with the tasks whose service has a scheduler as entries of its queue.

    An entry is created under a name that follows from the run, the stage instance, its activation and the request:
    putting it there again changes nothing. ``facts`` is the final memory.
    """
    queues = _queues(facts)
    if not queues:
        return requests
    return merge_equal(_as_entry(request, queues, facts) for request in requests)


def _queues(facts: Facts) -> dict[str, str]:
    """Return the queue of every service that has a scheduler; of several the first by name."""
    pairs = [
        (service.value, queue.value)
        for scheduler, _, service in facts.match(None, FOR_SERVICE, None)
        for queue in facts.objects(scheduler, QUEUE)
        if isinstance(service, IRI) and isinstance(queue, IRI)
    ]
    return dict(sorted(pairs, reverse=True))


def _as_entry(request: Request, queues: Mapping[str, str], facts: Facts) -> Request:
    task = _task(request.annotations)
    service = max((s for s in queues if is_served_by(request.uri, s)), key=len, default=None)
    if task is None or service is None or request.keeps:
        return request
    entity = render(request, None)
    if isinstance(entity, Refusal):
        return request
    order = Order(
        request.method,
        request.uri,
        entity.headers,
        None if entity.body is None else entity.body.decode(),
        task.value,
        _iri(facts, task, IN_INSTANCE),
        _iri(facts, task, IS_INSTANCE_OF),
    )
    target = queues[service] + str(_key(order, request.canonical, facts))
    return build_request(
        "PUT",
        target,
        Formula(tuple(order_triples(IRI(THIS_BASE), order, "entry"))),
        (_AT_ONCE,),
        [*request.annotations, (CREATE_ONLY, TRUE)],
        request.edges,
    )


def _task(annotations: Iterable[Annotation]) -> IRI | None:
    """Return the stage instance that a request is a task of."""
    stages = [value for name, value in annotations if name == FOR_STAGE_INSTANCE and isinstance(value, IRI)]
    return min(stages, key=lambda stage: stage.value, default=None)


def _key(order: Order, canonical: str, facts: Facts) -> uuid.UUID:
    run = facts.value(IRI(order.instance), _RUN)
    activation = facts.value(IRI(order.task), _ACTIVATION)
    parts = [_lexical(run), order.instance, order.task, _lexical(activation), canonical]
    return uuid.uuid5(uuid.NAMESPACE_URL, "\n".join(parts))


def _lexical(term: Term | None) -> str:
    return term.lexical if isinstance(term, Literal) else ""


def _iri(facts: Facts, subject: Term, predicate: IRI) -> str:
    return min((o.value for o in facts.objects(subject, predicate) if isinstance(o, IRI)), default="")
