"""``milepost why``: why a guard, a stage or a milestone is as it is."""

from typing import TYPE_CHECKING, Annotated, Literal

from agent.cli import run_options as options
from agent.cli.console import echo
from agent.cli.parameters import Argument, Option

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent.gsm.why.explanation import Explanation

Format = Literal["text", "json", "turtle"]


def why(
    instance: Annotated[str, Argument(metavar="INSTANCE", help="The URI of a workflow instance.")],
    element: Annotated[
        str,
        Argument(
            metavar="ELEMENT",
            help="A stage, guard, milestone or sentry of its model: IRI, local name or label [default: an overview].",
            show_default=False,
        ),
    ] = "",
    program: options.Program = None,
    inputs: options.Inputs = None,
    container: options.Container = "",
    mapping: options.Mapping = None,
    allow_host: options.AllowHost = None,
    trace: Annotated[
        str, Option("--trace", metavar="FILE", help="The trace of a run, for what happened before.")
    ] = "",
    form: Annotated[Format, Option("--format", help="How the explanation is written.")] = "text",
) -> None:
    """Tell why a guard, a stage or a milestone is as it is, by fresh GETs and without any run.

    It is one step of the agent itself that sends nothing: it reads, reasons and decides, and shows each query pattern
    by pattern, with the number of matches, where it stops and what nearly matched. INSTANCE and ELEMENT come before
    -p and -i.
    """
    import asyncio

    from agent.runtime.inputs import load_facts, load_programs
    from agent.runtime.retrieval import retriever
    from agent.runtime.why import WhyOrder, ask_why
    from agent.runtime.why_history import read_history
    from agent.settings import read_settings
    from agent.transport.addresses import read_mapping

    settings = read_settings(
        mapping=tuple(map(read_mapping, mapping or [])), allowed_hosts=frozenset(allow_host or [])
    )
    retrieve = retriever(settings)
    order = WhyOrder(
        instance,
        element,
        program=load_programs(program or [], retrieve),
        facts=load_facts(inputs or [], retrieve),
        container=container,
        history=read_history(trace) if trace else None,
    )
    echo(_writer(form)(asyncio.run(ask_why(order, settings))), nl=False)


def _writer(form: Format) -> "Callable[[Explanation], str]":
    from agent.gsm.why.json_form import to_json
    from agent.gsm.why.text import to_text
    from agent.gsm.why.triples import to_rdf

    return {"text": to_text, "json": to_json, "turtle": to_rdf}[form]
