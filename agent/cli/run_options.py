"""The options of ``milepost run``, one each."""

from typing import Annotated, Literal

import typer

Strings = list[str] | None

URIs = Annotated[Strings, typer.Argument(metavar="URI", help="Workflow instances, or containers of them.")]
Program = Annotated[
    Strings, typer.Option("-p", "--program", metavar="PROGRAM...", help="Rules: files, globs or URLs.")
]
Inputs = Annotated[
    Strings, typer.Option("-i", "--input", metavar="RDF...", help="Facts: files, globs or URLs.")
]
Steps = Annotated[int | None, typer.Option("--steps", min=1, metavar="N", help="End after N steps.")]
UntilQuiet = Annotated[
    int | None, typer.Option("--until-quiet", min=1, metavar="K", help="End after K quiet steps.")
]
Interval = Annotated[
    float | None,
    typer.Option(
        "--interval",
        min=0,
        metavar="S",
        help="Seconds between steps [default: 1 for URIs; a program takes one step and ends].",
    ),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Show the requests and send none; one step, if nothing else is said."),
]
Trace = Annotated[str, typer.Option("--trace", metavar="FILE", help="Write a line of JSON for each step.")]
Bodies = Annotated[bool, typer.Option("--bodies", help="Keep bodies in the trace, for replay.")]
Mapping = Annotated[
    Strings, typer.Option("--map", metavar="FROM=TO", help="Connect to origin TO instead of FROM; URIs stay.")
]
AllowHost = Annotated[
    Strings, typer.Option("--allow-host", metavar="H", help="Allow this host whatever its address.")
]
MaxDocuments = Annotated[
    int | None,
    typer.Option("--max-documents", min=1, metavar="N", help="Read at most N documents in a step."),
]
OnConflict = Annotated[
    Literal["pick", "error", "all"],
    typer.Option("--on-conflict", help="When requests clash: pick one, send nothing and end, or send all."),
]
Delivery = Annotated[
    str, typer.Option("--delivery", metavar="MODE", help="How an instance's writes are delivered.")
]
Container = Annotated[
    str,
    typer.Option(
        "--container", metavar="C", help="Where instances keep their elements, if nothing else tells."
    ),
]
Recompute = Annotated[
    bool,
    typer.Option(
        "--recompute", help="Start each step from empty memory instead of keeping what has not changed."
    ),
]
Query = Annotated[
    Strings,
    typer.Option(
        "-q", "--query", metavar="QUERY OUT", help="Write the answer of a SPARQL query on the last memory."
    ),
]
Output = Annotated[
    str, typer.Option("-o", "--output", metavar="OUT", help="Write the last memory to this file.")
]
