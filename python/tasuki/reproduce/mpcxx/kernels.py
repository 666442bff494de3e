"""Runs of NPB CG and IS for the figures: on this machine and on simulated nodes."""

import json
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from tasuki.bench.npb import NpbRun, job_of, middle_of, solution, spread
from tasuki.errors import NativeError
from tasuki.jobs import EXIT_TIMED_OUT, run_job
from tasuki.native import BUILD_WITH_SIMGRID, find_plugin, require_native
from tasuki.reproduce.lab import Lab
from tasuki.reproduce.simulation import run_simulated, simulator

KERNELS = ("cg", "is")
RANKS = (1, 2, 4)
SIMULATED_NODES = (1, 2, 4, 8, 16, 32)
REPETITIONS = 3
RUN_LIMIT_S = 120.0  # One slow run, above all a simulated one, is not to spend the whole budget.


class Variant(NamedTuple):
    """One way to run a kernel on this machine, by the name of its curve."""

    title: str
    implementation: str
    transport: str


VARIANTS = (
    Variant("MPI", "mpi", "mpi"),
    Variant("Tasuki over MPI", "tasuki", "mpi"),
    Variant("Tasuki over shm", "tasuki", "shm"),
)
SIMULATED = {"MPI": "mpi_smpi", "Tasuki over MPI": "tasuki_smpi.so"}


class Kernels:
    """All runs of kernels in one reproduction. Classes are the letters to run, smallest first."""

    def __init__(self, lab: Lab, classes: tuple[str, ...], mpi: str) -> None:
        self.lab = lab
        self.classes = classes
        self.mpi = mpi

    def solve(
        self, variant: Variant, kernel: str, problem_class: str, ranks: int
    ) -> dict[str, Any] | None:
        """The median run, with `spread` and `repetitions`; None if it cannot be had."""
        job = self.lab.available(lambda: job_of(self._run(variant, kernel, problem_class, ranks)))
        if job is None:
            return None

        def measure(seconds_left: float) -> dict[str, Any]:
            runs = [solution(run_job(job, seconds_left)) for _ in range(REPETITIONS)]
            return middle_of(runs) | {
                "spread": spread([run["seconds"] for run in runs]),
                "repetitions": len(runs),
            }

        title = f"{kernel.upper()} class {problem_class}, {variant.title}, {ranks} ranks"
        return self.measured(("solve", variant, kernel, problem_class, ranks), title, measure)

    def simulate(
        self, series: str, kernel: str, problem_class: str, nodes: int, network: str
    ) -> dict[str, Any] | None:
        """One run on simulated nodes; None if it cannot be had."""
        if simulator() is None:
            self.lab.note("no simulated clusters: SimGrid's smpirun is not installed, as with:"
                          " apt install libsimgrid-dev")  # fmt: skip
            return None
        name = f"npb_{kernel}_{SIMULATED[series]}"
        program = self.lab.available(
            lambda: require_native("reproduce mpcxx", name, BUILD_WITH_SIMGRID)
        )
        if program is None:
            return None

        def measure(seconds_left: float) -> dict[str, Any]:
            arguments = ("--class", problem_class, "--json")
            return solution(run_simulated(program, arguments, nodes, network, seconds_left))

        smaller = ("simulate", name, problem_class, nodes // 2, network)
        if nodes > 1 and self.lab.failed(smaller):
            self.lab.remember_failure(("simulate", name, problem_class, nodes, network))
            return None  # It would take longer still.
        title = f"{kernel.upper()} class {problem_class}, {series}, {nodes} nodes on {network}"
        return self.measured(("simulate", name, problem_class, nodes, network), title, measure)

    def count(
        self, variant: Variant, kernel: str, problem_class: str, ranks: int
    ) -> list[dict[str, int]] | None:
        """For each rank what it asked of the MPI; None if it cannot be had."""
        run = self._run(variant, kernel, problem_class, ranks)
        job = self.lab.available(lambda: job_of(run))
        if job is None:
            return None
        counter = find_plugin(f"mpcxx_message_counts_{job.mpi}")
        if counter is None:
            self.lab.note(f"no tables of messages: the counter for {job.mpi} is not built")
            return None

        def measure(seconds_left: float) -> list[dict[str, int]]:
            with tempfile.TemporaryDirectory(prefix="tasuki-") as folder:
                counts = Path(folder) / "counts"
                environment = {"LD_PRELOAD": str(counter), "MPCXX_COUNTS_FILE": str(counts)}
                solution(run_job(job._replace(environment=environment), seconds_left))
                return json.loads(counts.read_text())["per_rank"]

        title = f"messages of {kernel.upper()} class {problem_class}, {variant.title}"
        return self.measured(("count", variant, kernel, problem_class, ranks), title, measure)

    def measured(self, key: Any, title: str, measure: Any) -> Any:
        """A wrong answer ends all; a run that was cut short is only missing."""
        try:
            return self.lab.measured(key, title, lambda left: measure(min(left, RUN_LIMIT_S)))
        except NativeError as failure:
            if failure.exit_code != EXIT_TIMED_OUT:
                raise
            self.lab.note(f"{title}: not measured, ended by its limit of {RUN_LIMIT_S:g} s or by"
                          " what was left of the budget (--budget)")  # fmt: skip
            return None

    def _run(self, variant: Variant, kernel: str, problem_class: str, ranks: int) -> NpbRun:
        return NpbRun(
            kernel,
            problem_class,
            ranks,
            variant.implementation,
            variant.transport,
            self.mpi,
            node_shm=False,
        )
