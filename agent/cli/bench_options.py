"""The options of ``milepost bench reason``."""

from typing import Annotated, Literal, TypeAlias

import typer

Size: TypeAlias = Annotated[
    Literal["full", "medium", "small"],
    typer.Option("--size", help="How much work; medium is a tenth of full, small is done within seconds."),
]
Only: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="NAME", help="Only this workload or engine; may be repeated."),
]
Limit: TypeAlias = Annotated[
    int,
    typer.Option("--limit-s", metavar="S", min=1, help="Seconds of processor time that one run may take."),
]
Runs: TypeAlias = Annotated[
    int, typer.Option("--runs", metavar="N", min=1, help="How often each is run; medians count.")
]
Seed: TypeAlias = Annotated[int, typer.Option("--seed", metavar="N", help="Of the facts that are generated.")]
Peers: TypeAlias = Annotated[
    str,
    typer.Option(
        "--peers",
        metavar="PYTHON",
        help="The Python that has pyling-n3, rdflib and owlrl [default: that of Milepost].",
    ),
]
Csv: TypeAlias = Annotated[
    str, typer.Option("--csv", metavar="OUT", help="Also write the table to this file.")
]
Keep: TypeAlias = Annotated[
    str,
    typer.Option("--keep", metavar="DIR", help="Write the workloads into this folder and leave them."),
]
Date: TypeAlias = Annotated[str, typer.Option("--date", metavar="DATE", help="For the heading of the table.")]
