"""Ratios of two variants' times, taken in pairs: of runs in the same round."""

import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from tasuki.reproduce.prediction.runs import Runs

CONFIDENCE = 0.95


class Ratio(NamedTuple):
    """The median of time / the other's time, and what it does not exceed with CONFIDENCE; that is
    None where there are too few pairs to say."""

    median: float
    upper: float | None
    pairs: int


def ratios_of(runs: Runs, others: Runs) -> list[float]:
    """Of each round that they have in common."""
    other_s = dict(zip(others.rounds, others.seconds, strict=True))
    return [
        seconds / other_s[number]
        for number, seconds in zip(runs.rounds, runs.seconds, strict=True)
        if other_s.get(number)
    ]


def ratio_of(ratios: Sequence[float]) -> Ratio | None:
    """None if there are none."""
    if not ratios:
        return None
    index = upper_index(len(ratios))
    upper = None if index is None else sorted(ratios)[index]
    return Ratio(statistics.median(ratios), upper, len(ratios))


def upper_index(count: int) -> int | None:
    """Which of so many values in order bounds their distribution's median from above: the first
    below which, with CONFIDENCE, at least half of the distribution lies.

    By order statistics, which assume no form of it (H. A. David, H. N. Nagaraja, Order Statistics,
    2003, section 7.1). None if even the greatest does not.
    """
    reached = 0.0
    for index in range(count):
        reached += math.comb(count, index) / 2**count
        if reached >= CONFIDENCE:
            return index
    return None
