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
from tasuki.reproduce.prediction.pairs import Ratio, ratio_of, ratios_of
from tasuki.reproduce.prediction.paper import name_of
from tasuki.reproduce.prediction.runs import Runs
from tasuki.reproduce.prediction.variants import ALWAYS, GUARDED, NOTHING, OFF, VARIANTS, Variant

MEDIAN, UPPER = "median", "at most, of 95 %"
GEOMETRIC_MEAN = "geometric mean"
ALL_KERNELS = "all kernels"
ALL_PANELS = "everywhere"
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
    """Guarded prediction beside none, in every cell, in all pairs of a table, and in all there are,
    with the goal."""
    points = []
    all_ratios: dict[str, list[float]] = {}
    for cell, runs in predictions.measured():
        if {GUARDED.name, OFF.name} <= runs.keys():
            ratios = ratios_of(runs[GUARDED.name], runs[OFF.name])
            all_ratios.setdefault(cell.panel, []).extend(ratios)
            details = details_of(cell, runs[GUARDED.name])
            points += _with_bounds(cell.panel, name_of(cell.kernel), ratios, details)
    for panel, ratios in all_ratios.items():
        points += _with_bounds(panel, ALL_KERNELS, ratios, {})
    everything = [ratio for ratios in all_ratios.values() for ratio in ratios]
    return points + _with_bounds(ALL_PANELS, ALL_KERNELS, everything, {})


def _with_bounds(
    panel: str, row: str, ratios: Sequence[float], details: dict[str, Any]
) -> list[Point]:
    ratio = ratio_of(ratios)
    if ratio is None:
        return []
    bounds = (MEDIAN, ratio.median, NEVER_SLOWER), (UPPER, ratio.upper, NEVER_MUCH_SLOWER)
    details = {**details, MISSING: "too few runs"}
    return [
        with_goal(Point(panel, series, row, value, "", repetitions=ratio.pairs, details=details),
                  goal)
        for series, value, goal in bounds
    ]  # fmt: skip


def _compared(
    runs: dict[str, Runs], comparisons: Sequence[Comparison]
) -> Iterator[tuple[Comparison, Ratio]]:
    for one in comparisons:
        if {one.variant.name, one.base.name} <= runs.keys():
            ratio = ratio_of(ratios_of(runs[one.variant.name], runs[one.base.name]))
            if ratio is not None:
                yield one, ratio
