"""Figures 5-7: throughput of a stream of remote writes, by size."""

import json
from typing import NamedTuple

from tasuki.base.errors import ProgramError
from tasuki.base.programs import BUILD_WITH_MPI, require_program
from tasuki.launcher.mpiexec import find_mpiexec
from tasuki.measurement.jobs import Job, run_job
from tasuki.output.figure import Point
from tasuki.reproduce.lab import Run
from tasuki.reproduce.mpcxx.durations import STREAM_S
from tasuki.reproduce.mpcxx.kernels import Kernels
from tasuki.reproduce.repetitions import limit_s

PANEL = "this machine, 2 ranks"


class Sample(NamedTuple):
    """Throughput at one size, in MB/s; the spread is relative."""

    size_bytes: int
    value: float
    spread: float
    repetitions: int


def over_mpi(kernels: Kernels) -> list[Point]:
    """Figure 5: MPI_Send against Tasuki over MPI."""
    return _points(kernels, ("MPI_Send", "Tasuki over MPI"))


def over_shm(kernels: Kernels) -> list[Point]:
    """Figure 6: MPI_Send (which has its own shared memory) against Tasuki over shm."""
    return _points(kernels, ("MPI_Send", "Tasuki over shm"))


def time_ratio(kernels: Kernels) -> list[Point]:
    """Figure 7: time of a write as a multiple of MPI_Send's, from the same runs."""
    base = {sample.size_bytes: sample for sample in _stream(kernels, "MPI_Send")}
    return [
        Point(PANEL, series, sample.size_bytes, base[sample.size_bytes].value / sample.value, "")
        for series in ("Tasuki over MPI", "Tasuki over shm")
        for sample in _stream(kernels, series)
        if sample.size_bytes in base
    ]


def _points(kernels: Kernels, names: tuple[str, ...]) -> list[Point]:
    return [
        Point(PANEL, name, one.size_bytes, one.value, "MB/s", one.spread, one.repetitions,
              {"size_bytes": one.size_bytes})
        for name in names
        for one in _stream(kernels, name)
    ]  # fmt: skip


def _stream(kernels: Kernels, series: str) -> list[Sample]:
    job = kernels.lab.available(lambda: _job(series, kernels.mpi))
    if job is None:
        return []

    def measure(seconds_left: float) -> list[Sample]:
        outcome = run_job(job, min(seconds_left, limit_s(STREAM_S)))
        if outcome.exit_code != 0:
            raise ProgramError(outcome.stderr, outcome.exit_code)
        return [
            Sample(**json.loads(line))
            for line in outcome.stdout.splitlines()
            if line.startswith("{")
        ]

    run = Run(("stream", series), f"throughput, {series}", STREAM_S, measure)
    return kernels.lab.measured(run) or []


def _job(series: str, mpi: str) -> Job:
    if series == "Tasuki over shm":
        return Job(require_program("reproduce mpcxx", "mpcxx_throughput"), (), ranks=2)
    kind = find_mpiexec(mpi)[0]
    name = "mpcxx_throughput" + (f"_mpi_{kind}" if series == "MPI_Send" else "")
    program = require_program("reproduce mpcxx", name, BUILD_WITH_MPI)
    return Job(program, (), ranks=2, transport="mpi", mpi=kind, node_shm=False)
