"""A picture of a schedule: ranks downwards, rounds to the right, messages between them."""

from pathlib import Path
from typing import Any

import matplotlib

from tasuki.base.errors import usage_error
from tasuki.explain.question import Question
from tasuki.output.picture import write_png

matplotlib.use("Agg")
RANKS_MOST = 64
ROUNDS_MOST = 64
INCHES_PER_ROUND = 0.9
INCHES_PER_RANK = 0.35


def require_few_ranks(question: Question) -> None:
    """Raises CommandError if their messages could not be told apart."""
    if question.ranks > RANKS_MOST:
        raise usage_error(
            "explain", f"--plot of {question.ranks} ranks", f"it draws up to {RANKS_MOST}: -n"
        )


def draw(question: Question, answer: dict[str, Any], path: Path) -> None:
    """Writes a PNG. Raises CommandError if there are no rounds, or too many to be seen, or if the
    file cannot be written.

    Requires: `require_few_ranks` was called."""
    from matplotlib import pyplot

    ranks = answer["sends"]
    rounds_count = max((len(rounds) for rounds in ranks), default=0)
    if rounds_count == 0:
        raise usage_error(
            "explain",
            f"{answer['shown']} has no rounds that could be drawn",
            "name another with --algorithm",
        )
    if rounds_count > ROUNDS_MOST:
        raise usage_error(
            "explain",
            f"{answer['shown']} has {rounds_count} rounds on {question.ranks} ranks, too many to"
            " draw",
            f"--plot draws up to {ROUNDS_MOST} rounds: name another with --algorithm, or fewer"
            " ranks",
        )
    size = (2 + INCHES_PER_ROUND * rounds_count, 1.5 + INCHES_PER_RANK * len(ranks))
    canvas, axis = pyplot.subplots(figsize=size, layout="constrained")
    for rank, rounds in enumerate(ranks):
        for number, peers in enumerate(rounds):
            axis.plot(number, rank, "o", color="tab:blue", markersize=3)
            for peer in peers:
                axis.annotate(
                    "",
                    xy=(number + 0.85, peer),
                    xytext=(number, rank),
                    arrowprops={"arrowstyle": "->", "color": "tab:gray", "linewidth": 0.8},
                )
    axis.set(
        title=f"{question.collective} {answer['shown']}, {question.ranks} ranks",
        xlabel="round",
        ylabel="rank",
        xlim=(-0.5, rounds_count + 0.1),
        ylim=(len(ranks) - 0.5, -0.5),
        xticks=range(rounds_count),
        yticks=range(len(ranks)),
    )
    write_png("explain", canvas, path)
