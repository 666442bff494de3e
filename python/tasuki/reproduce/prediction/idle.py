"""Figures 7 and 8: how long ranks wait, how often, and what prediction changes of it."""

from collections.abc import Iterator

from tasuki.launcher.mpiexec import MPIS
from tasuki.output.figure import Point
from tasuki.output.place import ranks_and_place
from tasuki.reproduce.prediction.cells import Cell
from tasuki.reproduce.prediction.laboratory import Predictions
from tasuki.reproduce.prediction.paper import USUAL_CLASS
from tasuki.reproduce.prediction.speed import details_of
from tasuki.reproduce.prediction.variants import ALWAYS, GUARDED, OFF, Variant
from tasuki.tuned.prediction_report import Report

NS_PER_MS = 1_000_000
KERNEL = "is"  # The paper's figures show IS alone.
WITH = (OFF, ALWAYS, GUARDED)
LONG, COUNT = "1 ms and more, %", "of a run"
REMARK = (
    "Times of all ranks in blocking receives, waits and collectives: the whole call, also where its"
    " message was there already; the paper counts those where it was not. Lengths are counted in"
    " powers of two, so that 1 ms stands for 2^20 ns = 1.05 ms."
)


def distribution(predictions: Predictions) -> list[Point]:
    """Figure 7: of IS without prediction, the share of the idle times that are so long or longer,
    network beside network."""
    points = []
    for cell, report, runs_count in _reported(predictions, OFF):
        panel = f"{MPIS[cell.mpi].title}, class {cell.problem_class}, {ranks_and_place(cell.ranks)}"
        points += [
            Point(panel, cell.network.title, least_us, share_from(report, int(1000 * least_us)),
                  "%", repetitions=runs_count, details=details_of(cell))
            for least_us in _bins_us(report)
        ]  # fmt: skip
    return points


def lengths(predictions: Predictions) -> list[Point]:
    """Figure 8: how many idle times of each length IS has in a run, with and without prediction."""
    return [
        Point(cell.panel, variant.title, least_us, count / runs_count, "", repetitions=runs_count,
              details=details_of(cell))
        for variant in WITH
        for cell, report, runs_count in _reported(predictions, variant)
        for least_us, count in zip(_bins_us(report), _counts(report), strict=True)
    ]  # fmt: skip


def totals(predictions: Predictions) -> list[Point]:
    """What the paper's text says of both figures: shares and numbers of idle times of IS."""
    points = []
    for variant in WITH:
        for cell, report, runs_count in _reported(predictions, variant):
            values = (
                (LONG, share_from(report, NS_PER_MS), "%"),
                (COUNT, report.wait_count / runs_count, ""),
            )
            points += [
                Point(cell.panel, series, variant.title, value, unit, repetitions=runs_count,
                      details=details_of(cell))
                for series, value, unit in values
                if value is not None
            ]  # fmt: skip
    return points


def share_from(report: Report, least_ns: int) -> float | None:
    """Of the waits, in %, those that took `least_ns` and more, from the next power of two on."""
    first = (least_ns - 1).bit_length()
    total = sum(report.log2_ns)
    return 100 * sum(report.log2_ns[first:]) / total if total else None


def _reported(predictions: Predictions, variant: Variant) -> Iterator[tuple[Cell, Report, int]]:
    """Cells of IS, of the paper's class if it is there, with what the runs of the variant have
    reported and how many they are."""
    classes = predictions.wishes.classes
    chosen = USUAL_CLASS if USUAL_CLASS in classes else classes[0]
    for cell in predictions.cells:
        if (cell.kernel, cell.problem_class) != (KERNEL, chosen):
            continue
        runs = predictions.runs_in(cell).get(variant.name)
        if runs is not None and runs.report is not None:
            yield cell, runs.report, len(runs.rounds)


def _bins_us(report: Report) -> list[float]:
    """The least length of each bin that is not empty, and of all between them."""
    return [2**index / 1000 for index in _used(report)]


def _counts(report: Report) -> list[int]:
    return [report.log2_ns[index] for index in _used(report)]


def _used(report: Report) -> range:
    filled = [index for index, count in enumerate(report.log2_ns) if count]
    return range(filled[0], filled[-1] + 1) if filled else range(0)
