"""Times of collectives for the figures: the tuner's races, a job for each number of ranks.

What has been measured is kept even if the job breaks down later or its time is up.
"""

import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from tasuki.base.errors import ProgramError
from tasuki.measurement.jobs import EXIT_TIMED_OUT, end_children
from tasuki.measurement.measurer import Candidate, Cell, JobMeasurer
from tasuki.measurement.race import Result, Time, race
from tasuki.reproduce.lab import Kept, Lab, Run
from tasuki.reproduce.repetitions import limit_s

START_S = 1.0
SEED = 1


class Library(NamedTuple):
    """Whose collectives are measured. `open_measurer` gets the number of ranks and raises
    CommandError if there is no such library here."""

    title: str
    open_measurer: Callable[[int], JobMeasurer]


class DefaultsOnly:
    """Of a measurer's candidates one for each algorithm, with its own parameters, and what is used
    now; if `only` is not empty, of these algorithms alone."""

    def __init__(self, measurer: JobMeasurer, only: Sequence[str] = ()) -> None:
        self._measurer = measurer
        self._only = only

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

    def measure(
        self, cell: Cell, candidate: Candidate, samples: int, seconds: float
    ) -> list[float]:
        return self._measurer.measure(cell, candidate, samples, seconds)


class Races:
    """All races of one reproduction, each cell raced for `seconds` on an idle machine."""

    def __init__(self, lab: Lab, seconds: float) -> None:
        self._lab = lab
        self._seconds = seconds
        self._results: dict[tuple[str, Cell, tuple[str, ...]], Result] = {}
        self._listed: dict[tuple[str, str, int], list[dict[str, Any]]] = {}
        self._versions: dict[str, str] = {}
        self._machines: dict[str, str] = {}

    def results(
        self, library: Library, cells: Sequence[Cell], only: Sequence[str] = ()
    ) -> list[Result]:
        """Those there are of cells of one collective and number of ranks, measured now or before;
        `only` as of DefaultsOnly."""
        measurer = self._lab.available(lambda: library.open_measurer(cells[0].ranks))
        if measurer is None:
            return []
        expected_s = START_S + self._seconds * len(cells)
        collective, ranks = cells[0].collective, cells[0].ranks
        title = f"{collective}, {library.title}, {ranks} ranks"

        def measure(seconds_left: float) -> bool:
            most_s = min(seconds_left, limit_s(expected_s))
            self._measure(library, measurer, cells, only, most_s)
            return True

        key = ("race", library.title, collective, ranks, tuple(cells), tuple(only))
        kept = Kept(
            lambda _: self._record(library, cells, only),
            lambda record: self._restore(library, cells, only, record),
        )
        self._lab.measured(Run(key, title, expected_s, measure, kept))
        found = (self._results.get((library.title, cell, tuple(only))) for cell in cells)
        return [result for result in found if result is not None]

    def listed(self, library: Library, collective: str, ranks: int) -> list[dict[str, Any]]:
        """The algorithms of what was raced, as the measuring program lists them."""
        return self._listed.get((library.title, collective, ranks), [])

    def inspect(self, library: Library, cell: Cell) -> list[dict[str, Any]]:
        """The algorithms, as listed for the cell. Raises CommandError if that cannot be had."""
        with _ended_after(limit_s(START_S)), library.open_measurer(cell.ranks) as measurer:
            return self._inspect(library, cell, measurer)

    def machine(self, library: Library) -> str:
        """What this machine is called in policies. Requires: something was raced or inspected."""
        return self._machines[library.title]

    def version(self, library: Library) -> str:
        """How it calls itself, once something of it was raced; else its title."""
        return self._versions.get(library.title) or library.title

    def record_of_inspection(self, library: Library, cell: Cell) -> Any:
        """What `inspect` has learnt, as what JSON has. Requires: it was called, or a race was."""
        listed = self._listed[library.title, cell.collective, cell.ranks]
        return [self._versions[library.title], self._machines[library.title], listed]

    def restore_inspection(self, library: Library, cell: Cell, record: Any) -> None:
        version, machine, listed = record
        self._versions[library.title] = version
        self._machines[library.title] = machine
        self._listed[library.title, cell.collective, cell.ranks] = listed

    def _measure(
        self,
        library: Library,
        measurer: JobMeasurer,
        cells: Sequence[Cell],
        only: Sequence[str],
        most_s: float,
    ) -> None:
        generator = random.Random(SEED)
        end_time = time.monotonic() + most_s
        with _ended_after(most_s), measurer:
            self._inspect(library, cells[0], measurer)
            for cell in _shuffled(cells, generator):
                if time.monotonic() > end_time:
                    raise ProgramError("", EXIT_TIMED_OUT)
                runner = DefaultsOnly(measurer, only)
                result = race(runner, cell, self._seconds, generator)
                self._results[library.title, cell, tuple(only)] = result

    def _record(self, library: Library, cells: Sequence[Cell], only: Sequence[str]) -> Any:
        """All that is known of the cells, as what JSON has."""
        results = [self._results[library.title, cell, tuple(only)] for cell in cells]
        times = [[one.winner, one.incumbent, list(one.times.items())] for one in results]
        return {"inspected": self.record_of_inspection(library, cells[0]), "results": times}

    def _restore(
        self, library: Library, cells: Sequence[Cell], only: Sequence[str], record: Any
    ) -> bool:
        self.restore_inspection(library, cells[0], record["inspected"])
        for cell, (winner, incumbent, times) in zip(cells, record["results"], strict=True):
            self._results[library.title, cell, tuple(only)] = Result(
                cell,
                Candidate(*winner),
                Candidate(*incumbent),
                {Candidate(*candidate): Time(*one) for candidate, one in times},
            )
        return True

    def _inspect(self, library: Library, cell: Cell, measurer: JobMeasurer) -> list[dict[str, Any]]:
        self._versions[library.title] = measurer.library()
        self._machines[library.title] = measurer.machine()
        listed = measurer.algorithms(cell)
        self._listed[library.title, cell.collective, cell.ranks] = listed
        return listed


def _shuffled(cells: Sequence[Cell], generator: random.Random) -> Iterable[Cell]:
    """So that a disturbance does not always fall on the same sizes."""
    return generator.sample(cells, len(cells))


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
