"""Several values may follow one ``-p`` or ``-i``, as scripts in the wild have it."""

import pytest

from agent.cli.values import spread_values


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("reason -p a b -i c d", "reason -p a -p b -i c -i d"),
        ("reason -p a -p b", "reason -p a -p b"),
        ("run -p a b --steps 2", "run -p a -p b --steps 2"),
        ("run http://h/i -p a b", "run http://h/i -p a -p b"),
        ("run -p a b -- http://h/i", "run -p a -p b -- http://h/i"),
        ("--debug run --program a b", "--debug run --program a --program b"),
        ("run -p a a a", "run -p a -p a -p a"),
        ("parse -p a b", "parse -p a b"),
        ("reason -p", "reason -p"),
        ("", ""),
    ],
)
def test_a_greedy_option_is_repeated_before_each_further_value(given: str, meant: str) -> None:
    assert spread_values(given.split()) == meant.split()
