"""Settings come from the environment once, and a broken one is a clear fault."""

from pathlib import Path

import pytest

from agent.errors import UsageError
from agent.settings import Settings, read_settings


def test_an_empty_environment_gives_the_usual_settings() -> None:
    assert read_settings({}) == Settings()


def test_variables_and_options_change_what_they_name(tmp_path: Path) -> None:
    file = tmp_path / "credentials.toml"
    file.write_text('["https://Pod.example:443/"]\nAuthorization = "Bearer secret"\n')
    settings = read_settings(
        {"MILEPOST_CREDENTIALS": str(file), "MILEPOST_MAX_BYTES": "1000", "MILEPOST_REQUEST_TIMEOUT": "1.5"},
        mapping=(("http://a", "http://b"),),
        allowed_hosts=frozenset({"h"}),
    )
    assert settings == Settings(
        max_body_bytes=1000,
        request_timeout_s=1.5,
        mapping=(("http://a", "http://b"),),
        allowed_hosts=frozenset({"h"}),
        credentials={"https://pod.example": {"Authorization": "Bearer secret"}},
    )
    assert "secret" not in repr(settings)


@pytest.mark.parametrize("value", ["0", "-1", "many", "nan", "inf"])
def test_a_number_that_is_none_is_refused(value: str) -> None:
    with pytest.raises(UsageError, match="MILEPOST_MAX_BYTES must be a number above 0"):
        read_settings({"MILEPOST_MAX_BYTES": value})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("x = ", "the credentials file is not TOML"),
        ('["pod.example"]\nA = "b"', '"pod.example" is no origin'),
        ('["https://pod.example"]\nA = 1', "must hold header fields, each a text"),
        ('"https://pod.example" = "b"', "must hold header fields, each a text"),
    ],
)
def test_a_credentials_file_that_cannot_be_used_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "credentials.toml"
    file.write_text(text)
    with pytest.raises(UsageError) as caught:
        read_settings({"MILEPOST_CREDENTIALS": str(file)})
    assert complaint in caught.value.message
    assert caught.value.place is not None
    assert caught.value.place.source == str(file)


def test_a_missing_credentials_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the credentials file cannot be read"):
        read_settings({"MILEPOST_CREDENTIALS": str(tmp_path / "none")})
