"""The house rules find what they are for, and nothing in a clean tree."""

from pathlib import Path

import pytest

from tests.support.house_rules import faults

LONG_FUNCTION = "def long() -> None:\n" + "    print()\n" * 60
EXEMPT = "x = 1  # no" + "qa"


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("a.py", "x = 1\n" * 401, "a.py:1  401 lines, 400 are allowed: split it by idea"),
        ("a.py", LONG_FUNCTION, "a.py:1  long has 61 lines, 60 are allowed"),
        ("a.py", "\n# TO" + "DO later\n", "a.py:2  unfinished work, or a forbidden import"),
        ("a.py", "import unittest." + "mock\n", "a.py:1  unfinished work, or a forbidden import"),
        (
            "tests/a.py",
            "pytest.sk" + "ip('later')\n",
            "tests/a.py:1  a test is left out for lack of a program only: call tests.support.tools.need",
        ),
        ("a.py", EXEMPT + "\n", "a.py:1  an exemption needs its code and its reason on the line"),
        ("a.py", EXEMPT + ": S310\n", "a.py:1  an exemption needs its code and its reason on the line"),
        (
            "a.py",
            'x = r"(?:ab?c)*' + '+"\n',
            "a.py:1  until 3.11.4, Python matches this wrongly: repeat the group inside of an atomic one, (?>(?:...)*)",
        ),
        ("b/utils.py", "x = 1\n", "b/utils.py:1  the name says nothing: name the idea"),
        ("README.md", "see /ro" + "ot/notes\n", "README.md:1  names somebody's own machine or a registry"),
    ],
)
def test_each_house_rule_names_the_place(name: str, text: str, fault: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")

    assert faults(tmp_path) == [fault]


def test_a_clean_tree_has_no_faults(tmp_path: Path) -> None:
    (tmp_path / "fine.py").write_text("x = 1\n" * 399 + EXEMPT + ": S310  it is bounded\n", encoding="utf-8")
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "other.py").write_text("x = 1\n" * 999, encoding="utf-8")

    assert faults(tmp_path) == []
