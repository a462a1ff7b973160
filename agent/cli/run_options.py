"""The options of ``milepost run``, one each."""

from typing import Annotated, Literal

from agent.cli.parameters import Argument, Option

Strings = list[str] | None

URIs = Annotated[Strings, Argument(metavar="URI", help="Workflow instances, or containers of them.")]
Program = Annotated[
    Strings, Option("-p", "--program", metavar="PROGRAM...", help="Rules: files, globs or URLs.")
]
Inputs = Annotated[Strings, Option("-i", "--input", metavar="RDF...", help="Facts: files, globs or URLs.")]
Steps = Annotated[int | None, Option("--steps", min=1, metavar="N", help="End after N steps.")]
UntilQuiet = Annotated[
    int | None, Option("--until-quiet", min=1, metavar="K", help="End after K quiet steps.")
]
Interval = Annotated[
    float | None,
    Option(
        "--interval",
        min=0,
        metavar="S",
        help="Seconds between steps [default: 1 for URIs; a program takes one step and ends].",
    ),
]
DryRun = Annotated[
    bool,
    Option("--dry-run", help="Show the requests and send none; one step, if nothing else is said."),
]
Trace = Annotated[str, Option("--trace", metavar="FILE", help="Write a line of JSON for each step.")]
Bodies = Annotated[bool, Option("--bodies", help="Keep bodies in the trace, for replay.")]
Mapping = Annotated[
    Strings, Option("--map", metavar="FROM=TO", help="Connect to origin TO instead of FROM; URIs stay.")
]
AllowHost = Annotated[
    Strings, Option("--allow-host", metavar="H", help="Allow this host whatever its address.")
]
MaxDocuments = Annotated[
    int | None,
    Option("--max-documents", min=1, metavar="N", help="Read at most N documents in a step."),
]
OnConflict = Annotated[
    Literal["pick", "error", "all"],
    Option("--on-conflict", help="When requests clash: pick one, send nothing and end, or send all."),
]
Delivery = Annotated[
    str, Option("--delivery", metavar="MODE", help="How an instance's writes are delivered.")
]
Container = Annotated[
    str,
    Option("--container", metavar="C", help="Where instances keep their elements, if nothing else tells."),
]
Recompute = Annotated[
    bool,
    Option("--recompute", help="Start each step from empty memory instead of keeping what has not changed."),
]
Query = Annotated[
    Strings,
    Option(
        "-q", "--query", metavar="QUERY OUT", help="Write the answer of a SPARQL query on the last memory."
    ),
]
Output = Annotated[str, Option("-o", "--output", metavar="OUT", help="Write the last memory to this file.")]
