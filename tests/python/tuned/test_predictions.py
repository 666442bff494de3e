"""The predictions of the ranks are shown one by one, and together."""

from tasuki.tuned.prediction_report import RankReport, Report
from tasuki.tuned.predictions import COLUMNS, rows_of


def rank_report(rank: int, receives: int, predicted: int, hit: int) -> RankReport:
    wrong = predicted - hit
    report = Report(
        receives, predicted + 1, predicted, hit, wrong, 3 * hit, receives, 500_000_000, (receives,)
    )
    return RankReport(rank, report, (0, 0, wrong))


def test_each_rank_has_a_row_and_all_together() -> None:
    rows = rows_of([rank_report(0, 100, 20, 20), rank_report(1, 100, 30, 15)])
    assert rows == [
        (0, 100, 21, 20, 20.0, 20, 100.0, 0, 0, 0, 60, 0.5),
        (1, 100, 31, 30, 30.0, 15, 50.0, 0, 0, 15, 45, 0.5),
        ("all", 200, 52, 50, 25.0, 35, 70.0, 0, 0, 15, 105, 1.0),
    ]
    assert {len(row) for row in rows} == {len(COLUMNS)}


def test_no_receives_have_no_rates() -> None:
    assert rows_of([rank_report(0, 0, 0, 0)])[0][4:7] == (None, 0, None)


def test_nobody_reported() -> None:
    assert rows_of([]) == []
