"""Barrier times: by flags in memory, as DIMMnet-1 had them, and by the MPI."""

from tasuki.measurement.library import NATIVE, library_measurer
from tasuki.measurement.measurer import Candidate, Cell, tasuki_measurer
from tasuki.output.figure import Point
from tasuki.output.place import place_of
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


def times(applications: Applications) -> list[Point]:
    mpi = applications.wishes.mpi
    own = Library("Tasuki", lambda ranks: tasuki_measurer(ranks, "shm"))
    other = Library("MPI", lambda ranks: library_measurer(ranks, mpi))
    points = []
    for ranks in applications.wishes.ranks:
        if ranks < 2:
            continue
        cells = [Cell("barrier", ranks, 0)]
        for raced in applications.races.results(own, cells, tuple(FLAGS)):
            points += [
                raced.point(candidate, place_of(ranks), FLAGS[candidate.algorithm], ranks)
                for candidate in sorted(raced.result.times, key=_place_in_flags)
                if candidate.algorithm in FLAGS
            ]
        for raced in applications.races.results(other, cells, (NATIVE.algorithm,)):
            points.append(raced.point(NATIVE, place_of(ranks), "MPI", ranks))
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


def _place_in_flags(candidate: Candidate) -> int:
    return [*FLAGS, candidate.algorithm].index(candidate.algorithm)
