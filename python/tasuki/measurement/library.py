"""The collectives of an MPI library: jobs that measure them, and the best of what they found."""

from collections.abc import Callable, Sequence

from tasuki.base.programs import BUILD_WITH_MPI, require_program
from tasuki.launcher.hosts import Host
from tasuki.launcher.mpiexec import find_mpiexec
from tasuki.measurement.jobs import Job
from tasuki.measurement.measurer import OPERATION, Candidate, JobMeasurer
from tasuki.measurement.race import Result

# What the library chooses by itself.
NATIVE = Candidate("native")
# Open MPI lets its algorithms be forced only in jobs that were started so.
SETTINGS = {"ompi": {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"}, "mpich": {}}


def library_measurer(
    ranks: int, mpi: str, with_schedules: bool = False, hosts: Sequence[Host] = ()
) -> JobMeasurer:
    """The algorithms of the MPI library of the mpiexec that `mpi` (ompi, mpich or auto) finds.
    `hosts` as in Job.

    Its candidates are the library's own algorithms, with the registry's names where both have the
    same, and NATIVE, which is the one in use; also Tasuki's schedules if they are wanted. Raises
    CommandError if there is no such MPI.
    """
    kind, _ = find_mpiexec(mpi)
    program = require_program(OPERATION, f"mpi_measure_{kind}", BUILD_WITH_MPI)
    job = Job(program, (), ranks, "mpi", kind, environment=SETTINGS[kind], hosts=hosts)
    return JobMeasurer(job, with_schedules=with_schedules)


def best_forced(result: Result) -> Candidate | None:
    """The library's fastest one beside its own choice, or None if there is no other."""
    return _fastest(result, lambda one: one != NATIVE and not one.is_schedule)


def best_schedule(result: Result) -> Candidate | None:
    """The fastest one of Tasuki's, or None."""
    return _fastest(result, lambda one: one.is_schedule)


def _fastest(result: Result, is_wanted: Callable[[Candidate], bool]) -> Candidate | None:
    wanted = filter(is_wanted, result.times)
    return min(wanted, key=lambda one: result.times[one].median, default=None)
