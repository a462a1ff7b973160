"""The options of ``milepost bench reason``."""

from typing import Annotated, Literal, TypeAlias

from agent.cli.parameters import Option

Size: TypeAlias = Annotated[
    Literal["full", "medium", "small"],
    Option("--size", help="How much work; medium is a tenth of full, small is done within seconds."),
]
Only: TypeAlias = Annotated[
    list[str] | None,
    Option("--only", metavar="NAME", help="Only this workload or engine; may be repeated."),
]
Limit: TypeAlias = Annotated[
    int,
    Option("--limit-s", metavar="S", min=1, help="Seconds of processor time that one run may take."),
]
Runs: TypeAlias = Annotated[
    int, Option("--runs", metavar="N", min=1, help="How often each is run; medians count.")
]
Seed: TypeAlias = Annotated[int, Option("--seed", metavar="N", help="Of the facts that are generated.")]
Peers: TypeAlias = Annotated[
    str,
    Option(
        "--peers",
        metavar="PYTHON",
        help="The Python that has pyling-n3, rdflib and owlrl [default: that of Milepost].",
    ),
]
Csv: TypeAlias = Annotated[str, Option("--csv", metavar="OUT", help="Also write the table to this file.")]
Keep: TypeAlias = Annotated[
    str,
    Option("--keep", metavar="DIR", help="Write the workloads into this folder and leave them."),
]
Date: TypeAlias = Annotated[str, Option("--date", metavar="DATE", help="For the heading of the table.")]
