"""Looks at the world outside of a run: one document, or one step of a machine taken alone."""

from agent.act.perform import Performer
from agent.fetch.answers import answer_from
from agent.fetch.polling import Sources
from agent.rdf.answers import read_answer
from agent.rdf.documents import Failed, Outcome
from agent.rdf.terms import document_of
from agent.runtime.driver import World, run_step
from agent.runtime.machine import Machine
from agent.runtime.report import StepReport
from agent.transport.client import Client, NoReplyError


async def read_outcome(client: Client, uri: str) -> Outcome:
    """Return what became of a GET of the document of ``uri``, with the time-outs of the client alone."""
    document = document_of(uri)
    try:
        return read_answer(answer_from(document, await client.get(document)))
    except NoReplyError as error:
        return Failed(document, error.reason)


async def take_step(machine: Machine, client: Client, sources: Sources) -> StepReport:
    """Take the step of ``machine``, close ``sources``, and return the report; raise what made the step fail."""
    performer = Performer(client)
    try:
        report = await run_step(machine, World(sources, performer))
    finally:
        await performer.close()
        await sources.close()
    if report.failure is not None:
        raise report.failure
    return report
