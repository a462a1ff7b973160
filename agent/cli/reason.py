"""``milepost reason``: the N3 reasoner alone, without HTTP."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent.cli import reason_options as options
from agent.cli.batch import without_collection
from agent.cli.console import echo

if TYPE_CHECKING:
    from agent.n3.program import Program
    from agent.rdf.terms import Triple
    from agent.reason.budget import Budget
    from agent.reason.proof import RankedFacts
    from agent.runtime.derivation import Derivation
    from agent.runtime.inputs import Given


@without_collection()
def reason(
    program: options.Rules,
    inputs: options.Inputs = None,
    output: options.Output = "",
    form: options.Form = None,
    pass_only_new: options.PassOnlyNew = False,
    strings: options.Strings = False,
    explain: options.Explain = False,
    about: options.About = "",
    numeric: options.Numeric = "strict",
    recompute: options.Recompute = False,
    max_rounds: options.MaxRounds = 10_000,
    max_facts: options.MaxFacts = 2_000_000,
    max_terms: options.MaxTerms = 4_000_000,
    max_bindings: options.MaxBindings = 50_000_000,
    max_questions: options.MaxQuestions = 200_000,
) -> int:
    """Derive everything that the rules make of the facts, without any request.

    Prints the facts and all that follows from them, as sorted N-Triples, or as N3 where N-Triples cannot say it.
    Request rules are left out, and their number is told. An answer is whole: when a limit is passed there is none,
    the rule is named, and the exit code is 5.
    """
    from agent.cli.forms import form_of, graph_text
    from agent.cli.output import check_writable
    from agent.cli.retrieval import retrieve
    from agent.errors import printable
    from agent.reason.budget import Budget
    from agent.runtime.derive import derive
    from agent.runtime.inputs import Given, open_named, read_data, read_programs

    check_writable(output)
    parts = read_programs(program, retrieve)
    data = read_data(inputs or [], retrieve)
    rules = _joined([part for _, part in parts])
    given = [*(Given(name, part.facts, part.prefixes) for name, part in parts), *data]
    budget = Budget(max_rounds, max_facts, max_terms, max_bindings, max_questions)
    is_asked = explain or bool(about)
    memory = _ranked() if is_asked else None
    derivation = derive(
        rules,
        *(each.triples for each in data),
        numeric=numeric,
        budget=budget,
        memory=memory,
        open_document=open_named([*program, *(inputs or [])], retrieve),
        recompute=recompute,
    )
    for finding in derivation.findings:
        echo(printable(str(finding)), err=True)
    proof = _proof(rules, derivation, given, about, budget) if is_asked else ""
    if output or not is_asked:
        wanted = derivation.news if pass_only_new else derivation.triples
        pieces = (
            [derivation.strings] if strings else graph_text(wanted, _prefixes(given), form or form_of(output))
        )
        _put_out(pieces, output)
    echo(proof, nl=False)
    return 1 if any(finding.severity == "error" for finding in derivation.findings) else 0


def _ranked() -> "RankedFacts":
    from agent.reason.proof import RankedFacts

    return RankedFacts()


def _put_out(pieces: "Sequence[str]", output: str) -> None:
    from agent.cli.output import save_pieces

    if output:
        save_pieces(pieces, output)
    else:
        sys.stdout.writelines(pieces)
        sys.stdout.flush()


def _joined(parts: "Sequence[Program]") -> "Program":
    """Return the program of all files; how many of its rules are left out is told."""
    from agent.n3.program import Program

    rules = sum(parts, Program())
    count = len(rules.requests)
    if count:
        them = (
            "rules left out; milepost run carries them out"
            if count > 1
            else "rule left out; milepost run carries it out"
        )
        echo(f"{count} request {them}", err=True)
    return rules


def _proof(
    rules: "Program", derivation: "Derivation", given: "Sequence[Given]", about: str, budget: "Budget"
) -> str:
    """Return the proofs of what was derived, or of what ``about`` matches.

    If that is nothing, what the rules lack is told, and ProgramError N3030 raised.
    """
    from agent.errors import ProgramError
    from agent.reason.absence_text import absence_text
    from agent.reason.proof_text import proof_text
    from agent.runtime.explaining import explain, explain_absence, matching, read_pattern

    prefixes = _prefixes(given)
    wanted: Sequence[Triple] = derivation.derived
    if about:
        pattern = read_pattern(about, prefixes)
        wanted = matching(derivation.triples, pattern)
        if not wanted:
            absence = explain_absence(rules, derivation, pattern, budget=budget)
            echo("" if absence is None else absence_text(absence, prefixes), nl=False)
            raise ProgramError(
                "N3030", f"nothing that is known matches {about}", hint="Try it with fewer names."
            )
    sources = [(each.name, each.triples) for each in given]
    return proof_text(explain(rules, derivation, wanted, sources, budget=budget), prefixes)


def _prefixes(given: "Sequence[Given]") -> dict[str, str]:
    """Return the prefixes of all inputs; those of the first win."""
    prefixes: dict[str, str] = {}
    for each in reversed(given):
        prefixes |= each.prefixes
    return prefixes
