"""The predictions of the ranks are shown one by one, and together."""

import json
from pathlib import Path

from tasuki.tuned.predictions import COLUMNS, Predictions


def line(rank: int, receives: int, predicted: int, hit: int) -> str:
    return json.dumps(
        {
            "rank": rank, "receives": receives, "idle": predicted + 1, "predicted": predicted,
            "hit": hit, "miss": predicted - hit, "committed": 3 * hit,
            "redone": {"source": 0, "tag": 0, "bytes": predicted - hit},
            "waits": {"count": receives, "total_ns": 500_000_000},
        }
    )  # fmt: skip


def test_each_rank_has_a_row_and_all_together(tmp_path: Path) -> None:
    report = tmp_path / "report"
    report.write_text(f"{line(1, 100, 30, 15)}\n{line(0, 100, 20, 20)}\n")
    rows = Predictions(report).rows()
    assert rows == [
        (0, 100, 21, 20, 20.0, 20, 100.0, 0, 0, 0, 60, 0.5),
        (1, 100, 31, 30, 30.0, 15, 50.0, 0, 0, 15, 45, 0.5),
        ("all", 200, 52, 50, 25.0, 35, 70.0, 0, 0, 15, 105, 1.0),
    ]
    assert {len(row) for row in rows} == {len(COLUMNS)}


def test_no_receives_have_no_rates(tmp_path: Path) -> None:
    report = tmp_path / "report"
    report.write_text(line(0, 0, 0, 0))
    assert Predictions(report).rows()[0][4:7] == (None, 0, None)


def test_nobody_reported(tmp_path: Path) -> None:
    report = tmp_path / "report"
    report.touch()
    assert Predictions(report).rows() == []


def test_ranks_of_tasuki_s_runtime_are_left_out(tmp_path: Path) -> None:
    of_runtime = json.dumps({"rank": 0, "receives": 3, "redone": {"result": 1}})
    report = tmp_path / "report"
    report.write_text(f"{of_runtime}\n{line(0, 100, 20, 20)}\n")
    assert [row[1] for row in Predictions(report).rows()] == [100, 100]
