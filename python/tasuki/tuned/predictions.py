"""The table of what became of the predictions of a program's ranks."""

from collections.abc import Sequence
from typing import Any

from tasuki.tuned.prediction_report import RankReport, Report, sum_of

COLUMNS = (
    "rank", "receives", "idle", "predicted", "of receives %", "hit", "of predicted %",
    "source again", "tag again", "size again", "committed", "waited s",
)  # fmt: skip
NS_PER_S = 1e9


def rows_of(ranks: Sequence[RankReport]) -> list[tuple[Any, ...]]:
    """Returns one for each rank and, if there are any, one for all."""
    rows = [_row(*one) for one in ranks]
    total = sum_of([one.report for one in ranks])
    if total is not None:
        redone = tuple(map(sum, zip(*(one.redone for one in ranks), strict=True)))
        rows.append(_row("all", total, redone))
    return rows


def _row(rank: int | str, report: Report, redone: tuple[int, ...]) -> tuple[Any, ...]:
    return (
        rank, report.receives, report.idle, report.predicted,
        _percent(report.predicted, report.receives), report.hit,
        _percent(report.hit, report.predicted), *redone, report.committed,
        report.wait_ns / NS_PER_S,
    )  # fmt: skip


def _percent(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None
