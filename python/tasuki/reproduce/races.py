"""Times of collectives for the figures: the tuner's races, a job for each number of ranks.

What has been measured is kept even if the job breaks down later or its time is up.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from tasuki.base.errors import ProgramError
from tasuki.measurement.jobs import EXIT_TIMED_OUT, end_children
from tasuki.measurement.measurer import Candidate, Cell, JobMeasurer
from tasuki.measurement.race import Result, Time, race
from tasuki.output.figure import Point
from tasuki.output.place import cell_fields
from tasuki.reproduce.lab import Lab, Run
from tasuki.reproduce.repetitions import limit_s

START_S = 1.0
SEED = 1


class Library(NamedTuple):
    """Whose collectives are measured. `open_measurer` gets the number of ranks and raises
    CommandError if there is no such library here."""

    title: str
    open_measurer: Callable[[int], JobMeasurer]
    is_own: bool = False  # Is it Tasuki?


class Inspection(NamedTuple):
    """What a measuring program says of its library: how it calls itself, what this machine is
    called in policies, and, for one collective, its algorithms as listed."""

    version: str
    machine: str
    listed: list[dict[str, Any]]


class Raced(NamedTuple):
    """What came of one cell."""

    library: Library
    inspection: Inspection
    result: Result

    def details(self, candidate: Candidate) -> dict[str, Any]:
        """What the JSON row of a candidate says of it."""
        seconds = self.result.times[candidate].median
        algorithm = candidate.algorithm
        return {**cell_fields(*self.result.cell), "algorithm": algorithm, "seconds": seconds}

    def point(self, candidate: Candidate, panel: str, series: str, x: int, **details: Any) -> Point:
        """Its time in microseconds; `details` are further fields of the row."""
        one = self.result.times[candidate]
        return Point(panel, series, x, one.median * 1e6, "us", one.spread, one.samples,
                     self.details(candidate) | details)  # fmt: skip


class DefaultsOnly:
    """Of a measurer's candidates one for each algorithm, with its own parameters, and what is used
    now; if `only` is not empty, of these algorithms alone."""

    def __init__(self, measurer: JobMeasurer, only: Sequence[str] = ()) -> None:
        self._measurer = measurer
        self._only = only
        self.measure = measurer.measure

    def candidates(self, cell: Cell) -> tuple[list[Candidate], Candidate]:
        found, chosen = self._measurer.candidates(cell)
        kept: dict[str, Candidate] = {}
        for candidate in found:
            kept.setdefault(candidate.algorithm, candidate)
        kept[chosen.algorithm] = chosen
        wanted = [one for one in kept.values() if not self._only or one.algorithm in self._only]
        if chosen not in wanted:
            wanted.append(chosen)
        return wanted, chosen


class Races:
    """All races of one reproduction, each cell raced for `seconds` on an idle machine."""

    def __init__(self, lab: Lab, seconds: float) -> None:
        self._lab = lab
        self._seconds = seconds
        # By key of the run what has been measured, also if it ended before it had all.
        self._found: dict[Any, list[Raced]] = {}

    def results(
        self, library: Library, cells: Sequence[Cell], only: Sequence[str] = ()
    ) -> list[Raced]:
        """Those there are of cells of one collective and number of ranks, measured now or before;
        `only` as of DefaultsOnly."""
        measurer = self._lab.available(lambda: library.open_measurer(cells[0].ranks))
        if measurer is None:
            return []
        expected_s = START_S + self._seconds * len(cells)
        collective, ranks = cells[0].collective, cells[0].ranks
        title = f"{collective}, {library.title}, {ranks} ranks"
        key = ("race", library.title, collective, ranks, tuple(cells), tuple(only))

        def measure(seconds_left: float) -> Any:
            found = self._found[key] = []
            most_s = min(seconds_left, limit_s(expected_s))
            self._measure(library, measurer, cells, only, most_s, found)
            return _record(cells, found)

        run = Run(key, title, expected_s, measure, lambda record: _decoded(library, cells, record))
        raced = self._lab.measured(run) or self._found.get(key, [])
        return sorted(raced, key=lambda one: cells.index(one.result.cell))

    def _measure(
        self,
        library: Library,
        measurer: JobMeasurer,
        cells: Sequence[Cell],
        only: Sequence[str],
        most_s: float,
        found: list[Raced],
    ) -> None:
        """In another order, so that a disturbance does not always fall on the same sizes."""
        generator = random.Random(SEED)
        end_time = time.monotonic() + most_s
        with _ended_after(most_s), measurer:
            inspection = _inspected(measurer, cells[0])
            for cell in generator.sample(cells, len(cells)):
                if time.monotonic() > end_time:
                    raise ProgramError("", EXIT_TIMED_OUT)
                result = race(DefaultsOnly(measurer, only), cell, self._seconds, generator)
                found.append(Raced(library, inspection, result))


def inspect(library: Library, cell: Cell) -> Inspection:
    """The algorithms, as listed for the cell. Raises CommandError if that cannot be had."""
    with _ended_after(limit_s(START_S)), library.open_measurer(cell.ranks) as measurer:
        return _inspected(measurer, cell)


def _inspected(measurer: JobMeasurer, cell: Cell) -> Inspection:
    return Inspection(measurer.library(), measurer.machine(), measurer.algorithms(cell))


def _record(cells: Sequence[Cell], found: Sequence[Raced]) -> Any:
    results = {one.result.cell: one.result for one in found}
    ordered = (results[cell] for cell in cells)
    times = [[one.winner, one.incumbent, list(one.times.items())] for one in ordered]
    return {"inspected": found[0].inspection, "results": times}


def _decoded(library: Library, cells: Sequence[Cell], record: Any) -> list[Raced]:
    inspection = Inspection(*record["inspected"])
    return [
        Raced(library, inspection, Result(
            cell,
            Candidate(*winner),
            Candidate(*incumbent),
            {Candidate(*candidate): Time(*one) for candidate, one in times},
        ))
        for cell, (winner, incumbent, times) in zip(cells, record["results"], strict=True)
    ]  # fmt: skip


@contextmanager
def _ended_after(seconds: float) -> Iterator[None]:
    """A job that hangs within it is ended; that is then told as an end by its time limit."""
    is_up = threading.Event()

    def end() -> None:
        is_up.set()
        end_children()

    timer = threading.Timer(seconds, end)
    timer.start()
    try:
        yield
    except ProgramError as failure:
        if is_up.is_set():
            raise ProgramError(str(failure), EXIT_TIMED_OUT) from failure
        raise
    finally:
        timer.cancel()
