"""Tables 2 to 4: how many messages there are, how many are predicted, and how many of these
predictions are right."""

from collections.abc import Iterator

from tasuki.output.figure import MISSING, Point
from tasuki.reproduce.prediction import paper
from tasuki.reproduce.prediction.cells import Cell
from tasuki.reproduce.prediction.goals import REPEATING, SORTING, with_goal
from tasuki.reproduce.prediction.laboratory import Predictions
from tasuki.reproduce.prediction.networks import TCP
from tasuki.reproduce.prediction.places import RANKS
from tasuki.reproduce.prediction.runs import Runs
from tasuki.reproduce.prediction.speed import details_of
from tasuki.reproduce.prediction.traces import Recorded
from tasuki.reproduce.prediction.variants import ALWAYS, GUARDED, OFF
from tasuki.tuned.prediction_report import Report

RECEIVED, OF_A_RANK = "messages", "of a rank"
BY_TASUKI, INVISIBLE = "collectives by Tasuki", "by the library, invisible"
ACTING = (ALWAYS, GUARDED)
NO_REPORT = "not reported"
WHOLE, FREE = "whole messages", "free fields, after the first iteration"
IN_THE_RUN = "in the run, {}"
MESSAGES_REMARK = (
    "Messages that all ranks receive, and their mean; those of collectives that Tasuki carries out"
    " by messages are among them, as in the paper. Calls of collectives of all ranks, by who"
    " carries them out under tasuki run --tuned. What the library does inside its own cannot be"
    " seen."
)
RATE_REMARK = (
    "Predictions / receives. always: in every idle time, as in the paper; guarded: where a gain was"
    " measured."
)
SUCCESS_REMARK = (
    "Right predictions / predictions. In the run: as the ranks report it. The others are what each"
    " predictor would have done on the messages of table 2, in the order in which they came"
    " (tasuki predict); earlier_run knows another run. Free are the fields that a receive's"
    " arguments do not fix."
)


def counts(predictions: Predictions) -> list[Point]:
    """Table 2."""
    points = []
    for cell, found in _recorded(predictions):
        details = details_of(cell)
        kernel = paper.name_of(cell.kernel)
        points += [
            Point(cell.panel, RECEIVED, kernel, found.messages, "", details=details),
            Point(cell.panel, OF_A_RANK, kernel, found.messages / cell.rank_count, "",
                  details=details),
        ]  # fmt: skip
        runs = predictions.runs_in(cell).get(OFF.name)
        if runs is not None:
            per_run = len(runs.rounds)
            points += [
                Point(cell.panel, series, kernel, calls / per_run, "", details=details)
                for series, calls in ((BY_TASUKI, runs.by_tasuki), (INVISIBLE, runs.native))
            ]
    return points


def rates(predictions: Predictions) -> list[Point]:
    """Table 3."""
    return [
        _share(cell, cell.panel, variant.title, paper.name_of(cell.kernel), runs[variant.name],
               lambda report: (report.predicted, report.receives))
        for cell, runs in predictions.measured()
        for variant in ACTING
        if variant.name in runs
    ]  # fmt: skip


def successes(predictions: Predictions) -> list[Point]:
    """Table 4: a column for each kernel, a row for each predictor and form."""
    points = []
    for cell, found in _recorded(predictions):
        runs = predictions.runs_in(cell)
        kernel = paper.name_of(cell.kernel)
        points += [
            _share(cell, success_panel(cell, WHOLE), kernel, IN_THE_RUN.format(variant.title),
                   runs[variant.name], lambda report: (report.hit, report.predicted))
            for variant in ACTING
            if variant.name in runs
        ]  # fmt: skip
        for part, shares in ((WHOLE, found.whole), (FREE, found.free)):
            for predictor, share in shares.items():
                point = Point(success_panel(cell, part), kernel, predictor, share, "%",
                              details={**details_of(cell), MISSING: ""})  # fmt: skip
                has_goal = (part, predictor) == (FREE, found.default)
                goal = SORTING if cell.kernel == "is" else REPEATING
                points.append(with_goal(point, goal) if has_goal else point)
    return points


def success_panel(cell: Cell, part: str) -> str:
    return f"{part}: {cell.panel}"


def _recorded(predictions: Predictions) -> Iterator[tuple[Cell, Recorded]]:
    """One table for each network, MPI and class, of the ranks where the paper's values stand, or
    else of the most. TCP on this machine has the messages of shared memory."""
    measured = predictions.wishes.ranks
    ranks = RANKS if RANKS in measured else max(measured)
    for cell in predictions.cells:
        if cell.network != TCP and cell.ranks == ranks:
            found = predictions.recorded(cell)
            if found is not None:
                yield cell, found


def _share(cell: Cell, panel: str, series: str, x: str, runs: Runs, parts) -> Point:
    """In %; `parts(report)` is part and whole."""
    details = details_of(cell, runs)
    if runs.report is None:
        return Point(panel, series, x, None, "%", details={**details, MISSING: NO_REPORT})
    report: Report = runs.report
    part, whole = parts(report)
    counted = {**details, "predictions": report.predicted, "receives": report.receives}
    if not whole:
        return Point(panel, series, x, None, "%", details={**counted, MISSING: "none"})
    return Point(panel, series, x, 100 * part / whole, "%",
                 repetitions=len(runs.rounds), details=counted)  # fmt: skip
