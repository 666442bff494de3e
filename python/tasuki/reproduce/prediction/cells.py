"""The cells of the tables: which kernel runs where, and how long a run takes."""

from collections.abc import Iterator
from typing import NamedTuple

from tasuki.launcher.mpiexec import MPIS
from tasuki.output.place import is_oversubscribed, ranks_and_place
from tasuki.reproduce.prediction import paper
from tasuki.reproduce.prediction.networks import LINK_RATES, NETWORKS, SHARED_MEMORY, Network

# SP divides its grid for square numbers of ranks alone: with one rank it has no messages, but
# stands in the tables of two.
_SP_RANKS = {2: 1, 4: 4}
# Seconds of one run, its start included, roughly: on two cores of an EPYC (family 26).
_START_S = {"ompi": 0.25, "mpich": 0.15}
_SOLVE_S = {
    "is": {"S": 0.01, "W": 0.02, "A": 0.5},
    "sp": {"S": 0.05, "W": 1.6, "A": 40.0},
    "cg": {"S": 0.01, "W": 0.1, "A": 0.7},
    "ep": {"S": 0.15, "W": 0.3, "A": 4.0},
    "mg": {"S": 0.01, "W": 0.05, "A": 1.0},
}
# The same over links, where the hosts' names and links are made as well, and messages take most of
# the time.
_LINK_START_S = 0.6
_LINK_SOLVE_S = {
    "is": {"S": 0.1, "W": 0.6, "A": 10.0},
    "sp": {"S": 1.2, "W": 42.0, "A": 400.0},
    "cg": {"S": 0.6, "W": 3.1, "A": 8.0},
    "ep": {"S": 0.15, "W": 0.3, "A": 4.0},
    "mg": {"S": 0.1, "W": 1.4, "A": 12.0},
}
# Those that would take most of the half hour there.
_SMALLER_OVER_LINKS = ("sp", "cg", "mg")
# How many times longer MPICH's ranks take that share cores and spin.
_SPINNING = {"is": 20, "sp": 16, "cg": 100, "ep": 1, "mg": 20}


class Wishes(NamedTuple):
    """What the user may change: kernels, classes, numbers of ranks, networks (their names), kinds
    of MPI; how many runs a variant has."""

    kernels: tuple[str, ...]
    classes: tuple[str, ...]
    ranks: tuple[int, ...]
    networks: tuple[str, ...]
    mpis: tuple[str, ...]
    runs: int
    is_full: bool


class Cell(NamedTuple):
    """One kernel at one place. `ranks` is the column of the paper's tables that it belongs to."""

    kernel: str
    problem_class: str
    network: Network
    ranks: int
    mpi: str

    @property
    def rank_count(self) -> int:
        """With which it runs."""
        return _SP_RANKS[self.ranks] if self.kernel == "sp" else self.ranks

    @property
    def panel(self) -> str:
        """Its table, which kernels share."""
        where = f"{self.network.title}, {MPIS[self.mpi].title}, class {self.problem_class}"
        return f"{where}, {ranks_and_place(self.ranks)}"

    @property
    def title(self) -> str:
        return f"{paper.name_of(self.kernel)}, {self.panel}"

    @property
    def run_s(self) -> float:
        start_s = _LINK_START_S if self.network.has_hosts else _START_S[self.mpi]
        return start_s + self._solve_s()

    @property
    def spinning_run_s(self) -> float:
        """Where ranks wait as the library does by itself."""
        if self.mpi != "mpich" or not shares_cores(self):
            return self.run_s
        return self.run_s + _SPINNING[self.kernel] * self._solve_s()

    def _solve_s(self) -> float:
        seconds = _LINK_SOLVE_S if self.network.has_hosts else _SOLVE_S
        return seconds[self.kernel][self.problem_class]

    @property
    def key(self) -> tuple[object, ...]:
        return (self.kernel, self.problem_class, self.network.name, self.rank_count, self.mpi)


def cells_of(wishes: Wishes) -> Iterator[Cell]:
    """All that the tables show, in their order.

    Over TCP and over links each kernel has one class unless the run is full: the largest, as the
    paper's cluster has class W alone; over links the smallest of those that take long there.
    """
    for mpi in wishes.mpis:
        for name in wishes.networks:
            network = NETWORKS[name]
            for problem_class in wishes.classes:
                for ranks in wishes.ranks:
                    if network.has_hosts and ranks != len(LINK_RATES):
                        continue
                    for kernel in wishes.kernels:
                        cell = Cell(kernel, problem_class, network, ranks, mpi)
                        if _is_measured(cell, wishes):
                            yield cell


def _is_measured(cell: Cell, wishes: Wishes) -> bool:
    if cell.kernel == "sp" and not _takes_sp(cell.network, cell.ranks):
        return False
    if cell.network == SHARED_MEMORY or wishes.is_full:
        return True
    is_smaller = cell.network.has_hosts and cell.kernel in _SMALLER_OVER_LINKS
    return cell.problem_class == wishes.classes[0 if is_smaller else -1]


def _takes_sp(network: Network, ranks: int) -> bool:
    """One rank runs alike on every network."""
    return ranks in _SP_RANKS and (_SP_RANKS[ranks] > 1 or network == SHARED_MEMORY)


def shares_cores(cell: Cell) -> bool:
    return is_oversubscribed(cell.rank_count)
