"""`tasuki tune --library`: an MPI library's own algorithms beside what it chooses by itself."""

import random
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

from tasuki.errors import CommandError
from tasuki.jobs import Job
from tasuki.launcher.mpiexec import find_mpiexec
from tasuki.place import by_place, ranks_and_place
from tasuki.programs import BUILD_WITH_MPI, require_program
from tasuki.report import print_table
from tasuki.tune.measurer import OPERATION, Candidate, Cell, JobMeasurer
from tasuki.tune.race import Result, winner_of
from tasuki.tune.search import Search, cells_of

# What the library chooses by itself.
NATIVE = Candidate("native")
# Open MPI lets its algorithms be forced only in jobs that were started so.
SETTINGS = {"ompi": {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"}, "mpich": {}}


class LibraryResults(NamedTuple):
    """`kind` is ompi or mpich, `library` how it calls itself, with its version. `values` are the
    numbers by which it names its algorithms, `names` its own names for them, by collective and
    algorithm."""

    kind: str
    library: str
    library_file: str
    results: Sequence[Result]
    values: dict[tuple[str, str], int]
    names: dict[tuple[str, str], str]


def library_measurer(ranks: int, mpi: str) -> JobMeasurer:
    """The algorithms of the MPI library of the mpiexec that `mpi` (ompi, mpich or auto) finds.

    Its candidates are the library's own algorithms, with the registry's names where both have the
    same, and NATIVE, which is the one in use. Raises CommandError if there is no such MPI.
    """
    kind, _ = find_mpiexec(mpi)
    program = require_program(OPERATION, f"mpi_measure_{kind}", BUILD_WITH_MPI)
    return JobMeasurer(Job(program, (), ranks, "mpi", kind, environment=SETTINGS[kind]))


def measure_library(
    ranks: Sequence[int], mpi: str, collectives: Sequence[str], budget_s: float, seed: int
) -> LibraryResults:
    """Races them in all cells of these numbers of ranks, in about so much time."""
    from tasuki.reproduce.progress import Progress

    kind, _ = find_mpiexec(mpi)
    results: list[Result] = []
    algorithms: dict[tuple[str, str], dict[str, Any]] = {}
    library = file = ""
    for count in ranks:
        with ExitStack() as stack:
            measurer = stack.enter_context(library_measurer(count, mpi))
            library, file = measurer.library(), measurer.library_file()
            for collective in collectives:
                for one in measurer.algorithms(Cell(collective, count, 4)):
                    algorithms[collective, one["algorithm"]] = one
            progress = stack.enter_context(
                Progress(sum(len(cells_of(one, count)) for one in collectives))
            )
            progress.begin_figure("library", f"{library}, {ranks_and_place(count)}")

            def show(one: Result, progress: Progress = progress) -> None:
                cell = one.cell
                progress.begin_step(f"{cell.collective}, {cell.message_bytes} B: {one.winner}")

            share = budget_s / len(ranks)
            search = Search(measurer, share, random.Random(seed), show=show)
            # Here it is not to be smoothed where the winner changes: each cell is for itself.
            results += [
                one._replace(winner=winner_of(one.times, NATIVE))
                for one in search.run(collectives, count)
            ]
    if not algorithms:
        raise CommandError(
            OPERATION, f"{library} has no settings that force an algorithm", "use another MPI"
        )
    return LibraryResults(
        kind,
        library,
        file,
        results,
        {name: one["value"] for name, one in algorithms.items()},
        {name: one["library_name"] for name, one in algorithms.items()},
    )


def best_forced(result: Result) -> Candidate | None:
    """The fastest one that is not the library's own choice, or None if there is no other."""
    forced = [candidate for candidate in result.times if candidate != NATIVE]
    return min(forced, key=lambda one: result.times[one].median, default=None)


def show_library(found: LibraryResults) -> None:
    """Tables for people: for each cell the default beside the best forced algorithm."""
    for ranks in sorted({one.cell.ranks for one in found.results}):
        cells = [one for one in found.results if one.cell.ranks == ranks]
        print_table(
            f"{found.library}: its default and its best algorithm, {ranks_and_place(ranks)}",
            ("collective", "bytes", "default us", "best forced", "us", "default/best", "beaten"),
            [_table_row(one) for one in cells],
        )
    print("\n".join(_summaries(found.results)))


def _table_row(one: Result) -> tuple[object, ...]:
    best = best_forced(one)
    default = one.times[NATIVE].median
    seconds = one.times[best].median if best is not None else None
    return (
        one.cell.collective,
        one.cell.message_bytes,
        default * 1e6,
        str(best or ""),
        None if seconds is None else seconds * 1e6,
        None if seconds is None else default / seconds,
        "beaten" if one.winner != NATIVE else "",
    )


def _summaries(results: Iterable[Result]) -> list[str]:
    """A sentence for each place."""
    groups = by_place(results, lambda one: one.cell.ranks)
    return [f"With {place}, {_summary(group)}" for place, group in groups.items()]


def _summary(results: Sequence[Result]) -> str:
    gains = sorted(one.gain for one in results if one.winner != NATIVE)
    if not gains:
        return "the library's own choice is as good as any in all cells."
    return (
        f"the default is beaten, with confidence and by a margin, in {len(gains)} of"
        f" {len(results)} cells: {gains[len(gains) // 2]:.2f} times as fast in the middle,"
        f" {gains[-1]:.2f} at most."
    )
