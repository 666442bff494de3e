"""All algorithms of the MPI library and of Tasuki, on this machine."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from tasuki.launcher.mpiexec import MPIS
from tasuki.measurement.library import NATIVE, best_forced
from tasuki.measurement.measurer import Candidate, Cell
from tasuki.measurement.race import Result, winner_of
from tasuki.output.figure import Point
from tasuki.output.place import is_oversubscribed, ranks_and_place
from tasuki.reproduce.collectives.laboratory import Laboratory
from tasuki.reproduce.races import Library

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
    other: Result | None
    own: Result | None


def times(collective: str, laboratory: Laboratory) -> list[Point]:
    """A panel for each library and number of ranks, a curve for each algorithm."""
    points = []
    for ranks in _several(laboratory):
        for library in laboratory.libraries:
            panel = f"{library.title}, {ranks_and_place(ranks)}"
            for result in _results(laboratory, library, collective, ranks):
                points += [
                    _point(laboratory, library, result, candidate, panel=panel,
                           series=series_of(laboratory, library, result.cell, candidate))
                    for candidate in result.times
                ]  # fmt: skip
    return points


def by_ranks(collective: str, size_bytes: int, calls: int, laboratory: Laboratory) -> list[Point]:
    """Of figures 1 to 3 what this machine gives, from the same races: seconds of `calls` calls."""
    points = []
    for library in laboratory.libraries:
        for ranks in _several(laboratory):
            for result in _results(laboratory, library, collective, ranks):
                if result.cell.message_bytes != size_bytes:
                    continue
                for candidate in result.times:
                    series = series_of(laboratory, library, result.cell, candidate)
                    panel = f"{library.title}, this machine"
                    point = _point(laboratory, library, result, candidate, panel=panel,
                                   series=series)  # fmt: skip
                    seconds = result.times[candidate].median * calls
                    points.append(point._replace(x=ranks, value=seconds, unit="s"))
    return points


def best(laboratory: Laboratory) -> list[Point]:
    """The library's default and the best of each."""
    points = []
    for both in _cells(laboratory):
        panel = f"{both.cell.collective}, {ranks_and_place(both.cell.ranks)}"
        shown: list[tuple[str, Library | None, Result | None, Candidate | None]] = []
        if both.other is not None:
            shown.append((DEFAULT, laboratory.mpi_library, both.other, NATIVE))
            forced = best_forced(both.other)
            shown.append(("the library's best", laboratory.mpi_library, both.other, forced))
        if both.own is not None:
            own = laboratory.own_library
            shown.append((f"Tasuki's {BUILT_IN_POLICY}", own, both.own, both.own.incumbent))
            shown.append(("Tasuki's best", own, both.own, _fastest(both.own)))
        points += [
            _point(laboratory, library, result, candidate, panel=panel, series=series)
            for series, library, result, candidate in shown
            if library and result and candidate
        ]
    return points


def best_table(laboratory: Laboratory) -> list[Point]:
    """By size the best algorithm, and by how much the default is beaten."""
    points = []
    for both in _cells(laboratory):
        cell = both.cell
        panel = f"{cell.collective}, {ranks_and_place(cell.ranks)}"
        columns = _columns(laboratory, both)
        points += [
            Point(panel, title, cell.message_bytes, value, unit, details=details)
            for title, value, unit, details in columns
        ]
    return points


def series_of(laboratory: Laboratory, library: Library, cell: Cell, candidate: Candidate) -> str:
    """As in "AL3 recursive_doubling"; what the paper has no name for, plainly."""
    if candidate == NATIVE:
        return BUILT_IN_POLICY if library == laboratory.own_library else DEFAULT
    name = paper_name(laboratory, library, cell, candidate)
    return f"{name} {candidate.algorithm}" if name else candidate.algorithm


def paper_name(
    laboratory: Laboratory, library: Library, cell: Cell, candidate: Candidate
) -> str | None:
    """AL0 is the default of Open MPI, the others are the numbers of its algorithms."""
    if library.title != MPIS["ompi"].title:
        return None
    if candidate == NATIVE:
        return "AL0"
    for one in laboratory.races.listed(library, cell.collective, cell.ranks):
        if one["algorithm"] == candidate.algorithm:
            return f"AL{one['value']}"
    return None


def _columns(
    laboratory: Laboratory, both: Both
) -> Iterator[tuple[str, float | str, str, dict[str, Any]]]:
    """Title, value, unit and details of what the table says of one cell."""
    default = None
    if both.other is not None and laboratory.mpi_library is not None:
        default = both.other.times[NATIVE].median
        details = _details(laboratory, laboratory.mpi_library, both.other, NATIVE)
        yield "default, us", default * _MICROSECONDS, "us", details
        forced = best_forced(both.other)
        if forced is not None:
            details = _details(laboratory, laboratory.mpi_library, both.other, forced)
            name = series_of(laboratory, laboratory.mpi_library, both.cell, forced)
            seconds = both.other.times[forced].median
            is_beaten = winner_of(both.other.times, NATIVE) != NATIVE
            yield "the library's best", name, "", details
            yield "us", seconds * _MICROSECONDS, "us", details
            yield "ratio", default / seconds, "", details
            yield "default is", "beaten" if is_beaten else "as good", "", details
    if both.own is not None:
        fastest = _fastest(both.own)
        details = _details(laboratory, laboratory.own_library, both.own, fastest)
        seconds = both.own.times[fastest].median
        yield "Tasuki's best", fastest.algorithm, "", details
        yield "its us", seconds * _MICROSECONDS, "us", details
        if default is not None:
            yield "its ratio", default / seconds, "", details


def _several(laboratory: Laboratory) -> list[int]:
    return [ranks for ranks in laboratory.wishes.ranks if ranks > 1]


def _cells(laboratory: Laboratory) -> Iterator[Both]:
    """All cells in which something was raced."""
    for ranks in _several(laboratory):
        for collective in COLLECTIVES:
            found: dict[Library, dict[Cell, Result]] = {
                library: {
                    result.cell: result
                    for result in _results(laboratory, library, collective, ranks)
                }
                for library in laboratory.libraries
            }
            other = found.get(laboratory.mpi_library, {}) if laboratory.mpi_library else {}
            own = found[laboratory.own_library]
            for size in laboratory.wishes.sizes:
                cell = Cell(collective, ranks, size)
                if cell in other or cell in own:
                    yield Both(cell, other.get(cell), own.get(cell))


def _results(laboratory: Laboratory, library: Library, collective: str, ranks: int) -> list[Result]:
    cells = [Cell(collective, ranks, size) for size in laboratory.wishes.sizes]
    return laboratory.races.results(library, cells)


def _fastest(result: Result) -> Candidate:
    return min(result.times, key=lambda candidate: result.times[candidate].median)


def _point(
    laboratory: Laboratory,
    library: Library,
    result: Result,
    candidate: Candidate,
    *,
    panel: str,
    series: str,
) -> Point:
    one = result.times[candidate]
    spread = (one.high - one.low) / 2 / one.median
    details = _details(laboratory, library, result, candidate)
    return Point(panel, series, result.cell.message_bytes, one.median * _MICROSECONDS, "us",
                 spread, one.samples, details)  # fmt: skip


def _details(
    laboratory: Laboratory, library: Library, result: Result, candidate: Candidate
) -> dict[str, Any]:
    cell = result.cell
    return {
        "collective": cell.collective,
        "algorithm": candidate.algorithm,
        "parameters": candidate.parameters,
        "ranks": cell.ranks,
        "message_bytes": cell.message_bytes,
        "seconds": result.times[candidate].median,
        "oversubscribed": is_oversubscribed(cell.ranks),
        "library": laboratory.races.version(library),
        "paper_name": paper_name(laboratory, library, cell, candidate),
    }
