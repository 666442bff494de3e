"""A race between candidates: who is faster, as far as noise lets one say.

Candidates are interleaved, in an order that is shuffled anew in each round, so that none has the
calm moments for itself; those that are clearly slower drop out. The winner takes over
from what is used now only if it is faster with confidence and by a margin, and still so after
further rounds of these two: samples in a row share what disturbs them, so that those of one round
are no confidence.
"""

import math
import random
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from tasuki.measurement.measurer import Candidate, Cell, Measurer

MARGIN = 1.03  # A gain below the difference between two days of one machine is none.
ROUND_SAMPLES = 5
ROUNDS_MOST = 12
CONFIRMING_ROUNDS = 3
# After a round, those whose best sample is so much slower than the best one's median drop out.
HOPELESS = 1.5


class Time(NamedTuple):
    """Seconds of a call: the median, and between what it lies with 95 % confidence."""

    median: float
    low: float
    high: float
    samples: int

    @property
    def spread(self) -> float:
        """As rows of JSON have it: half the interval / the median."""
        return (self.high - self.low) / 2 / self.median


class Result(NamedTuple):
    """`winner` is `incumbent` unless another was significantly faster."""

    cell: Cell
    winner: Candidate
    incumbent: Candidate
    times: dict[Candidate, Time]

    @property
    def gain(self) -> float:
        return self.times[self.incumbent].median / self.times[self.winner].median


def smoothed(results: Iterable[Result]) -> list[Result]:
    """The results of one collective in order of size, a winner being kept where it is as good as
    the next one: two candidates that take the same time need no crossover."""
    kept: list[Result] = []
    for one in sorted(results, key=lambda one: one.cell.message_bytes):
        last = kept[-1].winner if kept else one.winner
        best = one.times[one.winner].median
        is_as_good = last in one.times and one.times[last].median <= best * MARGIN
        kept.append(one._replace(winner=last) if is_as_good else one)
    return kept


def winners_by_size(
    results: Iterable[Result],
) -> Iterator[tuple[str, int, list[tuple[list[Result], float | None]]]]:
    """For each collective and number of ranks, in order, the runs of sizes with the same winner.
    Each is followed by the size where the next one takes over, the geometric mean of the sizes
    that were measured; None: there is no next one."""
    ordered = sorted(results, key=lambda one: one.cell)
    for (collective, ranks), group in groupby(ordered, key=lambda one: one.cell[:2]):
        runs = [list(run) for _, run in groupby(group, key=lambda one: one.winner)]
        ends = [
            (run[-1].cell.message_bytes * following[0].cell.message_bytes) ** 0.5
            for run, following in pairwise(runs)
        ]
        yield collective, ranks, list(zip(runs, [*ends, None], strict=True))


def one_for_all(results: Sequence[Result]) -> list[Result]:
    """The results of one collective with the same winner for all sizes: the candidate that takes
    the shortest time beside what is used now, in the geometric mean of the sizes, if it is faster
    with confidence and by a margin."""

    def mean_ratio(candidate: Candidate, ratio: Callable[[Time, Time], float]) -> float:
        return statistics.geometric_mean(
            ratio(one.times[candidate], one.times[one.incumbent]) for one in results
        )

    def median_ratio(candidate: Candidate) -> float:
        return mean_ratio(candidate, lambda its, now: its.median / now.median)

    always_there = set.intersection(*(set(one.times) for one in results))
    best = min(always_there, key=median_ratio)
    is_significant = mean_ratio(best, lambda its, now: its.high / now.low) < 1
    is_better = is_significant and median_ratio(best) * MARGIN < 1
    return [one._replace(winner=best if is_better else one.incumbent) for one in results]


def time_of(samples: list[float]) -> Time:
    """The interval is that of the order statistics around the median (binomial, 95 %)."""
    ordered = sorted(samples)
    count = len(ordered)
    reach = 1.96 * math.sqrt(count) / 2
    low = max(math.floor(count / 2 - reach), 0)
    high = min(math.ceil(count / 2 + reach), count - 1)
    return Time(statistics.median(ordered), ordered[low], ordered[high], count)


def race(
    measurer: Measurer,
    cell: Cell,
    seconds: float,
    generator: random.Random,
    clock: Callable[[], float] = time.monotonic,
) -> Result:
    """Measures for about so many seconds; at least one round, so that all have been seen."""
    candidates, incumbent = measurer.candidates(cell)
    samples: dict[Candidate, list[float]] = {candidate: [] for candidate in candidates}
    runners = list(candidates)
    end = clock() + seconds
    for round_number in range(ROUNDS_MOST):
        share = max(end - clock(), 0) / len(runners) if round_number else seconds / 2 / len(runners)
        generator.shuffle(runners)
        for candidate in runners:
            samples[candidate] += measurer.measure(cell, candidate, ROUND_SAMPLES, share)
        runners = [candidate for candidate in runners if samples[candidate]]
        runners = _still_in_the_race(samples, runners, incumbent)
        if clock() >= end or len(runners) == 1:
            break
    for _ in range(CONFIRMING_ROUNDS):
        pair = [winner_of(_times_of(samples), incumbent), incumbent]
        if pair[0] == incumbent:
            break
        generator.shuffle(pair)
        for candidate in pair:
            samples[candidate] += measurer.measure(cell, candidate, ROUND_SAMPLES, seconds / 4)
    times = _times_of(samples)
    return Result(cell, winner_of(times, incumbent), incumbent, times)


def _times_of(samples: dict[Candidate, list[float]]) -> dict[Candidate, Time]:
    return {candidate: time_of(found) for candidate, found in samples.items() if found}


def _still_in_the_race(
    samples: dict[Candidate, list[float]], runners: list[Candidate], incumbent: Candidate
) -> list[Candidate]:
    times = {candidate: time_of(samples[candidate]) for candidate in runners}
    best = min(times.values(), key=lambda one: one.median)
    left = [
        candidate
        for candidate, one in times.items()
        if one.low <= best.high and min(samples[candidate]) <= HOPELESS * best.median
    ]
    # What is used now is measured as long as there is somebody to hold against it.
    if incumbent not in left and times.get(incumbent) is not None:
        left.append(incumbent)
    return left


def winner_of(times: dict[Candidate, Time], incumbent: Candidate) -> Candidate:
    """The fastest if it is faster than `incumbent` with confidence and by a margin."""
    best = min(times, key=lambda candidate: times[candidate].median)
    now = times[incumbent]
    is_significant = times[best].high < now.low and times[best].median * MARGIN < now.median
    return best if is_significant else incumbent
