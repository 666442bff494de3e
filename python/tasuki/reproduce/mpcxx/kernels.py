"""Runs of NPB CG and IS for the figures: on this machine and on simulated nodes."""

import json
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from tasuki.base.programs import BUILD_WITH_SIMGRID, require_program
from tasuki.bench.baselines import solution
from tasuki.bench.npb import NpbRun, arguments_of, job_of
from tasuki.reproduce.lab import AS_IT_IS, Lab, Run
from tasuki.reproduce.mpcxx.durations import simulate_s, solve_s
from tasuki.reproduce.mpcxx.nodes import cluster_of
from tasuki.reproduce.mpcxx.variants import SIMULATED, Variant
from tasuki.reproduce.repetitions import REPETITIONS, limit_s, middle_of_repeated
from tasuki.reproduce.simulation import run_simulated, simulator

KERNELS = ("cg", "is")
RANKS = (1, 2, 4)
SIMULATED_NODES = (1, 2, 4, 8, 16, 32)
# What takes too long to be part of a run that is not full: CG of class B takes 40 s and more each
# time, so that it has the one place alone that table 4 shows.
LONG = ("cg", "B")
SHORT_NODES = (32,)


def exchange_of(kernel: str) -> str:
    """The paper's IS moves keys."""
    return "keys" if kernel == "is" else "auto"


class Wishes(NamedTuple):
    """What the user may change. `problem_class` is None, or replaces the paper's A and B."""

    problem_class: str | None
    mpi: str
    is_full: bool


class Kernels:
    """All runs of kernels in one reproduction. Classes are the paper's: A or B."""

    def __init__(self, lab: Lab, wishes: Wishes) -> None:
        self.lab = lab
        self.wishes = wishes

    def class_of(self, paper_class: str) -> str:
        """The class that is run in its place."""
        return self.wishes.problem_class or paper_class

    def ranks_of(self, kernel: str, paper_class: str) -> tuple[int, ...]:
        """On this machine."""
        return () if self._is_too_long(kernel, paper_class) else RANKS

    def nodes_of(self, kernel: str, paper_class: str) -> tuple[int, ...]:
        """Simulated."""
        return SHORT_NODES if self._is_too_long(kernel, paper_class) else SIMULATED_NODES

    def solve(
        self, variant: Variant, kernel: str, paper_class: str, ranks: int
    ) -> dict[str, Any] | None:
        """The median run here, with `spread` and `repetitions`; None if it cannot be had."""
        problem_class = self.class_of(paper_class)
        run = NpbRun(kernel, problem_class, ranks, variant.implementation, variant.transport,
                     self.wishes.mpi, node_shm=False, exchange=exchange_of(kernel))  # fmt: skip
        job = self.lab.available(lambda: job_of(run))
        if job is None:
            return None

        expected_s = REPETITIONS * solve_s(kernel, problem_class)
        title = f"{kernel.upper()} class {problem_class}, {variant.title}, {ranks} ranks"

        def measure(seconds_left: float) -> dict[str, Any]:
            most_s = min(seconds_left, limit_s(expected_s))
            return middle_of_repeated(self.lab, title, job, most_s)

        key = ("solve", variant.title, kernel, problem_class, ranks)
        return self.lab.measured(Run(key, title, expected_s, measure, AS_IT_IS))

    def simulate(
        self, series: str, kernel: str, paper_class: str, nodes: int, network: str
    ) -> dict[str, Any] | None:
        """One run on simulated nodes, with what each rank asked of MPI as `counts`; None if it
        cannot be had."""
        run = self._simulated_run(series, kernel, paper_class, nodes, network)
        return None if run is None else self.lab.measured(run)

    def simulate_all(self, kernel: str, paper_class: str, network: str) -> None:
        """Makes all runs of the kernel on simulated nodes, several at once: load does not matter.

        Where a number of nodes has failed larger ones are left out: they would take longer still.
        """
        failed = set()
        for nodes in self.nodes_of(kernel, paper_class):
            runs = {
                series: run
                for series in SIMULATED
                if (run := self._simulated_run(series, kernel, paper_class, nodes, network))
            }
            for series in failed & runs.keys():
                self.lab.remember_failure(runs[series].key)
            self.lab.measure_together(list(runs.values()))
            failed = {series for series, run in runs.items() if self.lab.failed(run.key)}

    def _is_too_long(self, kernel: str, paper_class: str) -> bool:
        return (kernel, self.class_of(paper_class)) == LONG and not self.wishes.is_full

    def _simulated_run(
        self, series: str, kernel: str, paper_class: str, nodes: int, network: str
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

        problem_class = self.class_of(paper_class)
        expected_s = simulate_s(series, kernel, problem_class, nodes)

        def measure(seconds_left: float) -> dict[str, Any]:
            wanted = NpbRun(kernel, problem_class, nodes, exchange=exchange_of(kernel))
            arguments = (*arguments_of(wanted), "--json")
            most_s = min(seconds_left, limit_s(expected_s))
            with tempfile.TemporaryDirectory(prefix="tasuki-") as folder:
                counts = Path(folder) / "counts"
                solved = solution(
                    run_simulated(program, arguments, nodes, cluster_of(kernel, network), most_s,
                                  {"MPCXX_COUNTS_FILE": str(counts)})
                )  # fmt: skip
                return {**solved, "counts": json.loads(counts.read_text())["per_rank"]}

        title = f"{kernel.upper()} class {problem_class}, {series}, {nodes} nodes on {network}"
        return Run((name, problem_class, nodes, network), title, expected_s, measure, AS_IT_IS)
