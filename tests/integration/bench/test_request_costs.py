"""What a request costs is measured in every layer, and told to people and to programs."""

import csv
from pathlib import Path

import pytest

from tests.benchmarks.request_costs import main

LAYERS = {
    "aiohttp": {"GET 200", "GET 304", "PUT"},
    "Client": {"GET 200", "GET 304", "PUT"},
    "Sources": {"GET 200", "GET 304"},
    "Performer": {"PUT"},
    "driver": {"GET 200", "GET 304", "PUT"},
    "step": {"GET 304"},
}


def test_every_layer_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "costs.csv"

    main(["--documents", "3", "--rounds", "2", "--csv", str(output)])

    found: dict[str, dict[str, set[str]]]
    told = capsys.readouterr().out.splitlines()
    with output.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert told[0].endswith("; 3 documents, 2 rounds")
    assert [line.split()[0] for line in told[3:9]] == list(LAYERS)
    assert [line.split()[0] for line in told[12:]] == list(LAYERS)[1:]
    assert told[3].count("(1.00)") == 3
    found = {with_what: {name: set() for name in LAYERS} for with_what in ("server", "stand-in")}
    for row in rows:
        found[row["with"]][row["layer"]].add(row["kind"])
    assert found == {"server": LAYERS, "stand-in": {**LAYERS, "aiohttp": set()}}
    assert all(float(row["cpu_us"]) > 0 for row in rows)
