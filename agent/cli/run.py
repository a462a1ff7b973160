"""``milepost run``: workflow instances, containers of them, and programs, against the world."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agent.cli import run_options as options
from agent.cli.console import echo
from agent.errors import BudgetError, Place, UsageError, WorldError

if TYPE_CHECKING:
    from agent.cli.output import WriteStep
    from agent.runtime.running import RunOrder, RunResult
    from agent.settings import Settings

STOPPING = "stopping; what is being written is finished first"


def run(
    uris: options.URIs = None,
    program: options.Program = None,
    inputs: options.Inputs = None,
    steps: options.Steps = None,
    until_quiet: options.UntilQuiet = None,
    interval: options.Interval = None,
    dry_run: options.DryRun = False,
    trace: options.Trace = "",
    bodies: options.Bodies = False,
    mapping: options.Mapping = None,
    allow_host: options.AllowHost = None,
    max_documents: options.MaxDocuments = None,
    on_conflict: options.OnConflict = "pick",
    delivery: options.Delivery = "parallel",
    container: options.Container = "",
    recompute: options.Recompute = False,
    query: options.Query = None,
    output: options.Output = "",
) -> int:
    """Run workflow instances, or a program of rules, against the Web.

    URIs come before -p and -i, or after --. An instance is executed with the rules of the lifecycle, and only it; a
    container: every instance in it, also those that appear later. -p and -i add rules and facts. Without a URI, the
    program runs alone.
    """
    from agent.act.delivery import choose_delivery
    from agent.cli.output import check_writable, opened_trace
    from agent.runtime.inputs import load_facts, load_programs
    from agent.runtime.retrieval import retriever
    from agent.runtime.running import RunOrder
    from agent.settings import read_settings
    from agent.transport.addresses import read_mapping

    choose_delivery(delivery)
    queries = _read_queries(query or [])
    check_writable(output, *(question.out for question in queries))
    settings = read_settings(
        mapping=tuple(map(read_mapping, mapping or [])), allowed_hosts=frozenset(allow_host or [])
    )
    retrieve = retriever(settings)
    order = RunOrder(
        uris=tuple(uris or []),
        program=load_programs(program or [], retrieve),
        facts=load_facts(inputs or [], retrieve),
        interval_s=interval,
        steps=steps,
        until_quiet=until_quiet,
        on_conflict=on_conflict,
        dry_run=dry_run,
        keep_bodies=bodies,
        keep_grounds=bool(trace),
        max_documents=max_documents,
        container=container,
        recompute=recompute,
    )
    with opened_trace(trace, bodies=bodies) as write:
        result, code = _to_its_end(order, settings, write)
    _save(result, queries, output)
    return _ended(result, code)


def _to_its_end(order: "RunOrder", settings: "Settings", trace: "WriteStep") -> "tuple[RunResult, int]":
    import asyncio

    return asyncio.run(_run(order, settings, trace))


async def _run(order: "RunOrder", settings: "Settings", trace: "WriteStep") -> "tuple[RunResult, int]":
    from agent.cli.progress import Progress, farewell
    from agent.cli.signals import stoppable
    from agent.runtime.loop import StepTimes
    from agent.runtime.report import StepReport
    from agent.runtime.running import run_agent

    with stoppable(STOPPING) as stop, Progress(dry_run=order.dry_run) as progress:

        def on_step(number: int, report: StepReport, times: StepTimes) -> None:
            trace(number, report, times.ms)
            progress.step(number, report)

        result = await run_agent(order, settings, on_step=on_step, stop=stop.asked)
    echo(farewell(result.end, result.steps))
    return result, stop.exit_code


class _Question(NamedTuple):
    """A query, the file that it stands in, and the file for its answer."""

    text: str
    source: str
    out: str


def _read_queries(values: Sequence[str]) -> list[_Question]:
    """Return the queries of -q, whose values come in pairs: a file with a query and a file for the answer."""
    if not values:
        return []
    from agent.runtime.files import read_text
    from agent.runtime.queries import check_query

    if len(values) % 2:
        raise UsageError("USE001", "-q takes two values, a file with a query and a file for the answer")
    pairs = zip(values[::2], values[1::2], strict=True)
    questions = [_Question(read_text(source), source, out) for source, out in pairs]
    for question in questions:
        check_query(question.text, source=question.source)
    return questions


def _save(result: "RunResult", questions: Sequence[_Question], output: str) -> None:
    """Write the last memory, and the answers of queries on it, to files."""
    from agent.cli.output import save_bytes, save_triples
    from agent.runtime.queries import answer_query

    if output:
        save_triples(result.memory, output)
    for text, source, out in questions:
        ending = Path(out).suffix.removeprefix(".")
        save_bytes(answer_query(text, result.memory, source=source, ending=ending), out)


def _check_parked(result: "RunResult") -> None:
    """Raise BudgetError if the run ended because its instances are parked."""
    if result.end != "parked" or result.last is None:
        return
    parked = next(instance for instance in result.last.instances if instance.status == "parked")
    raise BudgetError(
        "GSM060",
        f"the instance is parked: {parked.reason}",
        place=Place(parked.uri),
        hint=f"Correct the model, then run: milepost resume {parked.uri}",
    )


def _ended(result: "RunResult", code: int) -> int:
    """Return the exit code, or raise what the way a run ended says about the world or its instance."""
    _check_world(result)
    _check_parked(result)
    return code


def _check_world(result: "RunResult") -> None:
    """Raise WorldError if the last step of a run that did not end by itself could read nothing, or write nothing."""
    last = result.last
    if last is None or result.end in ("ended", "parked", "interrupted"):
        return
    failed = [get for get in last.gets if get.outcome == "failed"]
    if failed and len(failed) == len(last.gets):
        raise WorldError(
            "NET001", f"nothing could be read in the last step: {failed[0].uri}: {failed[0].reason}"
        )
    sent = [request for request in last.requests if request.outcome in ("confirmed", "refused", "unknown")]
    if sent and not any(request.outcome == "confirmed" for request in sent):
        first = sent[0]
        became = f"{first.outcome} {first.reason or first.status or ''}".strip()
        raise WorldError(
            "NET002", f"no request was confirmed in the last step: {first.method} {first.uri}: {became}"
        )
