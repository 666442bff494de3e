"""`tasuki bench python`: collectives of `tasuki.ranks` beside those of mpi4py, in one job.

The ranks run over an MPI. Tasuki's collectives of a node are in its memory there, as over shm.
"""

import importlib.util
import json
import os
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tasuki.base.errors import CommandError, require_known, usage_error
from tasuki.bench.baselines import solution, spread
from tasuki.bench.peers import YIELDING, Peer, peers_here
from tasuki.measurement.jobs import Job, run_job
from tasuki.measurement.race import Time, time_of
from tasuki.output.place import cell_fields, is_oversubscribed, ranks_and_place
from tasuki.output.progress import stepping
from tasuki.output.report import Row, envelope, print_json, print_table, result

OPERATION = "bench python"
COLLECTIVES = (
    "barrier", "broadcast", "reduce", "allreduce", "scan", "exscan", "gather", "scatter",
    "allgather", "alltoall", "reduce_scatter",
)  # fmt: skip
SIZES = (8, 64, 1024, 16384, 131072, 1048576)
PROGRAM = "tasuki.bench.python_ranks"
OWN, OTHER = "tasuki", "mpi4py"
# No slower in any size.
RATIO_MOST = 1.0


class PythonRun(NamedTuple):
    """What to measure; `collectives`, `sizes` and `peers` empty: all."""

    ranks: Sequence[int]
    collectives: Sequence[str]
    sizes: Sequence[int]
    peers: Sequence[Peer]
    rounds: int
    seed: int


def bench_python(run: PythonRun, as_json: bool) -> None:
    require_known(OPERATION, "--collective", run.collectives, COLLECTIVES, "{} is not compared")
    if importlib.util.find_spec("mpi4py") is None:
        raise usage_error(OPERATION, "there is no mpi4py", "install it: pip install mpi4py")
    peers = run.peers or peers_here()
    if not peers:
        raise usage_error(OPERATION, "there is no MPI", "install some: ./dev peers, or give --peer")
    rows: list[Row] = []
    jobs = [(ranks, peer) for ranks in run.ranks for peer in peers]
    with stepping(len(jobs), OPERATION, "jobs") as begin_step:
        for ranks, peer in jobs:
            begin_step(f"{ranks} ranks, {peer.name}")
            rows += _rows(run, ranks, peer)
    if not rows:
        raise CommandError(OPERATION, "mpi4py can use no MPI that is here", "run ./dev peers")
    if as_json:
        print_json(envelope(OPERATION, rows, ranks=None, transport="mpi"))
    else:
        _show(rows)


def _rows(run: PythonRun, ranks: int, peer: Peer) -> list[Row]:
    """Those of one job."""
    cells = [
        (collective, size)
        for collective in dict.fromkeys(run.collectives or COLLECTIVES)
        for size in ((0,) if collective == "barrier" else run.sizes or SIZES)
    ]
    asked = json.dumps({"cells": cells, "rounds": run.rounds, "seed": run.seed})
    environment = dict(YIELDING[peer.kind]) if is_oversubscribed(ranks) else {}
    environment["PATH"] = f"{peer.folder}:{os.environ.get('PATH', '')}"
    arguments = ("-m", PROGRAM, asked)
    job = Job(Path(sys.executable), arguments, ranks, "mpi", peer.kind, environment=environment)
    found = solution(run_job(job))
    if "missing" in found:
        print(f"{OPERATION}: mpi4py cannot use {peer.name}: {found['missing']}", file=sys.stderr)
    return [_row(cell, ranks, found["library"]) for cell in found["cells"]]


def _row(cell: dict[str, Any], ranks: int, library: str) -> Row:
    seconds = cell["seconds"]
    ratio = _ratio(seconds)
    return result(
        f"python_{cell['collective']}",
        statistics.median(seconds[OWN]),
        "s",
        spread=spread(seconds[OWN]),
        repetitions=len(seconds[OWN]),
        baseline=OTHER,
        baseline_value=statistics.median(seconds[OTHER]),
        ratio=ratio.median,
        ratio_low=ratio.low,
        ratio_high=ratio.high,
        **cell_fields(cell["collective"], ranks, cell["message_bytes"]),
        library=library,
        goal=RATIO_MOST,
        ok=ratio.low <= RATIO_MOST,
    )


def _ratio(seconds: dict[str, list[float]]) -> Time:
    """Tasuki's time / mpi4py's, of pairs from one round, with its 95 % interval."""
    pairs = zip(seconds[OWN], seconds[OTHER], strict=True)
    return time_of([own / other for own, other in pairs])


def _show(rows: Sequence[Row]) -> None:
    for ranks, library in dict.fromkeys((row["ranks"], row["library"]) for row in rows):
        chosen = [row for row in rows if (row["ranks"], row["library"]) == (ranks, library)]
        print_table(
            f"Collectives of Python in us, {ranks_and_place(ranks)}, {library}",
            ("collective", "bytes", "Tasuki", OTHER, "ratio", "at least", f"<= {RATIO_MOST}"),
            [
                (
                    row["collective"], row["message_bytes"], row["value"] * 1e6,
                    row["baseline_value"] * 1e6, row["ratio"], row["ratio_low"],
                    "yes" if row["ok"] else "NO",
                )
                for row in chosen
            ],
        )  # fmt: skip
    slower = sum(not row["ok"] for row in rows)
    median = statistics.median(row["ratio"] for row in rows)
    print(f"Median ratio {median:.2f}; Tasuki is slower in {slower} of {len(rows)}.")
