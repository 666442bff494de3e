"""Runs of radix sort and LU for the figures, over Tasuki and over MPI."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from tasuki.base.programs import BUILD_WITH_OPENBLAS
from tasuki.bench.baselines import Place, Problem
from tasuki.launcher.mpiexec import MPIS
from tasuki.output.figure import Point
from tasuki.output.place import is_oversubscribed
from tasuki.reproduce.dimmnet.paper import RADIX, Bandwidths
from tasuki.reproduce.lab import Lab
from tasuki.reproduce.notebook import build_of
from tasuki.reproduce.races import Races
from tasuki.reproduce.repetitions import middle_run

# Roughly, on two Xeon cores (Sapphire Rapids): start and, for the speed-up, the sequential run too.
_START_S = 0.5
_MPI_START_S = 0.4
_SECONDS_PER_KEY = 1.6e-7
_SECONDS_PER_ELEMENT = 1e-7
BARRIER_S = 0.5  # To race the barriers of one number of ranks.
# Title of the series, field of the run.
PARTS = (
    ("computation", "compute_seconds"),
    ("communication", "communication_seconds"),
    ("waiting", "wait_seconds"),
)
# Of the run, what `bench radixsort` and `bench lu` say of it as well.
DETAILS = (
    "implementation",
    "transport",
    "ranks",
    "verified",
    "seconds",
    *(field for _, field in PARTS),
    "sequential_seconds",
    "speedup",
    "messages",
    "bytes",
)


class Application(NamedTuple):
    """One of the two programs, with the arguments that make its problem."""

    problem: Problem
    expected_s: float

    @property
    def title(self) -> str:
        return self.problem.title


class Variant(NamedTuple):
    """One way to run an application, by the name of its curve."""

    title: str
    implementation: str


TASUKI = Variant("Tasuki", "tasuki")
VARIANTS = (TASUKI, Variant("MPI", "mpi"))


class Wishes(NamedTuple):
    """What the user may change: numbers of ranks, sizes, pairs of bandwidths, the MPI."""

    ranks: tuple[int, ...]
    keys: int
    matrix_size: int
    bandwidths: tuple[Bandwidths, ...]
    mpi: str


def conditions_of(wishes: Wishes) -> dict[str, Any]:
    """What decides what comes of a run."""
    endings = ("tasuki", *(f"mpi_{mpi}" for mpi in MPIS))
    names = [f"{program}_{ending}" for program in ("radixsort", "lu") for ending in endings]
    return {"mpi library": wishes.mpi, "builds": {name: build_of(name) for name in names}}


def radix_sort_of(keys: int) -> Application:
    """With the paper's radix."""
    arguments = ("--keys", str(keys), "--radix", str(RADIX), "--speedup")
    problem = Problem("reproduce dimmnet", f"radix sort, {keys:,} keys", "radixsort", arguments)
    return Application(problem, _START_S + keys * _SECONDS_PER_KEY)


def lu_of(size: int) -> Application:
    arguments = ("--size", str(size), "--speedup")
    problem = Problem("reproduce dimmnet", f"LU, {size} x {size}", "lu", arguments,
                      BUILD_WITH_OPENBLAS)  # fmt: skip
    return Application(problem, _START_S + size * size * _SECONDS_PER_ELEMENT)


class Solved(NamedTuple):
    """A run of an application: its median, with `spread` and `repetitions`."""

    application: Application
    variant: Variant
    found: dict[str, Any]

    @property
    def details(self) -> dict[str, Any]:
        return {
            "application": self.application.problem.program,
            **{field: self.found[field] for field in DETAILS},
            "oversubscribed": is_oversubscribed(self.found["ranks"]),
        }

    def point(self, panel: str, series: str, x: float | str, value: float, unit: str) -> Point:
        return Point(panel, series, x, value, unit, self.found["spread"],
                     self.found["repetitions"], self.details)  # fmt: skip


class Applications:
    """All runs in one reproduction."""

    def __init__(self, lab: Lab, wishes: Wishes) -> None:
        self.lab = lab
        self.wishes = wishes
        self.races = Races(lab, BARRIER_S)
        self.all = (radix_sort_of(wishes.keys), lu_of(wishes.matrix_size))

    def solved(
        self, application: Application, variants: Iterable[Variant], ranks: Iterable[int]
    ) -> Iterator[Solved]:
        """All runs that could be had, by number of ranks and then by version."""
        for count in ranks:
            for variant in variants:
                found = self._solve(variant, application, count)
                if found is not None:
                    yield Solved(application, variant, found)

    def _solve(
        self, variant: Variant, application: Application, ranks: int
    ) -> dict[str, Any] | None:
        problem = application.problem
        place = Place(ranks, variant.implementation, mpi=self.wishes.mpi)
        key = ("solve", variant.title, problem.arguments, ranks)
        start_s = _MPI_START_S if variant.implementation == "mpi" else 0
        expected_s = application.expected_s + start_s
        title = f"{problem.title}, {variant.title}, {ranks} ranks"
        return middle_run(self.lab, key, title, problem, place, expected_s)
