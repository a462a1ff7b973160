"""``milepost experiment gsm``: the curve of the paper, run again."""

from pathlib import Path

import pytest

from tests.support.command_line import milepost


def test_the_curve_is_told_beside_the_paper_and_kept_in_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = milepost(
        capsys, "experiment", "gsm", "--most", "1", "--csv", str(tmp_path / "curve.csv"), "--date", "a Monday"
    )

    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0].endswith("a Monday")
    assert "Only the shape can be compared" in done.out
    head, *rows = (tmp_path / "curve.csv").read_text(encoding="utf-8").splitlines()
    assert head == "n,wall_s,times_n1,cpu_s,cpu_times_n1,paper_times_n1"
    (cells,) = (row.split(",") for row in rows)
    assert (cells[0], cells[2], cells[4], cells[5]) == ("1", "1.0", "1.0", "1.0")
    assert float(cells[1]) > 0
    assert float(cells[3]) > 0
