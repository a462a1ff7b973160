"""What clients may write to a scheduler's resources, and what they are answered."""

import asyncio
import re

from msgspec.structs import replace

from agent.errors import ProgramError
from agent.messages import FIELD_NAME, FRAMING_FIELDS
from agent.rdf.serialise import to_ntriples
from agent.rdf.terms import IRI, RDF_TYPE, Term, Triple
from agent.reason.facts import Facts
from agent.schedulers import terms
from agent.schedulers.descriptions import Scheduler, facts_of, read_policy, read_scheduler
from agent.schedulers.entries import Order, read_order, read_status
from agent.schedulers.policy import FifoPolicy, Policy
from agent.schedulers.values import one
from agent.schedulers.workflow import is_served_by
from agent.serve.held import Held, pending
from agent.serve.keeping import parse, unprocessable
from agent.serve.pages import MANAGED
from agent.serve.places import Addresses
from agent.serve.scheduler import RunningScheduler
from agent.transport.client import Reply
from ldp_server import Done, Preferences, Problem, Writing
from ldp_server.refusals import problem_of
from ldp_server.storage.port import Put, Reason, Refusal
from ldp_server.syntaxes import TURTLE
from ldp_server.validators import Precondition, entity_tag, read_tags

MOST_OPEN = 10_000
"""As many entries may wait or be on their way; further ones are refused until some are done."""
LARGEST_ENTRY = 256 * 1024
PASS_THROUGH_S = 30.0
LONGEST_WAIT_S = 60.0
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_WITHOUT_BODY = frozenset({204, 205, 304})


def read_description(text: bytes, at: Addresses, present: Policy | None) -> tuple[Scheduler, bytes]:
    """Return the scheduler that the N-Triples ``text`` describes, and what of it is kept as its description.

    Its policy is the one described there, else ``present``, else FIFO. What the server says itself is not kept.
    Raises Problem.
    """
    it = IRI(at.it)
    try:
        triples = parse(text, at.iri(at.home))
        said = facts_of(triples)
        node = one(said, it, terms.POLICY)
        policy = _described_policy(said, node, at) or present or FifoPolicy()
        own = [triple for triple in triples if not _is_managed(triple, it, node)]
        described = facts_of(own)
        return replace(read_scheduler(described, it), policy=policy), to_ntriples(own).encode()
    except ProgramError as error:
        raise unprocessable(error) from None


def _described_policy(said: Facts, node: Term | None, at: Addresses) -> Policy | None:
    here = at.iri(at.policy)
    is_mere_link = node in {IRI(here), IRI(here + "#it")} and not list(said.objects(node, RDF_TYPE))
    return None if node is None or is_mere_link else read_policy(said, node)


def _is_managed(triple: Triple, it: IRI, policy: Term | None) -> bool:
    return (triple.subject == it and triple.predicate in MANAGED) or triple.subject == policy


def read_policy_document(text: bytes, at: Addresses) -> Policy:
    """Return the policy that the N-Triples ``text`` describes, of the document or of ``#it`` in it; raises Problem."""
    here = at.iri(at.policy)
    try:
        said = facts_of(parse(text, here))
        about = IRI(here) if list(said.objects(IRI(here), RDF_TYPE)) else IRI(here + "#it")
        return read_policy(said, about)
    except ProgramError as error:
        raise unprocessable(error) from None


async def post_entry(scheduler: RunningScheduler, writing: Writing) -> Done:
    """Take a request into the queue under a name of ours."""
    key = scheduler.next_key()
    order = _order(scheduler, _facts(scheduler, key, writing), key)
    return await _admit(scheduler, key, order, writing)


async def put_entry(scheduler: RunningScheduler, key: str, writing: Writing) -> Done:
    """Take a request into the queue under the name ``key``, find it there already, or let it wait again."""
    said = _facts(scheduler, key, writing)
    entry = IRI(scheduler.at.iri(scheduler.at.queue + key))
    held = scheduler.held.get(key)
    if held is not None and list(said.objects(entry, terms.STATUS)):
        return await _retry(scheduler, held, said, entry, writing.precondition)
    order = _order(scheduler, said, key)
    if held is None:
        return await _admit(scheduler, key, order, writing)
    if held.entry.order != order:
        raise _other_request(scheduler, key)
    if held.kept is not None and not await asyncio.shield(held.kept):
        raise Problem("LDP021", "The entry could not be stored; nothing of it is kept. Send it again.")
    if writing.preferences.wait_s is not None and held.is_open:
        return await _answer_within(scheduler, held, writing.preferences.wait_s, writing.preferences)
    return Done(202 if held.is_open else 200, _headers(scheduler, held))


def _facts(scheduler: RunningScheduler, key: str, writing: Writing) -> Facts:
    text = writing.draft.named(key if writing.method == "POST" else "")
    if len(text) > LARGEST_ENTRY:
        raise Problem("SCH032", f"The request is larger than {LARGEST_ENTRY} bytes.", status=413)
    try:
        return facts_of(parse(text, scheduler.at.iri(scheduler.at.queue + key)))
    except ProgramError as error:
        raise unprocessable(error) from None


def _order(scheduler: RunningScheduler, said: Facts, key: str) -> Order:
    """Return the request that a body asks for; raises Problem for one that this scheduler does not send."""
    try:
        order = read_order(said, IRI(scheduler.at.iri(scheduler.at.queue + key)))
    except ProgramError as error:
        raise unprocessable(error) from None
    _check_service(order, scheduler.description.service)
    for name, value in order.headers:
        if not FIELD_NAME.fullmatch(name) or name.lower() in FRAMING_FIELDS or _CONTROL.search(value):
            raise Problem(
                "SCH038", f"The header field {name[:60]!r} cannot be sent. Leave it out.", status=422
            )
    return order


def _check_service(order: Order, service: str) -> None:
    if not is_served_by(order.uri, service):
        detail = f"http:requestURI is <{order.uri[:200]}>; requests here go to <{service}> or below it."
        raise Problem("SCH031", detail, status=422)


async def _admit(scheduler: RunningScheduler, key: str, order: Order, writing: Writing) -> Done:
    if scheduler.open_count >= MOST_OPEN:
        detail = f"{MOST_OPEN} requests wait already. Send this one later."
        raise Problem("SCH037", detail, status=503, headers={"Retry-After": "10"})
    held = scheduler.reserve(key, order)
    held.kept = asyncio.get_running_loop().create_future()
    is_kept = False
    try:
        must_exist = Precondition(match=writing.precondition.match if writing.method == "PUT" else None)
        [done] = await scheduler.keeper.must(scheduler.keeper.entry_write(key, held.entry, must_exist))
        held.version, is_kept = done.version, True
    finally:
        held.kept.set_result(is_kept)
        held.kept = None
        if not is_kept:
            scheduler.forget(held)
    scheduler.enqueue(held)
    wait_s = writing.preferences.wait_s
    if wait_s is None:
        passes = scheduler.lets_through() and not writing.preferences.respond_async
        wait_s = PASS_THROUGH_S if passes else 0.0
    return await _answer_within(scheduler, held, wait_s, writing.preferences)


async def _answer_within(
    scheduler: RunningScheduler, held: Held, wait_s: float, preferences: Preferences
) -> Done:
    """Answer as the service does if it does so in time, else that the request is accepted."""
    if wait_s:
        waiter: asyncio.Future[Reply | None] = asyncio.get_running_loop().create_future()
        held.waiters.append(waiter)
        try:
            reply = await asyncio.wait_for(waiter, min(wait_s, LONGEST_WAIT_S))
        except TimeoutError:
            held.waiters = [other for other in held.waiters if other is not waiter]
        else:
            if reply is not None:
                return _passed_on(scheduler, held, reply)
    headers = _headers(scheduler, held) | {"Location": _iri(scheduler, held)}
    if preferences.wait_s is not None:
        headers["Preference-Applied"] = f"wait={preferences.wait_s:g}"
    elif preferences.respond_async:
        headers["Preference-Applied"] = "respond-async"
    return Done(202, headers)


def _passed_on(scheduler: RunningScheduler, held: Held, reply: Reply) -> Done:
    headers = {"Link": f'<{_iri(scheduler, held)}>; rel="monitor"', "Content-Security-Policy": "sandbox"}
    told = {"Content-Type": reply.headers.get("content-type", ""), "Location": reply.location()}
    headers |= {name: value for name, value in told.items() if value and not _CONTROL.search(value)}
    return Done(reply.status, headers, b"" if reply.status in _WITHOUT_BODY else reply.body)


async def _retry(
    scheduler: RunningScheduler, held: Held, said: Facts, entry: IRI, precondition: Precondition
) -> Done:
    """Let an entry that failed or whose end is uncertain wait again, because a person says so."""
    try:
        status = read_status(said, entry)
    except ProgramError as error:
        raise unprocessable(error) from None
    if list(said.objects(entry, terms.METHOD)) and _order(scheduler, said, held.key) != held.entry.order:
        raise _other_request(scheduler, held.key)
    if status != "Pending" or held.entry.status not in {"Failed", "Uncertain"}:
        detail = (
            f"Its status is sched:{held.entry.status}; only Failed and Uncertain can be set to sched:Pending."
        )
        raise Problem("SCH035", detail, status=409)
    if precondition.match is None:
        raise Problem("SCH036", "GET the entry, and send its ETag as If-Match.", status=428)
    _check_service(held.entry.order, scheduler.description.service)
    if not precondition.holds(held.version):
        raise problem_of(Refusal(Reason.PRECONDITION, scheduler.at.queue + held.key), scheduler.at.base)
    # Of several that ask at once, also with If-Match: *, the first one changes the state that the others saw.
    seen = Precondition(read_tags(entity_tag(held.version, TURTLE.short)))
    [done] = await scheduler.keeper.must(scheduler.keeper.entry_write(held.key, pending(held.entry), seen))
    scheduler.reopen(held, done.version)
    return Done(202, _headers(scheduler, held))


def _other_request(scheduler: RunningScheduler, key: str) -> Problem:
    where = scheduler.at.iri(scheduler.at.queue + key)
    return Problem("SCH034", f"{where} is another request. Use another name.", status=409)


def _headers(scheduler: RunningScheduler, held: Held) -> dict[str, str]:
    tag = {} if held.entry.status == "Pending" else {"ETag": entity_tag(held.version, TURTLE.short)}
    return {"Link": f'<{_iri(scheduler, held)}>; rel="monitor"', **tag}


def _iri(scheduler: RunningScheduler, held: Held) -> str:
    return scheduler.at.iri(scheduler.at.queue + held.key)


async def put_policy(scheduler: RunningScheduler, writing: Writing) -> Done:
    """Decide by another policy from now on."""
    policy = read_policy_document(writing.draft.named(""), scheduler.at)
    put = Put(scheduler.at.policy, writing.draft, writing.precondition)
    [done] = await scheduler.keeper.must(put)
    scheduler.set_policy(policy, done.version)
    return Done(204, {"ETag": entity_tag(done.version, TURTLE.short)})
