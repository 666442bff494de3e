"""`tasuki bench npb`: the NAS Parallel Benchmarks over Tasuki, over MPI, or one beside the other.

Also what `tasuki reproduce` runs them with.
"""

from typing import NamedTuple

from tasuki.base.errors import CommandError
from tasuki.bench.twins import TwinRun, bench_twins, job_of_twin
from tasuki.measurement.jobs import Job

KERNELS = ("cg", "is")
CLASSES = ("S", "W", "A", "B", "C")
# What the ranks of IS exchange; auto: what is cheaper for the problem.
EXCHANGES = ("auto", "counts", "keys")


class NpbRun(NamedTuple):
    """One run of a kernel. `implementation` is tasuki or mpi; mpi always runs over MPI."""

    kernel: str
    problem_class: str
    ranks: int
    implementation: str = "tasuki"
    transport: str = "shm"
    mpi: str = "auto"
    node_shm: bool = True
    exchange: str = "auto"


def job_of(run: NpbRun) -> Job:
    """Raises CommandError if this build has no such program."""
    return job_of_twin(_twin(run))


def bench_npb(run: NpbRun, repetitions: int, as_json: bool) -> None:
    """Measures and prints `run`; implementation "both" alternates Tasuki and its MPI twin."""
    bench_twins(_twin(run), repetitions, as_json)


def arguments_of(run: NpbRun) -> tuple[str, ...]:
    """Raises CommandError if the kernel has no such choice."""
    arguments = ("--class", run.problem_class)
    if run.kernel == "is":
        return (*arguments, "--exchange", run.exchange)
    if run.exchange != "auto":
        raise CommandError(
            "bench npb", f"{run.kernel} has no choice of what is exchanged", "drop --exchange"
        )
    return arguments


def _twin(run: NpbRun) -> TwinRun:
    arguments = arguments_of(run)
    title = f"NPB {run.kernel.upper()} class {run.problem_class}"
    return TwinRun("bench npb", title, f"npb_{run.kernel}", arguments, *run[2:7])
