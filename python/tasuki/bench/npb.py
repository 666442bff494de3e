"""The NAS Parallel Benchmarks over Tasuki or over MPI: what `bench` and `reproduce` run."""

from typing import NamedTuple

from tasuki.base.errors import CommandError
from tasuki.bench.baselines import BaselineRun, job_of_baseline
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
    return job_of_baseline(baseline_of(run))


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


def baseline_of(run: NpbRun) -> BaselineRun:
    arguments = arguments_of(run)
    title = f"NPB {run.kernel.upper()} class {run.problem_class}"
    return BaselineRun("bench npb", title, f"npb_{run.kernel}", arguments, *run[2:7])
