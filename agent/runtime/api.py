"""The public functions of Milepost in Python; graphs are rdflib graphs, everything else is plain values."""

from os import PathLike, fspath

import rdflib

from agent.n3.builtins import Numeric
from agent.n3.load import read_program
from agent.n3.program import Program
from agent.runtime.derive import derive
from agent.runtime.graphs import read_graph, to_graph
from agent.runtime.inputs import load_programs
from agent.runtime.retrieval import retriever
from agent.settings import read_settings

NOWHERE = "http://example.org/"


def load_program(*names: "str | PathLike[str]") -> Program:
    """Return the program that files, globs and URLs hold together.

    UsageError if one cannot be read, ProgramError with the place of the first fault in what it says.
    """
    return load_programs([fspath(name) for name in names], retriever(read_settings()))


def parse(text: str, *, source: str = "text", base: str = NOWHERE) -> Program:
    """Return the program that the N3 ``text`` is.

    ``source`` names it in messages, ``base`` is what relative references are relative to. ProgramError with the place
    of the first fault.
    """
    return read_program(text, source=source, base=base)


def reason(
    program: Program, data: rdflib.Graph | None = None, *, numeric: Numeric = "strict"
) -> rdflib.Graph:
    """Return ``data``, the facts of ``program``, and all that its derivation rules make of them, without any request.

    What rdflib cannot hold (lists as terms, formulas, literal subjects) is left out. ``numeric`` says how numbers
    compute: as W3C says, or as the program cwm does. BudgetError if the rules do not come to an end.
    """
    return to_graph(derive(program, () if data is None else read_graph(data), numeric=numeric))
