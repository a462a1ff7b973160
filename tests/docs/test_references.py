"""The pages that are written by machine are what the machine would write now."""

import pytest

from agent.codes import CODES
from tests.support.references import AREAS, CHECKOUT, PAGES


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_generated_page_is_up_to_date(name: str) -> None:
    kept = (CHECKOUT / name).read_text(encoding="utf-8")

    assert kept == PAGES[name](), "write it again with: python tests/support/references.py"


def test_every_code_belongs_to_an_area_of_the_page() -> None:
    assert {code[:-3] for code in CODES} <= set(AREAS)
