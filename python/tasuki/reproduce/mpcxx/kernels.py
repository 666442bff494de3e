"""Runs of NPB CG and IS for the figures: on this machine and on simulated nodes."""

from typing import Any, NamedTuple

from tasuki.bench.baselines import Place
from tasuki.bench.npb import problem_of
from tasuki.launcher.mpiexec import MPIS
from tasuki.reproduce.lab import Lab, Run
from tasuki.reproduce.mpcxx.durations import simulate_s, solve_s
from tasuki.reproduce.mpcxx.nodes import cluster_of
from tasuki.reproduce.mpcxx.variants import SIMULATED, Variant
from tasuki.reproduce.notebook import build_of
from tasuki.reproduce.repetitions import middle_run
from tasuki.reproduce.simulation import Simulation, simulated_run

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


def conditions_of(wishes: Wishes) -> dict[str, Any]:
    """What decides what comes of a run."""
    endings = ("tasuki", *(f"mpi_{mpi}" for mpi in MPIS), *SIMULATED.values())
    kernels = [f"npb_{kernel}_{ending}" for kernel in KERNELS for ending in endings]
    throughput = ["mpcxx_throughput", *(f"mpcxx_throughput_mpi_{mpi}" for mpi in MPIS)]
    programs = [*kernels, *throughput]
    return {"mpi library": wishes.mpi, "builds": {name: build_of(name) for name in programs}}


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
        problem = problem_of(kernel, problem_class, exchange_of(kernel))
        place = Place(ranks, variant.implementation, variant.transport, self.wishes.mpi, False)
        key = ("solve", variant.title, kernel, problem_class, ranks)
        expected_s = solve_s(kernel, problem_class)
        title = f"{kernel.upper()} class {problem_class}, {variant.title}, {ranks} ranks"
        return middle_run(self.lab, key, title, problem, place, expected_s)

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
        problem_class = self.class_of(paper_class)
        problem = problem_of(kernel, problem_class, exchange_of(kernel))
        name = f"{problem.program}_{SIMULATED[series]}"
        title = f"{kernel.upper()} class {problem_class}, {series}, {nodes} nodes on {network}"
        arguments = (*problem.arguments, *problem.json_option)
        simulation = Simulation(
            "reproduce mpcxx", name, arguments, nodes, cluster_of(kernel, network)
        )
        key = (name, problem_class, nodes, network)
        expected_s = simulate_s(series, kernel, problem_class, nodes)
        return simulated_run(self.lab, key, title, expected_s, simulation)
