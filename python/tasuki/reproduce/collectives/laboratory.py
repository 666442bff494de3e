"""What the figures of the paper are measured with."""

from pathlib import Path
from typing import Any, NamedTuple

from tasuki.launcher.mpiexec import MPIS, find_mpiexec
from tasuki.measurement.library import library_measurer
from tasuki.measurement.measurer import Cell, tasuki_measurer
from tasuki.reproduce.collectives.cluster import SimulatedCluster
from tasuki.reproduce.collectives.graphs import Graphs
from tasuki.reproduce.collectives.paper import RoadNetwork
from tasuki.reproduce.collectives.searches import Searches
from tasuki.reproduce.collectives.simulated import Simulations
from tasuki.reproduce.lab import Lab, Run
from tasuki.reproduce.notebook import build_of
from tasuki.reproduce.races import Library, Raced, Races

MAKE_NODE_S = 1e-6  # To make a graph, for each node.


class Wishes(NamedTuple):
    """What the user may change.

    `ranks` and `sizes` (in bytes) of the races on this machine, each cell raced for `cell_seconds`;
    `road_ranks` of its searches, which are made `repetitions` times and ended after `road_seconds`;
    graphs are in the folder `graphs`, or None. What stands in for road networks has their size if
    `is_full`.
    """

    ranks: tuple[int, ...]
    sizes: tuple[int, ...]
    mpi: str
    cell_seconds: float
    road_ranks: tuple[int, ...]
    graphs: Path | None
    repetitions: int
    road_seconds: float
    is_full: bool = False


def conditions_of(wishes: Wishes) -> dict[str, Any]:
    """What decides what comes of a run; which runs there are, the rest says."""
    return {
        "sizes": wishes.sizes,
        "mpi library": wishes.mpi,
        "cell seconds": wishes.cell_seconds,
        "graphs": wishes.graphs and str(wishes.graphs.resolve()),
        "repetitions": wishes.repetitions,
        "road seconds": wishes.road_seconds,
        "simulated builds": [build_of("repeated_collective_smpi"), build_of("sssp_mpi_smpi")],
    }


class Laboratory:
    """All runs in one reproduction. `libraries` are the MPI, if there is one here, and Tasuki."""

    def __init__(self, lab: Lab, wishes: Wishes) -> None:
        self.lab = lab
        self.wishes = wishes
        self.simulations = Simulations(lab, wishes.sizes)
        self.cluster = SimulatedCluster(lab)
        self.graphs = Graphs(wishes.graphs, wishes.is_full)
        self.races = Races(lab, wishes.cell_seconds)
        self.searches = Searches(lab, wishes.mpi, wishes.repetitions, wishes.road_seconds)
        self.libraries = [Library("Tasuki", lambda ranks: tasuki_measurer(ranks, "shm"), True)]
        found = lab.available(lambda: find_mpiexec(wishes.mpi))
        if found:
            mpi = found[0]
            self.libraries.insert(
                0, Library(MPIS[mpi].title, lambda ranks: library_measurer(ranks, mpi))
            )
        # Numbers of ranks that have somebody to talk to.
        self.several = [ranks for ranks in wishes.ranks if ranks > 1]

    def graph_of(self, road: RoadNetwork) -> Path:
        """Its file, which is made first where the user has none; in a plan it is not there."""
        path = self.graphs.path_of(road)
        if not self.graphs.is_of_user(road):
            title = f"a road-like graph of {self.graphs.nodes_of(road):,} nodes for {road.title}"
            expected_s = MAKE_NODE_S * self.graphs.nodes_of(road)
            self.lab.measured(Run(
                ("make", path.name), title, expected_s, lambda _: str(self.graphs.make(road)),
                is_final=lambda _: False,
            ))  # fmt: skip
        return path

    def cells(self, collective: str, ranks: int) -> list[Cell]:
        return [Cell(collective, ranks, size) for size in self.wishes.sizes]

    def raced(self, library: Library, collective: str, ranks: int) -> list[Raced]:
        """Of all sizes those that could be raced."""
        return self.races.results(library, self.cells(collective, ranks))
