"""Header fields of an answer: by lower-case name, legible, and validators only if they can be sent back."""

from collections.abc import Mapping

import pytest
from multidict import CIMultiDict, CIMultiDictProxy

from agent.transport.fields import LegibleFields

NOT_UTF8 = b"caf\xe9".decode("utf-8", "surrogateescape")


def fields(*pairs: tuple[str, str]) -> Mapping[str, str]:
    return LegibleFields(CIMultiDictProxy(CIMultiDict(pairs)))


def test_fields_are_a_mapping_of_lower_case_names() -> None:
    found = fields(("Content-Type", "text/turtle"), ("X-Name", NOT_UTF8), ("ETag", 'W/"é"'))

    assert dict(found) == {"content-type": "text/turtle", "x-name": "caf?", "etag": 'W/"é"'}
    assert (len(found), "location" in found, found.get("location", "")) == (3, False, "")


def test_the_last_of_several_fields_of_a_name_counts() -> None:
    assert dict(fields(("Vary", "a"), ("vary", "b"))) == {"vary": "b"}


@pytest.mark.parametrize(
    "validators", [[f'"{NOT_UTF8}"'], ['"a\x01"'], ['"1"', '"2"']], ids=["bytes", "control", "two"]
)
def test_a_validator_that_could_not_be_sent_back_is_left_out(validators: list[str]) -> None:
    found = fields(*(("ETag", validator) for validator in validators), ("Age", "1"))

    assert (dict(found), len(found), "etag" in found) == ({"age": "1"}, 1, False)
