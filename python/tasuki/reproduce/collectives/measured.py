"""All algorithms of the MPI library and of Tasuki, on this machine."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from tasuki.launcher.mpiexec import MPIS
from tasuki.measurement.library import NATIVE, best_forced
from tasuki.measurement.measurer import Candidate, Cell
from tasuki.measurement.race import Result, winner_of
from tasuki.output.figure import Point
from tasuki.output.place import ranks_and_place
from tasuki.reproduce.collectives.laboratory import Laboratory
from tasuki.reproduce.races import Inspection, Library, Raced

COLLECTIVES = ("allreduce", "alltoall")
DEFAULT = "AL0 (default)"
BUILT_IN_POLICY = "built-in policy"
REMARK = (
    "Algorithms are interleaved: the mean of a batch of calls on the slowest rank, median of the"
    " batches. Those that are clearly slower are left after 5. AL0 is what the MPI library chooses"
    " by itself, AL1 and so on are its own algorithms, forced, by its numbers for them. Tasuki runs"
    " over shared memory; the size is that of the vector of Allreduce and of a block of Alltoall."
)
BEST_REMARK = (
    "Beaten: the default is slower than another algorithm of the library with confidence (95 %) and"
    " by a margin (3 %). Ratios are the default's time / that time."
)
_MICROSECONDS = 1e6


class Both(NamedTuple):
    """One cell: what was raced of the MPI library and of Tasuki; either may be missing."""

    cell: Cell
    other: Raced | None
    own: Raced | None

    @property
    def panel(self) -> str:
        return f"{self.cell.collective}, {ranks_and_place(self.cell.ranks)}"


def times(collective: str, laboratory: Laboratory) -> list[Point]:
    """A panel for each library and number of ranks, a curve for each algorithm."""
    return [
        _point(raced, candidate, f"{library.title}, {ranks_and_place(ranks)}")
        for ranks in laboratory.several
        for library in laboratory.libraries
        for raced in laboratory.raced(library, collective, ranks)
        for candidate in raced.result.times
    ]


def by_ranks(collective: str, size_bytes: int, calls: int, laboratory: Laboratory) -> list[Point]:
    """Of figures 1 to 3 what this machine gives, from the same races: seconds of `calls` calls."""
    return [
        _point(raced, candidate, f"{library.title}, this machine")._replace(
            x=ranks, value=time.median * calls, unit="s"
        )
        for library in laboratory.libraries
        for ranks in laboratory.several
        for raced in laboratory.raced(library, collective, ranks)
        if raced.result.cell.message_bytes == size_bytes
        for candidate, time in raced.result.times.items()
    ]


def best(laboratory: Laboratory) -> list[Point]:
    """The library's default and the best of each."""
    points = []
    for panel, other, own in ((both.panel, both.other, both.own) for both in _cells(laboratory)):
        if other is not None:
            points.append(_point(other, NATIVE, panel, DEFAULT))
            forced = best_forced(other.result)
            if forced is not None:
                points.append(_point(other, forced, panel, "the library's best"))
        if own is not None:
            series = f"Tasuki's {BUILT_IN_POLICY}"
            points.append(_point(own, own.result.incumbent, panel, series))
            points.append(_point(own, _fastest(own.result), panel, "Tasuki's best"))
    return points


def best_table(laboratory: Laboratory) -> list[Point]:
    """By size the best algorithm, and by how much the default is beaten."""
    return [
        Point(both.panel, title, both.cell.message_bytes, value, unit, details=details)
        for both in _cells(laboratory)
        for title, value, unit, details in _columns(both)
    ]


def series_of(library: Library, inspection: Inspection, candidate: Candidate) -> str:
    """As in "AL3 recursive_doubling"; what the paper has no name for, plainly."""
    if candidate == NATIVE:
        return BUILT_IN_POLICY if library.is_own else DEFAULT
    name = paper_name(library, inspection, candidate)
    return f"{name} {candidate.algorithm}" if name else candidate.algorithm


def paper_name(library: Library, inspection: Inspection, candidate: Candidate) -> str | None:
    """AL0 is the default of Open MPI, the others are the numbers of its algorithms."""
    if library.title != MPIS["ompi"].title:
        return None
    if candidate == NATIVE:
        return "AL0"
    for one in inspection.listed:
        if one["algorithm"] == candidate.algorithm:
            return f"AL{one['value']}"
    return None


def _columns(both: Both) -> Iterator[tuple[str, float | str, str, dict[str, Any]]]:
    """Title, value, unit and details of what the table says of one cell."""
    default = None
    if both.other is not None:
        times = both.other.result.times
        default = times[NATIVE].median
        yield "default, us", default * _MICROSECONDS, "us", _details(both.other, NATIVE)
        forced = best_forced(both.other.result)
        if forced is not None:
            details = _details(both.other, forced)
            seconds = times[forced].median
            yield "the library's best", series_of(*both.other[:2], forced), "", details
            yield "us", seconds * _MICROSECONDS, "us", details
            yield "ratio", default / seconds, "", details
            is_beaten = winner_of(times, NATIVE) != NATIVE
            yield "default is", "beaten" if is_beaten else "as good", "", details
    if both.own is not None:
        fastest = _fastest(both.own.result)
        details = _details(both.own, fastest)
        seconds = both.own.result.times[fastest].median
        yield "Tasuki's best", fastest.algorithm, "", details
        yield "its us", seconds * _MICROSECONDS, "us", details
        if default is not None:
            yield "its ratio", default / seconds, "", details


def _cells(laboratory: Laboratory) -> Iterator[Both]:
    """All cells in which something was raced."""
    for ranks in laboratory.several:
        for collective in COLLECTIVES:
            found = {
                (library.is_own, raced.result.cell): raced
                for library in laboratory.libraries
                for raced in laboratory.raced(library, collective, ranks)
            }
            for cell in laboratory.cells(collective, ranks):
                both = Both(cell, found.get((False, cell)), found.get((True, cell)))
                if both.other or both.own:
                    yield both


def _fastest(result: Result) -> Candidate:
    return min(result.times, key=lambda candidate: result.times[candidate].median)


def _point(raced: Raced, candidate: Candidate, panel: str, series: str | None = None) -> Point:
    """Of a curve by size that is named after the algorithm unless it is `series`."""
    series = series or series_of(*raced[:2], candidate)
    return raced.point(candidate, panel, series, raced.result.cell.message_bytes,
                       **_said(raced, candidate))  # fmt: skip


def _details(raced: Raced, candidate: Candidate) -> dict[str, Any]:
    return raced.details(candidate) | _said(raced, candidate)


def _said(raced: Raced, candidate: Candidate) -> dict[str, Any]:
    return {
        "parameters": candidate.parameters,
        "library": raced.inspection.version,
        "paper_name": paper_name(*raced[:2], candidate),
    }
