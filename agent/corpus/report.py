"""What became of a folder of files, as a table and totals."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from agent.codes import CODES
from agent.corpus.verdict import Kind, Verdict
from agent.errors import counted, printable

_MOST_MESSAGES = 5


def row(verdict: Verdict) -> str:
    """Return the line of one file."""
    code = f"{verdict.code}  " if verdict.code else ""
    return printable(
        " ".join(f"{verdict.kind.value:<14} {verdict.where}  {code}{verdict.message}".splitlines())
    )


def totals(verdicts: Sequence[Verdict]) -> str:
    """Return how many files ended how, then the reasons, the most frequent first, each with what was said most often."""
    kinds = Counter(verdict.kind for verdict in verdicts)
    shares = ", ".join(f"{kinds[kind]} {kind.value}" for kind in Kind if kinds[kind])
    head = f"{counted(len(verdicts), 'file')}: {shares or 'nothing to load'}"
    return printable("\n".join([head, *_reasons(verdicts)]))


def _reasons(verdicts: Iterable[Verdict]) -> Iterator[str]:
    messages: dict[str, Counter[str]] = {}
    for verdict in verdicts:
        if verdict.code:
            messages.setdefault(verdict.code, Counter())[verdict.message] += 1
    for code, said in sorted(messages.items(), key=lambda each: (-each[1].total(), each[0])):
        yield f"{said.total():>6}  {code}  {CODES[code].title}"
        for message, count in said.most_common(_MOST_MESSAGES):
            if count > 1:
                yield f"{count:>14}  {' '.join(message.split())}"
