"""Settings of one process: limits, time-outs, credentials. The only place that reads the environment.

MILEPOST_CREDENTIALS       a TOML file of header fields per origin (see ``read_credentials``)
MILEPOST_MAX_BYTES         largest body of an answer, in bytes
MILEPOST_REQUEST_TIMEOUT   seconds that one request may take altogether
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit

from agent.errors import Place, UsageError

Credentials: TypeAlias = Mapping[str, Mapping[str, str]]
"""Header fields by origin (``https://pod.example``, port only if it is not the usual one)."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What bounds the traffic of a process. Seconds end in ``_s``, sizes in ``_bytes``.

    ``mapping`` has pairs of origins: requests to the first connect to the second. ``allowed_hosts`` may be reached
    whatever their address. ``credentials`` are never printed.
    """

    max_body_bytes: int = 4 * 1024 * 1024
    connect_timeout_s: float = 5.0
    request_timeout_s: float = 30.0
    step_deadline_s: float = 2.0
    requests_per_host: int = 32
    max_redirects: int = 10
    mapping: tuple[tuple[str, str], ...] = ()
    allowed_hosts: frozenset[str] = frozenset()
    credentials: Credentials = field(default_factory=dict, repr=False)


def read_settings(
    environment: Mapping[str, str] | None = None,
    *,
    mapping: tuple[tuple[str, str], ...] = (),
    allowed_hosts: frozenset[str] = frozenset(),
) -> Settings:
    """Return the settings that ``environment`` (that of the process if None) and the command line ask for.

    UsageError USE010 if a variable or the credentials file cannot be used.
    """
    values = os.environ if environment is None else environment
    usual = Settings()
    credentials_file = values.get("MILEPOST_CREDENTIALS", "")
    return Settings(
        max_body_bytes=int(_positive(values, "MILEPOST_MAX_BYTES", usual.max_body_bytes)),
        request_timeout_s=_positive(values, "MILEPOST_REQUEST_TIMEOUT", usual.request_timeout_s),
        mapping=mapping,
        allowed_hosts=allowed_hosts,
        credentials=read_credentials(Path(credentials_file)) if credentials_file else {},
    )


def read_credentials(path: Path) -> Credentials:
    """Read header fields per origin from a TOML file; UsageError USE010 if it cannot be used.

    The file has one table per origin: ``["https://pod.example"]`` and below it ``Authorization = "Bearer ..."``.
    """
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise _unusable(f"the credentials file cannot be read: {error.strerror}", str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _unusable(f"the credentials file is not TOML: {error}", str(path)) from None
    return {_origin(name, path): _fields(name, table, path) for name, table in tables.items()}


@lru_cache(maxsize=32_768)
def origin_of(uri: str) -> str:
    """Return scheme, host and port of an http or https URI, the usual port left out; ValueError if it has none."""
    parts = urlsplit(uri)
    usual_port = {"http": 80, "https": 443}.get(parts.scheme)
    if usual_port is None or not parts.hostname:
        raise ValueError(f"{uri} is no http or https URI")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + ("" if parts.port in (None, usual_port) else f":{parts.port}")


def _origin(name: str, path: Path) -> str:
    try:
        return origin_of(name)
    except ValueError:
        raise _unusable(f'"{name}" is no origin such as "https://pod.example"', str(path)) from None


def _fields(name: str, table: object, path: Path) -> Mapping[str, str]:
    if isinstance(table, dict) and all(isinstance(value, str) for value in table.values()):
        return {str(key): str(value) for key, value in table.items()}
    raise _unusable(f'"{name}" must hold header fields, each a text', str(path))


def _positive(values: Mapping[str, str], name: str, usual: float) -> float:
    text = values.get(name, "")
    if not text:
        return usual
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise _unusable(f"{name} must be a number above 0, not {text!r}", "environment")
    return number


def _unusable(message: str, source: str) -> UsageError:
    return UsageError("USE010", message, place=Place(source))
