"""The options of ``milepost reason``."""

from typing import Annotated, Literal, TypeAlias

from agent.cli.parameters import Option

Rules: TypeAlias = Annotated[
    list[str], Option("-p", "--program", metavar="RULES...", help="Rules: files, globs or URLs.")
]
Inputs: TypeAlias = Annotated[
    list[str] | None, Option("-i", "--input", metavar="RDF...", help="Facts: files, globs or URLs.")
]
Output: TypeAlias = Annotated[
    str, Option("-o", "--output", metavar="OUT", help="Write to this file [default: print].")
]
Form: TypeAlias = Annotated[
    Literal["nt", "turtle", "n3"] | None,
    Option("--format", help="How the result is written [default: as OUT ends, else nt or n3]."),
]
PassOnlyNew: TypeAlias = Annotated[
    bool, Option("--pass-only-new", help="Write only what the rules add to the facts.")
]
Strings: TypeAlias = Annotated[
    bool,
    Option("--strings", help="Write only the texts of log:outputString, sorted by their subjects."),
]
Explain: TypeAlias = Annotated[
    bool, Option("--explain", help="Print a proof of all that was derived; -o still takes the result.")
]
About: TypeAlias = Annotated[
    str,
    Option("--about", metavar="TRIPLE", help="Explain only what this triple matches, written as in a rule."),
]
Numeric: TypeAlias = Annotated[
    Literal["strict", "cwm"],
    Option("--numeric", help="How numbers compute: as W3C says, or as the program cwm does."),
]
Recompute: TypeAlias = Annotated[
    bool,
    Option("--recompute", help="Use the simple engine, which does not compile rules; slower, same answer."),
]
MaxRounds: TypeAlias = Annotated[
    int, Option("--max-rounds", metavar="N", min=1, help="Give up after N rounds of deriving.")
]
MaxFacts: TypeAlias = Annotated[
    int, Option("--max-facts", metavar="N", min=1, help="Give up at more than N triples.")
]
MaxTerms: TypeAlias = Annotated[
    int, Option("--max-terms", metavar="N", min=1, help="Give up at more than N different terms.")
]
MaxBindings: TypeAlias = Annotated[
    int,
    Option("--max-bindings", metavar="N", min=1, help="Give up after trying N combinations of triples."),
]
MaxQuestions: TypeAlias = Annotated[
    int,
    Option(
        "--max-questions", metavar="N", min=1, help="Give up after N different questions to backward rules."
    ),
]
