"""Runs of radix sort and LU for the figures, over Tasuki and over MPI."""

from typing import Any, NamedTuple

from tasuki.base.programs import BUILD, BUILD_WITH_OPENBLAS
from tasuki.bench.baselines import BaselineRun, job_of_baseline
from tasuki.launcher.mpiexec import MPIS
from tasuki.reproduce.dimmnet.paper import RADIX, Bandwidths
from tasuki.reproduce.lab import AS_IT_IS, Lab, Run
from tasuki.reproduce.notebook import build_of
from tasuki.reproduce.races import Races
from tasuki.reproduce.repetitions import REPETITIONS, limit_s, middle_of_repeated

# Roughly, on two Xeon cores (Sapphire Rapids): start and, for the speed-up, the sequential run too.
_START_S = 0.5
_MPI_START_S = 0.4
_SECONDS_PER_KEY = 1.6e-7
_SECONDS_PER_ELEMENT = 1e-7
BARRIER_S = 0.5  # To race the barriers of one number of ranks.


class Application(NamedTuple):
    """One of the two programs, with the arguments that make its problem."""

    name: str
    title: str
    arguments: tuple[str, ...]
    expected_s: float
    remedy: str


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
    expected_s = _START_S + keys * _SECONDS_PER_KEY
    return Application("radixsort", f"radix sort, {keys:,} keys", arguments, expected_s, BUILD)


def lu_of(size: int) -> Application:
    arguments = ("--size", str(size), "--speedup")
    expected_s = _START_S + size * size * _SECONDS_PER_ELEMENT
    return Application("lu", f"LU, {size} x {size}", arguments, expected_s, BUILD_WITH_OPENBLAS)


class Applications:
    """All runs in one reproduction."""

    def __init__(self, lab: Lab, wishes: Wishes) -> None:
        self.lab = lab
        self.wishes = wishes
        self.races = Races(lab, BARRIER_S)
        self.all = (radix_sort_of(wishes.keys), lu_of(wishes.matrix_size))

    def solve(
        self, variant: Variant, application: Application, ranks: int
    ) -> dict[str, Any] | None:
        """The median run, with `spread` and `repetitions`; None if it cannot be had."""
        title = f"{application.title}, {variant.title}, {ranks} ranks"
        baseline = BaselineRun(
            "reproduce dimmnet",
            title,
            application.name,
            application.arguments,
            ranks,
            variant.implementation,
            mpi=self.wishes.mpi,
            remedy=application.remedy,
        )
        job = self.lab.available(lambda: job_of_baseline(baseline))
        if job is None:
            return None

        start_s = _MPI_START_S if variant.implementation == "mpi" else 0
        expected_s = REPETITIONS * (application.expected_s + start_s)

        def measure(seconds_left: float) -> dict[str, Any]:
            most_s = min(seconds_left, limit_s(expected_s))
            return middle_of_repeated(self.lab, title, job, most_s)

        key = ("solve", variant.title, application.arguments, ranks)
        return self.lab.measured(Run(key, title, expected_s, measure, AS_IT_IS))
