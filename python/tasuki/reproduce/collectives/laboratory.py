"""What the figures of the paper are measured with."""

from pathlib import Path
from typing import Any, NamedTuple

from tasuki.launcher.mpiexec import MPIS, find_mpiexec
from tasuki.measurement.library import library_measurer
from tasuki.measurement.measurer import Cell, tasuki_measurer
from tasuki.reproduce.collectives.searches import Search, Searches
from tasuki.reproduce.collectives.simulated import Simulations
from tasuki.reproduce.lab import Lab
from tasuki.reproduce.races import Library, Races


class Wishes(NamedTuple):
    """What the user may change.

    `ranks` and `sizes` (in bytes) of figures 1 to 3, each cell raced for `cell_seconds`;
    `road_ranks` of figures 4 to 6, whose graphs are in the folder `graphs`, or None, and whose
    runs are made `repetitions` times and ended after `road_seconds`.
    """

    ranks: tuple[int, ...]
    sizes: tuple[int, ...]
    mpi: str
    cell_seconds: float
    road_ranks: tuple[int, ...]
    graphs: Path | None
    repetitions: int
    road_seconds: float


def conditions_of(wishes: Wishes) -> dict[str, Any]:
    """What decides what comes of a run; which runs there are, the rest says."""
    return {
        "sizes": wishes.sizes,
        "mpi library": wishes.mpi,
        "cell seconds": wishes.cell_seconds,
        "graphs": wishes.graphs and str(wishes.graphs.resolve()),
        "repetitions": wishes.repetitions,
        "road seconds": wishes.road_seconds,
    }


class Laboratory:
    """All runs in one reproduction. `mpi_library` is None if there is no MPI here."""

    def __init__(self, lab: Lab, wishes: Wishes) -> None:
        self.lab = lab
        self.wishes = wishes
        self.simulations = Simulations(lab, wishes.sizes)
        self.races = Races(lab, wishes.cell_seconds)
        self.searches = Searches(
            lab, self.races, wishes.mpi, wishes.repetitions, wishes.road_seconds
        )
        self.own_library = Library("Tasuki", lambda ranks: tasuki_measurer(ranks, "shm"))
        found = lab.available(lambda: find_mpiexec(wishes.mpi))
        self.mpi_library = found and Library(
            MPIS[found[0]].title, lambda ranks: library_measurer(ranks, found[0])
        )

    @property
    def libraries(self) -> tuple[Library, ...]:
        both = (self.mpi_library, self.own_library)
        return tuple(one for one in both if one is not None)

    def searches_of(
        self, collective: str, ranks: int, message_bytes: int, graph: Path
    ) -> list[Search]:
        """One for each library."""
        cell = Cell(collective, ranks, message_bytes)
        return [
            Search(library, library == self.own_library, cell, graph) for library in self.libraries
        ]
