"""What prediction gains: figure 6, table 5, the ablation, and whether it ever costs time."""

import statistics
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tasuki.launcher.mpiexec import MPIS
from tasuki.output.figure import MISSING, Point
from tasuki.output.place import ranks_and_place
from tasuki.reproduce.prediction.cells import Cell
from tasuki.reproduce.prediction.goals import (
    NEVER_MUCH_SLOWER,
    NEVER_SLOWER,
    OVER_TCP,
    with_goal,
)
from tasuki.reproduce.prediction.laboratory import Predictions
from tasuki.reproduce.prediction.networks import SHARED_MEMORY, TCP
from tasuki.reproduce.prediction.pairs import Ratio, ratio_of
from tasuki.reproduce.prediction.paper import name_of
from tasuki.reproduce.prediction.runs import Runs
from tasuki.reproduce.prediction.variants import ALWAYS, GUARDED, NOTHING, OFF, VARIANTS, Variant

MEDIAN, UPPER = "median", "at most, of 95 %"
GEOMETRIC_MEAN = "geometric mean"
SECONDS = "time as it is, s"
REMARK = (
    "The timed part of the kernel, of runs in the same round; the median of their ratios. As it is:"
    " the program without Tasuki. Tuned: with Tasuki's collectives, which guarded, always and"
    " earlier run have too. Open MPI yields by itself where ranks share cores; MPICH has no setting"
    " to yield."
)


class Comparison(NamedTuple):
    """What `series` of the table says: the time of `variant` beside that of `base`."""

    series: str
    variant: Variant
    base: Variant


AGAINST_NOTHING = Comparison("guarded, tuned", GUARDED, NOTHING)
GAINS = (
    Comparison("always", ALWAYS, OFF),
    Comparison("guarded", GUARDED, OFF),
    AGAINST_NOTHING,
)


def gain(ratio: Ratio) -> float:
    """The speed-up in %, as the paper has it: by how much more is done in the same time."""
    return 100 * (1 / ratio.median - 1)


def details_of(cell: Cell, runs: Runs | None = None) -> dict[str, Any]:
    """Fields of the row of JSON."""
    named = {
        "kernel": cell.kernel,
        "class": cell.problem_class,
        "network": cell.network.name,
        "mpi": cell.mpi,
        "ranks": cell.rank_count,
    }
    return named if runs is None else {**named, "seconds": statistics.median(runs.seconds)}


def speed_up(predictions: Predictions) -> list[Point]:
    """Figure 6: a bar for each kernel, in each cell and by each comparison."""
    points = []
    for cell, runs in predictions.measured():
        for one, ratio in _compared(runs, GAINS):
            details = details_of(cell, runs[one.variant.name])
            point = Point(f"{cell.panel}: {one.series}", "speed-up", name_of(cell.kernel),
                          gain(ratio), "%", repetitions=ratio.pairs, details=details)  # fmt: skip
            has_goal = one == AGAINST_NOTHING and (cell.kernel, cell.network) == ("is", TCP)
            points.append(with_goal(point, OVER_TCP) if has_goal else point)
    return points


def by_class(predictions: Predictions) -> list[Point]:
    """Table 5, in shared memory: the same numbers, classes beside each other."""
    return [
        Point(class_panel(cell, one.series), f"class {cell.problem_class}", name_of(cell.kernel),
              gain(ratio), "%", repetitions=ratio.pairs,
              details=details_of(cell, runs[one.variant.name]))
        for cell, runs in predictions.measured()
        if cell.network == SHARED_MEMORY
        for one, ratio in _compared(runs, GAINS)
    ]  # fmt: skip


def class_panel(cell: Cell, series: str) -> str:
    return f"{series}, {MPIS[cell.mpi].title}, {ranks_and_place(cell.ranks)}"


def ablation(predictions: Predictions) -> list[Point]:
    """By variant the time as a multiple of the program's as it is, and their geometric mean."""
    points = []
    ratios: dict[tuple[str, str], list[float]] = {}
    for cell, runs in predictions.measured():
        if NOTHING.name not in runs:
            continue
        seconds = statistics.median(runs[NOTHING.name].seconds)
        kernel = name_of(cell.kernel)
        points.append(Point(cell.panel, SECONDS, kernel, seconds, "s",
                            repetitions=len(runs[NOTHING.name].rounds),
                            details=details_of(cell)))  # fmt: skip
        every = [Comparison(one.title, one, NOTHING) for one in VARIANTS if one != NOTHING]
        for one, ratio in _compared(runs, every):
            ratios.setdefault((cell.panel, one.series), []).append(ratio.median)
            points.append(Point(cell.panel, one.series, kernel, ratio.median, "",
                                repetitions=ratio.pairs,
                                details=details_of(cell, runs[one.variant.name])))  # fmt: skip
    return points + [
        Point(panel, series, GEOMETRIC_MEAN, statistics.geometric_mean(found), "")
        for (panel, series), found in ratios.items()
    ]


def never_slower(predictions: Predictions) -> list[Point]:
    """Guarded prediction beside none, in every cell, with the goal."""
    points = []
    for cell, runs in predictions.measured():
        for _, ratio in _compared(runs, [Comparison("", GUARDED, OFF)]):
            details = details_of(cell, runs[GUARDED.name])
            for series, value, goal in (
                (MEDIAN, ratio.median, NEVER_SLOWER),
                (UPPER, ratio.upper, NEVER_MUCH_SLOWER),
            ):
                point = Point(cell.panel, series, name_of(cell.kernel), value, "",
                              repetitions=ratio.pairs,
                              details={**details, MISSING: "too few runs"})  # fmt: skip
                points.append(with_goal(point, goal))
    return points


def _compared(
    runs: dict[str, Runs], comparisons: Sequence[Comparison]
) -> Iterator[tuple[Comparison, Ratio]]:
    for one in comparisons:
        if {one.variant.name, one.base.name} <= runs.keys():
            ratio = ratio_of(runs[one.variant.name], runs[one.base.name])
            if ratio is not None:
                yield one, ratio
