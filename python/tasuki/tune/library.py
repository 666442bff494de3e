"""`tasuki tune --library`: an MPI library's own algorithms beside what it chooses by itself, and
with `--schedules` Tasuki's, carried out by the library's messages."""

import textwrap
from collections.abc import Sequence
from typing import Any, NamedTuple

from tasuki.base.errors import CommandError
from tasuki.launcher.mpiexec import find_mpiexec
from tasuki.measurement.library import NATIVE, best_forced, best_schedule, library_measurer
from tasuki.measurement.measured_hosts import require_nodes
from tasuki.measurement.measurer import OPERATION, Candidate, Cell
from tasuki.measurement.race import Result, winner_of
from tasuki.output.report import line_columns, print_table
from tasuki.tune.search import search_all
from tasuki.tune.tune_place import TunePlace
from tasuki.tune.tune_run import TuneRun


class LibraryResults(NamedTuple):
    """`kind` is ompi or mpich, `library` how it calls itself, with its version. `values` are the
    numbers by which it names its algorithms, `names` its own names for them, by collective and
    algorithm; of Tasuki's schedules there are none."""

    kind: str
    library: str
    library_file: str
    results: Sequence[Result]
    values: dict[tuple[str, str], int]
    names: dict[tuple[str, str], str]


def measure_library(
    run: TuneRun, collectives: Sequence[str], with_schedules: bool = False
) -> LibraryResults:
    """Races them in all cells, in about the time of `run`."""
    kind, _ = find_mpiexec(run.mpi)
    results: list[Result] = []
    algorithms: dict[tuple[str, str], dict[str, Any]] = {}
    library = file = ""
    place = run.place
    for ranks in place.ranks:
        with library_measurer(ranks, run.mpi, with_schedules, place.hosts) as measurer:
            require_nodes(OPERATION, place.hosts, measurer.nodes())
            library, file = measurer.library(), measurer.library_file()
            for collective in collectives:
                for one in measurer.algorithms(Cell(collective, ranks, 4)):
                    algorithms[collective, one["algorithm"]] = one
            # Here it is not to be smoothed where the winner changes: each cell is for itself.
            results += [
                one._replace(winner=winner_of(one.times, NATIVE))
                for one in search_all(measurer, run, collectives, ranks, library)
            ]
    if not algorithms:
        raise CommandError(
            OPERATION, f"{library} has no settings that force an algorithm", "use another MPI"
        )
    own = {name: one for name, one in algorithms.items() if "value" in one}
    return LibraryResults(
        kind,
        library,
        file,
        results,
        {name: one["value"] for name, one in own.items()},
        {name: one["library_name"] for name, one in own.items()},
    )


def show_library(found: LibraryResults, place: TunePlace) -> None:
    """Tables for people: for each cell the default beside the best forced algorithm and, if there
    are any, the best schedule."""
    has_schedules = any(best_schedule(one) is not None for one in found.results)
    columns = ["collective", "bytes", "default us", "best forced", "us", "default/best"]
    columns += ["Tasuki's best", "us", "default/best"] if has_schedules else []
    for ranks in sorted({one.cell.ranks for one in found.results}):
        cells = [one for one in found.results if one.cell.ranks == ranks]
        print_table(
            f"{found.library}: its default and its best algorithm, {place.text_of(ranks)}",
            (*columns, "beaten"),
            [_table_row(one, has_schedules) for one in cells],
        )
    for summary in _summaries(found.results, place):
        print(textwrap.fill(summary, line_columns()))


def _table_row(one: Result, has_schedules: bool) -> tuple[object, ...]:
    return (
        one.cell.collective,
        one.cell.message_bytes,
        one.times[NATIVE].median * 1e6,
        *_beside_default(one, best_forced(one)),
        *(_beside_default(one, best_schedule(one)) if has_schedules else ()),
        "beaten" if one.winner != NATIVE else "",
    )


def _beside_default(one: Result, best: Candidate | None) -> tuple[object, ...]:
    if best is None:
        return ("", None, None)
    seconds = one.times[best].median
    name = str(best._replace(algorithm=best.plain_name))
    return (name, seconds * 1e6, one.times[NATIVE].median / seconds)


def _summaries(results: Sequence[Result], place: TunePlace) -> list[str]:
    """A sentence for each place."""
    groups = place.groups_of(results)
    return [f"{start}, {_summary(group)}" for start, group in groups.items()]


def _summary(results: Sequence[Result]) -> str:
    gains = sorted(one.gain for one in results if one.winner != NATIVE)
    if not gains:
        return "the library's own choice is as good as any in all cells."
    schedules_count = sum(one.winner.is_schedule for one in results)
    return (
        f"the default is beaten, with confidence and by a margin, in {len(gains)} of"
        f" {len(results)} cells{f' ({schedules_count} by Tasuki)' if schedules_count else ''}:"
        f" {gains[len(gains) // 2]:.2f} times as fast in the middle, {gains[-1]:.2f} at most."
    )
