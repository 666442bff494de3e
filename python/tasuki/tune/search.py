"""Which cells are measured: a grid of sizes, then where the winner changes."""

import random
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from tasuki.measurement.measurer import Cell, Measurer
from tasuki.measurement.race import Result, one_for_all, race, smoothed
from tasuki.output.progress import stepping
from tasuki.tune.tune_run import TuneRun

# Of these, the ones whose sizes not all ranks know: a policy says one thing for all sizes.
OF_UNKNOWN_SIZE = ("gatherv", "scatterv", "alltoallv")
# Powers of two and sizes between them, for algorithms may be good at the former alone.
SIZES = (4, 24, 64, 384, 1024, 6144, 16384, 98304, 262144, 1048576)
GRID_SHARE = 0.7  # Of the time; the rest goes to where the winner changes.
CROSSOVER_RATIO = 1.5  # A crossover is known well enough if the sizes around it differ by less.


def cells_of(collective: str, ranks: int) -> list[Cell]:
    sizes = (0,) if collective == "barrier" else SIZES
    return [Cell(collective, ranks, size) for size in sizes]


def search_all(
    measurer: Measurer, run: TuneRun, collectives: Sequence[str], ranks: int, title: str
) -> list[Result]:
    """Tunes a number of ranks in its share of the time, and shows the user how far it is."""
    steps_count = sum(len(cells_of(collective, ranks)) for collective in collectives)
    with stepping(steps_count, run.place.text_of(ranks), title) as begin_step:

        def show(one: Result) -> None:
            begin_step(f"{one.cell.collective}, {one.cell.message_bytes} B: {one.winner}")

        search = Search(measurer, run.seconds, random.Random(run.seed), show)
        return search.run(collectives, ranks)


def chosen_of(results: Sequence[Result]) -> list[Result]:
    """Those of one collective with the winners that its rows name."""
    is_of_unknown_size = results[0].cell.collective in OF_UNKNOWN_SIZE
    return one_for_all(results) if is_of_unknown_size else smoothed(results)


class Search:
    """Tunes one number of ranks. `show` hears of each result."""

    def __init__(
        self,
        measurer: Measurer,
        seconds: float,
        generator: random.Random,
        show: Callable[[Result], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._measurer = measurer
        self._seconds = seconds
        self._generator = generator
        self._show = show
        self._clock = clock
        self._begin = clock()

    def run(self, collectives: Sequence[str], ranks: int) -> list[Result]:
        """The results of all cells, in the order of collectives and sizes."""
        cells = [cell for collective in collectives for cell in cells_of(collective, ranks)]
        self._generator.shuffle(cells)
        results = []
        for number, cell in enumerate(cells):
            left = self._seconds * GRID_SHARE - self._spent()
            results.append(self._race(cell, max(left, 0) / (len(cells) - number)))
        chosen: list[Result] = []
        for collective in collectives:
            if collective not in OF_UNKNOWN_SIZE:
                self._refine(results, collective)
            chosen += chosen_of([one for one in results if one.cell.collective == collective])
        return chosen

    def _refine(self, results: list[Result], collective: str) -> None:
        """Halves the widest gap in which the winner changes, while there is time."""
        typical = self._seconds * GRID_SHARE / len(results)
        while self._spent() + typical < self._seconds:
            found = smoothed(one for one in results if one.cell.collective == collective)
            gaps = list(open_crossovers(found))
            if not gaps:
                return
            gap = max(gaps, key=lambda gap: gap[1] / gap[0])
            middle = middle_of(*gap)
            if middle in gap:
                return
            ranks = results[0].cell.ranks
            results.append(self._race(Cell(collective, ranks, middle), typical))

    def _race(self, cell: Cell, seconds: float) -> Result:
        result = race(self._measurer, cell, seconds, self._generator, self._clock)
        self._show(result)
        return result

    def _spent(self) -> float:
        return self._clock() - self._begin


def middle_of(low_bytes: int, high_bytes: int) -> int:
    """A multiple of 4, the size of an element."""
    return round((low_bytes * high_bytes) ** 0.5 / 4) * 4


def open_crossovers(results: Sequence[Result]) -> Iterable[tuple[int, int]]:
    """Neighbouring sizes, far apart, with different winners."""
    for low, high in pairwise(results):
        sizes = (low.cell.message_bytes, high.cell.message_bytes)
        if low.winner != high.winner and sizes[1] > CROSSOVER_RATIO * sizes[0] > 0:
            yield sizes
