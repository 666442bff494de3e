"""`tasuki tune --library --emit tasuki`: the policy by which `tasuki run --tuned` carries out the
collectives of MPI programs as they are.

Measured as such a program has them: in a job with the library preloaded, where the MPI library's
own collectives, Tasuki's in node memory and, with `--schedules`, those by messages take turns.
"""

import sys
from collections.abc import Sequence

from tasuki.base.programs import BUILD_WITH_MPI, require_program
from tasuki.launcher.binding import cores_allowed
from tasuki.launcher.mpiexec import find_mpiexec
from tasuki.measurement.jobs import Job
from tasuki.measurement.measurer import OPERATION, JobMeasurer
from tasuki.measurement.policy_file import (
    PRELOADED,
    require_writable,
    rows_of,
    text_of,
    usual_path,
    usual_path_of_programs,
    write,
)
from tasuki.measurement.race import Result
from tasuki.output.report import envelope, print_json
from tasuki.profile.preload import preloaded_environment, tuned_settings
from tasuki.tune.best_algorithms import show_best
from tasuki.tune.rows import rows_of_race
from tasuki.tune.search import search_all
from tasuki.tune.tune_run import TuneRun


def tune_programs(
    run: TuneRun, collectives: Sequence[str], with_schedules: bool, as_json: bool
) -> None:
    require_writable(run.output or usual_path(PRELOADED))
    results: list[Result] = []
    machine = library = ""
    for ranks in run.place.ranks:
        with preloaded_measurer(ranks, run.mpi, with_schedules) as measurer:
            machine, library = measurer.machine(), measurer.library()
            results += search_all(measurer, run, collectives, ranks, library)
    results = [_with_registry_names(one) for one in results]
    path = run.output or usual_path_of_programs(library)
    write(path, text_of(rows_of(results, len(cores_allowed())), machine, PRELOADED, library))
    if as_json:
        rows = [row for one in results for row in rows_of_race(one, "tune", PRELOADED)]
        print_json(envelope("tune --library", rows, ranks=None, transport=PRELOADED))
    else:
        show_best(results, run.place.text_of)
    use = "uses it from now on" if run.output is None else f"with --policy {path} uses it"
    sys.stderr.write(
        f"tasuki: tune: {path} written; on this machine tasuki run --tuned {use} for programs with"
        f" {library}\n"
    )


def preloaded_measurer(ranks: int, mpi: str, with_schedules: bool = False) -> JobMeasurer:
    """The collectives of a program that `tasuki run --tuned` runs on that MPI.

    Its candidates are what a policy for it can name: the MPI library's own collective, what works
    in node memory and, if they are wanted, Tasuki's schedules. That of the built-in policy is the
    one in use. Ranks that share cores wait as they do by default. Raises CommandError as
    library_measurer, or if there is nothing to preload.
    """
    kind, _ = find_mpiexec(mpi)
    program = require_program(OPERATION, f"mpi_measure_{kind}", BUILD_WITH_MPI)
    environment = {
        **preloaded_environment(OPERATION),
        # By MPI_Pcontrol (tasuki/detail/mpi/collectives).
        **tuned_settings("asked", "guarded"),
    }
    job = Job(program, (), ranks, "mpi", kind, environment=environment)
    return JobMeasurer(job, needs_same_bits=True, with_schedules=with_schedules)


def _with_registry_names(one: Result) -> Result:
    """Schedules under the names that policies have for them."""
    return one._replace(
        winner=one.winner._replace(algorithm=one.winner.plain_name),
        times={
            candidate._replace(algorithm=candidate.plain_name): time
            for candidate, time in one.times.items()
        },
    )
