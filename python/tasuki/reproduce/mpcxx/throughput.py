"""Figures 5 and 6: throughput of a stream of remote writes, by size; and the overhead it shows."""

import json
from typing import NamedTuple

from tasuki.base.errors import ProgramError, usage_error
from tasuki.base.programs import BUILD_WITH_MPI, require_program
from tasuki.launcher.mpiexec import find_mpiexec
from tasuki.measurement.jobs import Job, run_job
from tasuki.output.figure import Point
from tasuki.reproduce.lab import Run
from tasuki.reproduce.mpcxx.durations import STREAM_S, WIRE_STREAM_S
from tasuki.reproduce.mpcxx.kernels import Kernels
from tasuki.reproduce.mpcxx.paper import FEW_BYTES, FOUND, OVERHEAD_PANEL
from tasuki.reproduce.mpcxx.variants import NATIVE, TASUKI_OVER_MPI
from tasuki.reproduce.mpcxx.wire import describe_wire, run_over_wire
from tasuki.reproduce.repetitions import limit_s

MPI = "MPI_Send"
ETHERNET, FAST = "Ethernet", "fast network"
SERIES = {
    ETHERNET: (MPI, TASUKI_OVER_MPI.title),
    FAST: (MPI, TASUKI_OVER_MPI.title, NATIVE.title),
}
SHARED_MEMORY = "this machine's shared memory"
WIRE_STREAM_MIB = 1  # Of 100 Mbit/s, 0.08 s.


class Sample(NamedTuple):
    """Throughput at one size, in MB/s; the spread is relative."""

    size_bytes: int
    value: float
    spread: float
    repetitions: int


def by_size(network: str, kernels: Kernels) -> list[Point]:
    """Figure 5 (Ethernet) or 6 (the fast network)."""
    panel = SHARED_MEMORY if network == FAST else describe_wire()
    return [
        Point(panel, series, one.size_bytes, one.value, "MB/s", one.spread, one.repetitions,
              {"size_bytes": one.size_bytes})
        for series in SERIES[network]
        for one in _stream(kernels, network, series)
    ]  # fmt: skip


def overheads(kernels: Kernels) -> list[Point]:
    """Of a write over MPI, compared with MPI_Send, at the worst size up to FEW_BYTES."""
    points = []
    for network in SERIES:
        base = {one.size_bytes: one.value for one in _stream(kernels, network, MPI)}
        over = [
            100 * (base[one.size_bytes] / one.value - 1)
            for one in _stream(kernels, network, TASUKI_OVER_MPI.title)
            if one.size_bytes <= FEW_BYTES and one.size_bytes in base
        ]
        if over:
            points.append(Point(OVERHEAD_PANEL, FOUND, network, max(over), "%"))
    return points


def _stream(kernels: Kernels, network: str, series: str) -> list[Sample]:
    job = kernels.lab.available(lambda: _job(network, series, kernels.wishes.mpi))
    if job is None:
        return []
    expected_s = STREAM_S if network == FAST else WIRE_STREAM_S

    def measure(seconds_left: float) -> list[Sample]:
        run = run_job if network == FAST else run_over_wire
        outcome = run(job, min(seconds_left, limit_s(expected_s)))
        if outcome.exit_code != 0:
            raise ProgramError(outcome.stderr, outcome.exit_code)
        return [
            Sample(**json.loads(line))
            for line in outcome.stdout.splitlines()
            if line.startswith("{")
        ]

    title = f"throughput, {network}, {series}"
    run = Run(("stream", network, series), title, expected_s, measure)
    return [Sample(*one) for one in kernels.lab.measured(run) or []]


def _job(network: str, series: str, mpi: str) -> Job:
    if series == NATIVE.title:
        return Job(require_program("reproduce mpcxx", "mpcxx_throughput"), (), ranks=2)
    kind = find_mpiexec(mpi)[0]
    if network == ETHERNET and kind != "ompi":
        raise usage_error(
            "reproduce mpcxx",
            "fig5 needs Open MPI, which can be told to use TCP between two ranks of one machine",
            "apt install openmpi-bin libopenmpi-dev, ./dev build, and --mpi ompi",
        )
    name = "mpcxx_throughput" + (f"_mpi_{kind}" if series == MPI else "")
    program = require_program("reproduce mpcxx", name, BUILD_WITH_MPI)
    arguments = (str(WIRE_STREAM_MIB),) if network == ETHERNET else ()
    return Job(program, arguments, ranks=2, transport="mpi", mpi=kind, node_shm=False)
