"""The report that ranks append to at MPI_Finalize, of what they predicted and how long they waited
(docs/formats/prediction-report.md)."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

FIELDS = ("source", "tag", "bytes")


class Report(NamedTuple):
    """Of one rank, or summed. `idle` is how many receives had to wait, `log2_ns` how many waits
    took from 2^i ns to below 2^(i + 1) ns. Where nothing is predicted only receives and waits
    count."""

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


class RankReport(NamedTuple):
    """`redone` are the steps that were done again, by the wrong one of FIELDS."""

    rank: int
    report: Report
    redone: tuple[int, ...]


def read_reports(lines: Iterable[str]) -> list[RankReport]:
    """What the ranks have written, a line of JSON each, ordered by rank. Ranks of Tasuki's runtime
    append to the same file; as they wait for no calls of MPI, they are left out."""
    read = [json.loads(line) for line in lines]
    return sorted(_rank_report_of(line) for line in read if "waits" in line)


def sum_of(reports: Sequence[Report]) -> Report | None:
    """None if there are none."""
    total = Report()
    for one in reports:
        total = total.plus(one)
    return total if reports else None


def _rank_report_of(line: Mapping[str, Any]) -> RankReport:
    names = ("receives", "idle", "predicted", "hit", "miss", "committed")
    waits = line["waits"]
    report = Report(
        *(line[name] for name in names), waits["count"], waits["total_ns"], tuple(waits["log2_ns"])
    )
    return RankReport(line["rank"], report, tuple(line["redone"][field] for field in FIELDS))
