"""Barrier times: by flags in memory, as DIMMnet-1 had them, and by the MPI."""

from tasuki.measurement.library import NATIVE, library_measurer
from tasuki.measurement.measurer import Cell, tasuki_measurer
from tasuki.measurement.race import Time
from tasuki.output.figure import Point
from tasuki.output.place import is_oversubscribed, place_of
from tasuki.reproduce.dimmnet.applications import Applications
from tasuki.reproduce.dimmnet.paper import FLAGS_RATIO, RATIO_PANEL
from tasuki.reproduce.races import Library

FLAGS = {
    "flag_tree": "flag tree, puts",
    "flag_tree_multicast": FLAGS_RATIO,
    "flag_exchange": "every rank reads all flags",
}
REMARK = (
    "The mean of a batch of barriers on the slowest rank, median of the batches. Flag tree: the"
    " root reads the flags of all, eight in a word, and releases the others by a word put to each,"
    " or by one line that all read. MPI: MPI_Barrier as the library chooses it."
)
_MICROSECONDS = 1e6


def times(applications: Applications) -> list[Point]:
    mpi = applications.wishes.mpi
    own = Library("Tasuki", lambda ranks: tasuki_measurer(ranks, "shm"))
    other = Library("MPI", lambda ranks: library_measurer(ranks, mpi))
    points = []
    for ranks in applications.wishes.ranks:
        if ranks < 2:
            continue
        cell = Cell("barrier", ranks, 0)
        for result in applications.races.results(own, [cell], tuple(FLAGS)):
            points += [
                _point(cell, algorithm, title, one)
                for algorithm, title in FLAGS.items()
                for candidate, one in result.times.items()
                if candidate.algorithm == algorithm
            ]
        for result in applications.races.results(other, [cell], (NATIVE.algorithm,)):
            points.append(_point(cell, NATIVE.algorithm, "MPI", result.times[NATIVE]))
    return points


def ratios(applications: Applications) -> list[Point]:
    """How many times as long as by flags a barrier of MPI takes, from the same runs."""
    seconds = {(point.x, point.series): point.details["seconds"] for point in times(applications)}
    return [
        Point(RATIO_PANEL, title, ranks, seconds[ranks, "MPI"] / seconds[ranks, title], "")
        for title in FLAGS.values()
        for ranks in applications.wishes.ranks
        if {(ranks, "MPI"), (ranks, title)} <= seconds.keys()
    ]


def _point(cell: Cell, algorithm: str, series: str, one: Time) -> Point:
    details = {
        "collective": cell.collective,
        "algorithm": algorithm,
        "ranks": cell.ranks,
        "message_bytes": cell.message_bytes,
        "seconds": one.median,
        "oversubscribed": is_oversubscribed(cell.ranks),
    }
    spread = (one.high - one.low) / 2 / one.median
    return Point(place_of(cell.ranks), series, cell.ranks, one.median * _MICROSECONDS, "us",
                 spread, one.samples, details)  # fmt: skip
