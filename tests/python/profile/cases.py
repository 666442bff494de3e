"""Analyses of made-up ranks."""

import json
from collections.abc import Sequence
from pathlib import Path

from event_writer import WrittenRank
from tasuki.profile.analysis import Analysis
from tasuki.profile.event_file import event_files
from tasuki.profile.job_events import JobEvents, Moment


def analysed(folder: Path, ranks: Sequence[WrittenRank], now_ns: int | None = None) -> Analysis:
    """What is found in the ranks' files, with calls in progress until `now_ns`."""
    for rank in ranks:
        rank.write(folder)
    now = None if now_ns is None else Moment(now_ns, now_ns)
    return Analysis(JobEvents(event_files(folder), now))


def written_job() -> list[WrittenRank]:
    """Two ranks: a late sender of 100 ns, a late receiver of 50, a skew of 30, and a probe."""
    first, second = WrittenRank(0, 2), WrittenRank(1, 2)
    first.call("MPI_Init", 10, 100)
    second.call("MPI_Init", 10, 100)
    first.call("MPI_Send", 300, 350, destination=1, tag=5, sent_bytes=1000)
    second.call("MPI_Recv", 200, 360, source=0, tag=5, received_tag=5, received_bytes=1000)
    first.call("MPI_Send", 400, 500, destination=1, tag=6, sent_bytes=3000)
    second.call("MPI_Iprobe", 420, 430, source=0, tag=6)
    second.call("MPI_Recv", 450, 500, source=0, tag=6, received_tag=6, received_bytes=3000)
    first.call("MPI_Pcontrol", 510, 510, tag=3)
    first.call("MPI_Allreduce", 570, 640, sent_bytes=8, received_bytes=8)
    second.call("MPI_Allreduce", 600, 650, sent_bytes=8, received_bytes=8)
    first.call("MPI_Pcontrol", 710, 710, tag=0)
    first.call("MPI_Finalize", 900, 1000)
    second.call("MPI_Finalize", 900, 1000)
    return [first, second]


def rows_named(report: str | dict, name: str) -> list[dict]:
    found = json.loads(report) if isinstance(report, str) else report
    return [row for row in found["results"] if row["name"] == name]
