"""A picture of the comparison: for each predictor and form the share of right predictions."""

import textwrap
from pathlib import Path
from typing import Any

import matplotlib

from tasuki.output.picture import write_png

matplotlib.use("Agg")
INCHES_PER_BAR = 0.13
TITLE_COLUMNS = 90
PARTS = (("whole", "whole message"), ("free", "fields that the receive leaves open"))


def draw(answer: dict[str, Any], path: Path) -> None:
    """Writes a PNG: bars of the share of all messages that were predicted right.

    Raises CommandError if the file cannot be written."""
    from matplotlib import pyplot

    rows = answer["predictors"]
    height = 1.5 + INCHES_PER_BAR * len(PARTS) * len(rows)
    canvas, axis = pyplot.subplots(figsize=(8, height), layout="constrained")
    thickness = 0.8 / len(PARTS)
    for number, (part, label) in enumerate(PARTS):
        places = [index + (number - 0.5) * thickness for index in range(len(rows))]
        axis.barh(places, [_share(one["all"], part) for one in rows], thickness, label=label)
    axis.set(
        xlabel="predicted right, % of the messages",
        xlim=(0, 100),
        ylim=(len(rows) - 0.5, -0.5),
        yticks=range(len(rows)),
        yticklabels=[f"{one['predictor']}, {one['form']}" for one in rows],
    )
    title = f"{answer['program']}, {answer['ranks']} ranks"
    canvas.suptitle("\n".join(textwrap.wrap(title, TITLE_COLUMNS)), fontsize="medium")
    axis.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=len(PARTS), frameon=False)
    write_png("predict", canvas, path)


def _share(score: dict[str, Any], part: str) -> float:
    messages = score["free_messages" if part == "free" else "messages"]
    return 100 * score[part]["right"] / messages if messages else 0.0
