"""What the ranks report at MPI_Finalize of predictions and waits, summed over ranks and runs."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

NS_PER_MS = 1_000_000


class Report(NamedTuple):
    """`idle` is how many receives had to wait, `log2_ns` how many waits took from 2^i ns to below
    2^(i + 1) ns. Where nothing is predicted only receives and waits count."""

    receives: int = 0
    idle: int = 0
    predicted: int = 0
    hit: int = 0
    miss: int = 0
    committed: int = 0
    wait_count: int = 0
    wait_ns: int = 0
    log2_ns: tuple[int, ...] = ()

    def plus(self, other: "Report") -> "Report":
        length = max(len(self.log2_ns), len(other.log2_ns))
        bins = (one.log2_ns + (0,) * (length - len(one.log2_ns)) for one in (self, other))
        counts = (a + b for a, b in zip(self[:-1], other[:-1], strict=True))
        return Report(*counts, tuple(a + b for a, b in zip(*bins, strict=True)))


def read_reports(lines: Iterable[str]) -> Report | None:
    """The sum of what the ranks have written, a line of JSON each; None if there is none."""
    reports = [_report_of(json.loads(line)) for line in lines]
    return sum_of(reports) if reports else None


def sum_of(reports: Iterable[Report]) -> Report:
    total = Report()
    for one in reports:
        total = total.plus(one)
    return total


def _report_of(line: Mapping[str, Any]) -> Report:
    names = ("receives", "idle", "predicted", "hit", "miss", "committed")
    waits = line["waits"]
    return Report(
        *(line.get(name, 0) for name in names),
        waits["count"],
        waits["total_ns"],
        tuple(waits["log2_ns"]),
    )


def share_from(report: Report, least_ns: int) -> float | None:
    """Of the waits, in %, those that took `least_ns` and more, from the next power of two on."""
    first = (least_ns - 1).bit_length()
    total = sum(report.log2_ns)
    return 100 * sum(report.log2_ns[first:]) / total if total else None
