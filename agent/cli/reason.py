"""``milepost reason``: the N3 reasoner alone, without HTTP."""

from typing import TYPE_CHECKING

import typer

from agent.cli import reason_options as options

if TYPE_CHECKING:
    from agent.runtime.inputs import Given


def reason(
    program: options.Rules,
    inputs: options.Inputs = None,
    output: options.Output = "",
    form: options.Form = None,
    pass_only_new: options.PassOnlyNew = False,
    strings: options.Strings = False,
    numeric: options.Numeric = "strict",
    max_rounds: options.MaxRounds = 10_000,
    max_facts: options.MaxFacts = 2_000_000,
    max_terms: options.MaxTerms = 4_000_000,
    max_bindings: options.MaxBindings = 50_000_000,
) -> None:
    """Derive everything that the rules make of the facts, without any request.

    Prints the facts and all that follows from them, as sorted N-Triples, or as N3 where N-Triples cannot say it.
    Request rules are left out, and their number is told. An answer is whole: when a limit is passed there is none,
    the rule is named, and the exit code is 5.
    """
    from agent.cli.forms import form_of, graph_text
    from agent.cli.output import check_writable, save_text
    from agent.cli.retrieval import retrieve
    from agent.n3.program import Program
    from agent.reason.budget import Budget
    from agent.runtime.derive import derive
    from agent.runtime.inputs import read_data, read_programs

    check_writable(output)
    rules = sum((part for _, part in read_programs(program, retrieve)), Program())
    data = read_data(inputs or [], retrieve)
    if rules.requests:
        typer.echo(_left_out(len(rules.requests)), err=True)
    triples = (triple for given in data for triple in given.triples)
    budget = Budget(max_rounds, max_facts, max_terms, max_bindings)
    derivation = derive(rules, triples, numeric=numeric, budget=budget)
    if strings:
        text = derivation.strings
    else:
        wanted = derivation.derived if pass_only_new else derivation.triples
        text = graph_text(wanted, _prefixes(rules.prefixes, data), form or form_of(output))
    if output:
        save_text(text, output)
    else:
        typer.echo(text, nl=False)


def _prefixes(own: dict[str, str], data: "tuple[Given, ...]") -> dict[str, str]:
    """Return the prefixes of all inputs; those of the rules win, and those of earlier files."""
    prefixes: dict[str, str] = {}
    for given in reversed(data):
        prefixes |= given.prefixes
    return prefixes | own


def _left_out(count: int) -> str:
    if count == 1:
        return "1 request rule left out; milepost run carries it out"
    return f"{count} request rules left out; milepost run carries them out"
