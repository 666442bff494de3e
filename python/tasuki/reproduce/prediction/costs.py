"""What each way costs: processor time, and joules where the processor tells."""

import statistics

from tasuki.output.figure import Point
from tasuki.reproduce.prediction.laboratory import Predictions
from tasuki.reproduce.prediction.paper import name_of
from tasuki.reproduce.prediction.speed import details_of
from tasuki.reproduce.prediction.variants import VARIANTS

REMARK = (
    "Of the whole command, its start and the launcher included; the median of the runs. Joules are"
    " those of the processor (RAPL), where they can be read."
)


def costs(predictions: Predictions) -> list[Point]:
    points = []
    for cell, runs in predictions.measured():
        for variant in VARIANTS:
            if variant.name not in runs:
                continue
            one = runs[variant.name]
            joules = [value for value in one.joules if value is not None]
            for quantity, values, unit in (
                ("processor time, s", one.cpu_s, "s"),
                ("energy, J", joules, "J"),
            ):
                if values:
                    points.append(
                        Point(f"{quantity}: {cell.panel}", variant.title, name_of(cell.kernel),
                              statistics.median(values), unit, repetitions=len(values),
                              details=details_of(cell, one))
                    )  # fmt: skip
    return points
