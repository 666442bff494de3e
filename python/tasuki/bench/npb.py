"""`tasuki bench npb`: the NAS Parallel Benchmarks over Tasuki, over MPI, or one beside the other.

Also what `tasuki reproduce` runs them with.
"""

from typing import NamedTuple

from tasuki.bench.twins import TwinRun, bench_twins, job_of_twin
from tasuki.measurement.jobs import Job

KERNELS = ("cg", "is")
CLASSES = ("S", "W", "A", "B", "C")


class NpbRun(NamedTuple):
    """One run of a kernel. `implementation` is tasuki or mpi; mpi always runs over MPI."""

    kernel: str
    problem_class: str
    ranks: int
    implementation: str = "tasuki"
    transport: str = "shm"
    mpi: str = "auto"
    node_shm: bool = True


def job_of(run: NpbRun) -> Job:
    """Raises CommandError if this build has no such program."""
    return job_of_twin(_twin(run))


def bench_npb(run: NpbRun, repetitions: int, as_json: bool) -> None:
    """Measures and prints `run`; implementation "both" alternates Tasuki and its MPI twin."""
    bench_twins(_twin(run), repetitions, as_json)


def _twin(run: NpbRun) -> TwinRun:
    arguments = ("--class", run.problem_class)
    title = f"NPB {run.kernel.upper()} class {run.problem_class}"
    return TwinRun("bench npb", title, f"npb_{run.kernel}", arguments, *run[2:])
