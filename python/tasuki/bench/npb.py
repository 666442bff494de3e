"""The NAS Parallel Benchmarks over Tasuki or over MPI: what `bench` and `reproduce` run."""

from tasuki.base.errors import CommandError
from tasuki.bench.baselines import Problem

KERNELS = ("cg", "ep", "is", "mg", "sp")
CLASSES = ("S", "W", "A", "B", "C")
# What the ranks of IS exchange; auto: what is cheaper for the problem.
EXCHANGES = ("auto", "counts", "keys")


def problem_of(kernel: str, problem_class: str, exchange: str = "auto") -> Problem:
    """Raises CommandError if the kernel has no such choice."""
    arguments = ("--class", problem_class)
    if kernel == "is":
        arguments += ("--exchange", exchange)
    elif exchange != "auto":
        raise CommandError(
            "bench npb", f"{kernel} has no choice of what is exchanged", "drop --exchange"
        )
    return Problem("bench npb", f"NPB {kernel.upper()} class {problem_class}", f"npb_{kernel}",
                   arguments)  # fmt: skip
