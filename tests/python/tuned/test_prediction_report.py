"""What ranks report of predictions is read from their lines, and summed."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tasuki.base.programs import find_program
from tasuki.tuned.prediction_report import RankReport, Report, read_reports, sum_of

LINE = {
    "rank": 1,
    "ranks": 2,
    "mode": "always",
    "receives": 200,
    "idle": 50,
    "predicted": 40,
    "hit": 30,
    "miss": 10,
    "redone": {"source": 1, "tag": 2, "bytes": 10},
    "committed": 31,
    "waits": {"count": 4, "total_ns": 3_000_000, "log2_ns": [0, 0, 3, *[0] * 17, 1]},
    "cpu_s": 0.5,
}
FEW_WAITS = {"count": 1, "total_ns": 5, "log2_ns": [0, 0, 1]}
REPORT = Report(200, 50, 40, 30, 10, 31, 4, 3_000_000, (0, 0, 3, *[0] * 17, 1))


def test_ranks_are_in_their_order() -> None:
    lines = [json.dumps(one) for one in (LINE, {**LINE, "rank": 0, "receives": 7})]
    first, second = read_reports(lines)
    assert (first.rank, first.report.receives) == (0, 7)
    assert second == RankReport(1, REPORT, (1, 2, 10))


def test_ranks_of_the_runtime_are_left_out() -> None:
    of_runtime = {"rank": 0, "receives": 3, "redone": {"result": 1}}
    assert [one.rank for one in read_reports(map(json.dumps, (of_runtime, LINE)))] == [1]


def test_reports_are_summed() -> None:
    other = {**LINE, "rank": 0, "waits": FEW_WAITS}
    ranks = read_reports(map(json.dumps, (LINE, other)))
    total = Report(400, 100, 80, 60, 20, 62, 5, 3_000_005, (0, 0, 4, *[0] * 17, 1))
    assert sum_of([one.report for one in ranks]) == total
    assert sum_of([]) is None


def test_each_rank_of_a_tasuki_program_appends_a_line(tmp_path: Path) -> None:
    report = tmp_path / "report"
    subprocess.run(
        [sys.executable, "-m", "tasuki", "run", "-n", "2", str(find_program("example_first"))],
        env={**os.environ, "TASUKI_PREDICT_REPORT": str(report)},
        check=True,
        timeout=120,
    )
    lines = [json.loads(line) for line in report.read_text().splitlines()]
    assert sorted(one["rank"] for one in lines) == [0, 1]
    assert all(one["mode"] == "guarded" and one["receives"] > 0 for one in lines)
