"""What became of the predictions of a program's ranks, as they report it at MPI_Finalize."""

import json
from pathlib import Path
from typing import Any

COLUMNS = (
    "rank", "receives", "idle", "predicted", "of receives %", "hit", "of predicted %",
    "source again", "tag again", "size again", "committed", "waited s",
)  # fmt: skip
FIELDS = ("source", "tag", "bytes")
NS_PER_S = 1e9


class Predictions:
    """The lines of a report (docs/formats/prediction-report.md)."""

    def __init__(self, report: Path) -> None:
        lines = map(json.loads, report.read_text().splitlines())
        # Ranks of Tasuki's runtime append to the same file, and wait for no calls of MPI.
        of_mpi = [line for line in lines if "waits" in line]
        self._lines = sorted(of_mpi, key=lambda line: line["rank"])

    def rows(self) -> list[tuple[Any, ...]]:
        """Returns one for each rank and, if there are any, one for all."""
        ranks = [(line["rank"], *_counts(line)) for line in self._lines]
        sums = [sum(column) for column in list(zip(*ranks, strict=True))[1:]]
        return [_row(*one) for one in [*ranks, *([("all", *sums)] if ranks else [])]]


def _counts(line: dict[str, Any]) -> tuple[int, ...]:
    names = ("receives", "idle", "predicted", "hit", "committed")
    redone = (line["redone"][field] for field in FIELDS)
    return (*(line[name] for name in names), *redone, line["waits"]["total_ns"])


def _row(rank: int | str, *counts: int) -> tuple[Any, ...]:
    receives, idle, predicted, hit, committed, *redone, waited_ns = counts
    return (
        rank, receives, idle, predicted, _percent(predicted, receives), hit,
        _percent(hit, predicted), *redone, committed, waited_ns / NS_PER_S,
    )  # fmt: skip


def _percent(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None
