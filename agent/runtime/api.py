"""The public functions of Milepost in Python; graphs are rdflib graphs, everything else is plain values."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from os import PathLike, fspath

import rdflib
from msgspec import Struct

from agent.decide.updates import OnConflict
from agent.errors import Finding
from agent.gsm.why.explanation import Explanation
from agent.n3.builtins import Numeric
from agent.n3.data_lists import without_lists
from agent.n3.load import read_program
from agent.n3.program import Program
from agent.reason.inconsistency import refuse
from agent.runtime.checking import check_models
from agent.runtime.derive import derive
from agent.runtime.graphs import read_graph, to_graph
from agent.runtime.inputs import load_programs
from agent.runtime.loop import End
from agent.runtime.report import StepReport
from agent.runtime.retrieval import retriever
from agent.runtime.running import RunOrder, run_agent
from agent.runtime.why import WhyOrder, ask_why
from agent.runtime.why_history import read_history
from agent.settings import read_settings
from agent.transport.addresses import read_mapping

NOWHERE = "http://example.org/"


class RunReport(Struct, frozen=True):
    """How a run ended, after how many steps, what its last step did, and what was known at the end of it."""

    end: End
    steps: int
    last: StepReport | None
    memory: rdflib.Graph


def load_program(*names: "str | PathLike[str]") -> Program:
    """Return the program that files, globs and URLs hold together.

    UsageError if one cannot be read, ProgramError with the place of the first fault in what it says.
    """
    return load_programs([fspath(name) for name in names], retriever(read_settings()))


def check(*names: "str | PathLike[str]", verbose: bool = False) -> tuple[Finding, ...]:
    """Return what is wrong with the workflow model in files, globs and URLs, as ``milepost check`` tells it.

    A finding has ``severity`` ("error", "warning", with ``verbose`` also "note"), ``code``, ``message``, ``place``
    and ``hint``. UsageError if a name leads nowhere.
    """
    return check_models([fspath(name) for name in names], retriever(read_settings()), verbose=verbose)


def parse(text: str, *, source: str = "text", base: str = NOWHERE) -> Program:
    """Return the program that the N3 ``text`` is.

    ``source`` names it in messages, ``base`` is what relative references are relative to. Different
    texts share no blank nodes, whatever their base. ProgramError with the place
    of the first fault.
    """
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return read_program(text, source=source, base=base, scope=f"{base}#{digest}")


def reason(
    program: Program,
    data: rdflib.Graph | None = None,
    *,
    numeric: Numeric = "strict",
    only_new: bool = False,
) -> rdflib.Graph:
    """Return ``data``, the facts of ``program``, and all that its derivation rules make of them, without any request.

    With ``only_new`` only what the rules add. Lists are spelled out; what rdflib cannot hold (formulas, literal
    subjects) is left out. ``numeric`` says how numbers compute: as W3C says, or as the program cwm does. BudgetError if the rules do not come to an end, ProgramError if
    a rule whose head is false holds.
    """
    derivation = derive(program, () if data is None else read_graph(data), numeric=numeric)
    refuse(derivation.findings)
    return to_graph(without_lists(derivation.news if only_new else derivation.triples))


def run(
    *uris: str,
    program: Program | None = None,
    data: rdflib.Graph | None = None,
    steps: int | None = None,
    until_quiet: int | None = None,
    interval_s: float | None = None,
    on_conflict: OnConflict = "pick",
    dry_run: bool = False,
    container: str = "",
    max_documents: int | None = None,
    mapping: Mapping[str, str] | None = None,
    allowed_hosts: Iterable[str] = (),
    on_step: Callable[[int, StepReport], None] = lambda _number, _report: None,
) -> RunReport:
    """Run workflow instances and containers, or ``program`` alone if there are no ``uris``, until the run ends.

    Means what ``milepost run`` means, option by option; ``mapping`` connects to other origins. ``on_step`` is told
    each step with its number. It runs an event loop of its own. WorldError if a URI cannot be read, UsageError if it
    is nothing to run, ClashError and BudgetError when a step fails by them.
    """
    order = RunOrder(
        uris=uris,
        program=program or Program(),
        facts=() if data is None else read_graph(data),
        interval_s=interval_s,
        steps=steps,
        until_quiet=until_quiet,
        on_conflict=on_conflict,
        dry_run=dry_run,
        max_documents=max_documents,
        container=container,
    )
    settings = read_settings(
        mapping=tuple(read_mapping(f"{here}={there}") for here, there in (mapping or {}).items()),
        allowed_hosts=frozenset(allowed_hosts),
    )
    result = asyncio.run(
        run_agent(
            order,
            settings,
            on_step=lambda number, report, _times: on_step(number, report),
            stop=asyncio.Event(),
        )
    )
    return RunReport(result.end, result.steps, result.last, to_graph(result.memory))


def why(
    instance: str,
    element: str = "",
    *,
    program: Program | None = None,
    data: rdflib.Graph | None = None,
    container: str = "",
    trace: "str | PathLike[str]" = "",
    mapping: Mapping[str, str] | None = None,
    allowed_hosts: Iterable[str] = (),
) -> Explanation:
    """Return why ``element`` of a workflow instance is as it is, or without it an overview, by fresh GETs.

    Means what ``milepost why`` means, option by option; it sends nothing, and runs an event loop of its own. WorldError
    if the instance cannot be read, UsageError if it is none or its model has no such element.
    """
    order = WhyOrder(
        instance,
        element,
        program=program or Program(),
        facts=() if data is None else read_graph(data),
        container=container,
        history=read_history(fspath(trace)) if trace else None,
    )
    settings = read_settings(
        mapping=tuple(read_mapping(f"{here}={there}") for here, there in (mapping or {}).items()),
        allowed_hosts=frozenset(allowed_hosts),
    )
    return asyncio.run(ask_why(order, settings))
