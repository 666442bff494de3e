"""Runs of NPB CG and IS for the figures: on this machine and on simulated nodes."""

import json
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from tasuki.base.programs import BUILD_WITH_SIMGRID, find_plugin, require_program
from tasuki.bench.npb import NpbRun, arguments_of, job_of
from tasuki.bench.twins import solution
from tasuki.measurement.jobs import run_job
from tasuki.reproduce.lab import Lab, Run
from tasuki.reproduce.mpcxx.durations import count_s, simulate_s, solve_s
from tasuki.reproduce.repetitions import REPETITIONS, limit_s, middle_of_repeated
from tasuki.reproduce.simulation import run_simulated, simulator

KERNELS = ("cg", "is")
RANKS = (1, 2, 4)
SIMULATED_NODES = (1, 2, 4, 8, 16, 32)


def exchange_of(kernel: str) -> str:
    """The paper's IS moves keys."""
    return "keys" if kernel == "is" else "auto"


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

        expected_s = REPETITIONS * solve_s(kernel, problem_class)
        title = f"{kernel.upper()} class {problem_class}, {variant.title}, {ranks} ranks"

        def measure(seconds_left: float) -> dict[str, Any]:
            most_s = min(seconds_left, limit_s(expected_s))
            return middle_of_repeated(self.lab, title, job, most_s)

        key = ("solve", variant, kernel, problem_class, ranks)
        return self.lab.measured(Run(key, title, expected_s, measure))

    def simulate(
        self, series: str, kernel: str, problem_class: str, nodes: int, network: str
    ) -> dict[str, Any] | None:
        """One run on simulated nodes; None if it cannot be had."""
        run = self._simulated_run(series, kernel, problem_class, nodes, network)
        return None if run is None else self.lab.measured(run)

    def simulate_all(self, kernel: str, network: str) -> None:
        """Makes all runs of the kernel on simulated nodes, several at once: load does not matter.

        Where a number of nodes has failed larger ones are left out: they would take longer still.
        """
        failed = set()
        for nodes in SIMULATED_NODES:
            runs = {
                (problem_class, series): run
                for problem_class in self.classes
                for series in SIMULATED
                if (run := self._simulated_run(series, kernel, problem_class, nodes, network))
            }
            for which in failed & runs.keys():
                self.lab.remember_failure(runs[which].key)
            self.lab.measure_together(list(runs.values()))
            failed = {which for which, run in runs.items() if self.lab.failed(run.key)}

    def _simulated_run(
        self, series: str, kernel: str, problem_class: str, nodes: int, network: str
    ) -> Run | None:
        """None if this machine cannot do it."""
        if simulator() is None:
            self.lab.note("no simulated clusters: SimGrid's smpirun is not installed, as with:"
                          " apt install libsimgrid-dev")  # fmt: skip
            return None
        name = f"npb_{kernel}_{SIMULATED[series]}"
        program = self.lab.available(
            lambda: require_program("reproduce mpcxx", name, BUILD_WITH_SIMGRID)
        )
        if program is None:
            return None

        expected_s = simulate_s(series, kernel, problem_class, nodes)

        def measure(seconds_left: float) -> dict[str, Any]:
            wanted = NpbRun(kernel, problem_class, nodes, exchange=exchange_of(kernel))
            arguments = (*arguments_of(wanted), "--json")
            most_s = min(seconds_left, limit_s(expected_s))
            return solution(run_simulated(program, arguments, nodes, network, most_s))

        title = f"{kernel.upper()} class {problem_class}, {series}, {nodes} nodes on {network}"
        return Run((name, problem_class, nodes, network), title, expected_s, measure)

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

        expected_s = count_s(kernel, problem_class)

        def measure(seconds_left: float) -> list[dict[str, int]]:
            with tempfile.TemporaryDirectory(prefix="tasuki-") as folder:
                counts = Path(folder) / "counts"
                environment = {"LD_PRELOAD": str(counter), "MPCXX_COUNTS_FILE": str(counts)}
                most_s = min(seconds_left, limit_s(expected_s))
                solution(run_job(job._replace(environment=environment), most_s))
                return json.loads(counts.read_text())["per_rank"]

        title = f"messages of {kernel.upper()} class {problem_class}, {variant.title}"
        key = ("count", variant, kernel, problem_class, ranks)
        return self.lab.measured(Run(key, title, expected_s, measure))

    def _run(self, variant: Variant, kernel: str, problem_class: str, ranks: int) -> NpbRun:
        return NpbRun(
            kernel,
            problem_class,
            ranks,
            variant.implementation,
            variant.transport,
            self.mpi,
            node_shm=False,
            exchange=exchange_of(kernel),
        )
