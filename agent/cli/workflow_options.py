"""The options of ``milepost bench workflow`` and ``milepost experiment gsm``."""

from typing import Annotated, TypeAlias

from agent.cli.parameters import Option

Instances: TypeAlias = Annotated[
    str, Option("-n", metavar="N[,N...]", help="How many workflows run at once; several: one run each.")
]
Baselines: TypeAlias = Annotated[
    list[str] | None,
    Option("--baseline", metavar="naive|sparql", help="Run this one too; may be repeated."),
]
Idle: TypeAlias = Annotated[
    int,
    Option(
        "--idle",
        metavar="K",
        min=1,
        help="Steps after the end in which nothing happens; the first two still take in what was done before.",
    ),
]
Changes: TypeAlias = Annotated[
    int,
    Option("--changes", metavar="K", min=0, help="Steps after that, each after a change by others."),
]
Repeats: TypeAlias = Annotated[
    int, Option("--runs", metavar="R", min=1, help="How often each is run; the median one counts.")
]
Limit: TypeAlias = Annotated[
    int,
    Option("--limit-s", metavar="S", min=1, help="Seconds of processor time that one run may take."),
]
Seed: TypeAlias = Annotated[
    int, Option("--seed", metavar="N", help="Of the environment, and of the changes by others.")
]
Csv: TypeAlias = Annotated[str, Option("--csv", metavar="OUT", help="Also write the table to this file.")]
Keep: TypeAlias = Annotated[
    str, Option("--keep", metavar="DIR", help="Leave a line for each step of each run in this folder.")
]
Date: TypeAlias = Annotated[str, Option("--date", metavar="DATE", help="For the heading of the table.")]
Most: TypeAlias = Annotated[
    int,
    Option("--most", metavar="N", min=1, help="Leave out what has more workflows than this."),
]
Plot: TypeAlias = Annotated[
    str,
    Option("--plot", metavar="OUT", help="Draw the curve into this file (needs matplotlib)."),
]
