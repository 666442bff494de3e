"""`tasuki tune --library`: that the algorithms of MPI libraries are listed, forced and raced."""

import re

import pytest
from conftest import parse_envelope
from tasuki.base.programs import find_program
from tasuki.launcher.binding import cores_allowed
from tasuki.launcher.mpiexec import mpiexec_of
from tasuki.measurement.collectives import COLLECTIVES
from tasuki.measurement.library import NATIVE, best_forced, best_schedule, library_measurer
from tasuki.measurement.measurer import Candidate, Cell
from tasuki.measurement.race import Result, Time
from tasuki.tune import command, library
from tasuki.tune.tune_place import TunePlace
from tasuki.tune.tune_run import TuneRun

MPIS = [
    pytest.param(
        kind,
        marks=pytest.mark.skipif(
            mpiexec_of(kind) is None or find_program(f"mpi_measure_{kind}") is None,
            reason=f"no {kind} here",
        ),
    )
    for kind in ("ompi", "mpich")
]
# Algorithms that add in different orders, so that the bits of a sum of fractions tell them apart.
TELLING = {
    "ompi": (Cell("allreduce", 4, 1024), ("linear", "recursive_doubling", "ring")),
    "mpich": (Cell("reduce_scatter_block", 4, 64), ("pairwise", "recursive_doubling")),
}


@pytest.mark.parametrize("kind", MPIS)
def test_forced_algorithms_are_obeyed(kind):
    cell, names = TELLING[kind]
    with library_measurer(cell.ranks, kind) as measurer:
        before = measurer.check(cell, NATIVE, 1, 0)
        bits = {name: measurer.check(cell, Candidate(name), 1, 0)["bits"] for name in names}
        after = measurer.check(cell, NATIVE, 1, 0)
    assert len(set(bits.values())) == len(names)
    assert before["bits"] == after["bits"], "a forced algorithm stayed in force"


@pytest.mark.parametrize("kind", MPIS)
def test_algorithms_are_asked_of_the_library(kind):
    with library_measurer(2, kind) as measurer:
        candidates, incumbent = measurer.candidates(Cell("allreduce", 2, 1024))
        assert incumbent == NATIVE
        assert NATIVE in candidates
        assert Candidate("recursive_doubling") in candidates
        assert measurer.library().startswith({"ompi": "Open MPI ", "mpich": "MPICH "}[kind])
        for one in measurer.algorithms(Cell("broadcast", 2, 64)):
            assert one["algorithm"].isidentifier()


@pytest.mark.parametrize("kind", MPIS)
def test_schedules_run_in_its_programs(kind):
    """All that there are, checked as the library's own are."""
    with library_measurer(2, kind, with_schedules=True) as measurer:
        for collective in COLLECTIVES:
            cell = Cell(collective, 2, 0 if collective == "barrier" else 1024)
            own = [one for one in measurer.candidates(cell)[0] if one.is_schedule]
            assert own, collective
            for one in own:
                checked = measurer.check(cell, one, 1, 0)
                assert checked["right"] and checked["same_bits"], one


@pytest.mark.parametrize("kind", MPIS[:1])
def test_schedules_add_in_their_own_order(kind):
    cell = Cell("allreduce", 4, 1024)
    with library_measurer(cell.ranks, kind, with_schedules=True) as measurer:
        names = ("schedule:linear", "schedule:recursive_doubling", "schedule:ring")
        bits = {name: measurer.check(cell, Candidate(name), 1, 0)["bits"] for name in names}
    assert len(set(bits.values())) == len(names)


@pytest.mark.parametrize("kind", MPIS[:1])
def test_schedules_are_there_if_wanted_only(kind):
    with library_measurer(2, kind) as measurer:
        cell = Cell("allreduce", 2, 1024)
        assert not any(one.is_schedule for one in measurer.candidates(cell)[0])
        assert all(one["value"] for one in measurer.algorithms(cell))


@pytest.mark.parametrize("kind", MPIS[:1])
def test_what_would_fall_back_is_no_candidate(kind):
    with library_measurer(3, kind) as measurer:
        found = {
            one["algorithm"]: one["unavailable"]
            for one in measurer.algorithms(Cell("allgather", 3, 64))
        }
    assert found["ring"] == ""
    assert "power of two" in found["recursive_doubling"]
    assert "not two" in found["two_proc"]


@pytest.mark.parametrize("kind", MPIS)
def test_the_default_stands_beside_the_others(tasuki, kind):
    ended = tasuki(
        "tune", "--library", "--mpi", kind, "-n", "2", "--budget", "1",
        "--collective", "allreduce", "--json",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    rows = parse_envelope(ended.stdout)["results"]
    assert {row["algorithm"] for row in rows} >= {"native", "recursive_doubling"}
    for row in rows:
        assert row["name"] == "library_allreduce"
        assert row["implementation"] == "mpi"
        assert row["mpi"] == kind
        assert row["library"]
        assert row["baseline"] == "native"
        assert row["seconds"] > 0


@pytest.mark.parametrize("kind", MPIS)
def test_the_library_of_a_job_on_hosts_is_measured(tasuki, kind):
    command = ["tune", "--library", "--mpi", kind, "--hosts", "localhost:2", "--budget", "1"]
    ended = tasuki(*command, "--collective", "barrier", "--json")
    assert ended.returncode == 0, ended.stderr
    rows = parse_envelope(ended.stdout)["results"]
    assert {(row["ranks"], row["hosts"], row["baseline"]) for row in rows} == {(2, 1, "native")}


@pytest.mark.parametrize("kind", MPIS[:1])
def test_schedules_stand_beside_the_default(tasuki, kind):
    command = ("tune", "--library", "--schedules", "--mpi", kind, "-n", "2", "--budget", "1")
    ended = tasuki(*command, "--collective", "barrier", "--json")
    assert ended.returncode == 0, ended.stderr
    rows = parse_envelope(ended.stdout)["results"]
    found = {(row["implementation"], row["algorithm"]) for row in rows}
    assert found >= {("mpi", "native"), ("mpi", "linear"), ("tasuki", "dissemination")}
    ended = tasuki(*command, "--collective", "barrier")
    assert re.search(r"Tasuki's +best|Tasuki's\b.*\n.*\bbest\b", ended.stdout)


@pytest.mark.parametrize("other", [(), ("--library", "--emit", "ompi-classic", "--output", "x")])
def test_schedules_where_they_do_nothing_are_refused(tasuki, other):
    ended = tasuki("tune", "--schedules", *other)
    assert ended.returncode == 2
    assert "--schedules and" in ended.stderr


def test_an_mpi_that_is_not_there_is_an_error(tasuki, tmp_path):
    tasuki.environment["PATH"] = str(tmp_path)
    ended = tasuki("tune", "--library", "--mpi", "mpich", "-n", "2")
    assert ended.returncode == 2
    assert "no mpiexec of MPICH" in ended.stderr


def test_the_best_forced_one_is_not_the_default():
    def lasting(seconds):
        return Time(seconds, seconds, seconds, 5)

    times = {NATIVE: lasting(1), Candidate("ring"): lasting(3), Candidate("linear"): lasting(2)}
    cell = Cell("allreduce", 2, 4)
    times[Candidate("schedule:ring")] = lasting(0.5)
    assert best_forced(Result(cell, NATIVE, NATIVE, times)) == Candidate("linear")
    assert best_schedule(Result(cell, NATIVE, NATIVE, times)) == Candidate("schedule:ring")
    assert best_forced(Result(cell, NATIVE, NATIVE, {NATIVE: lasting(1)})) is None


def test_gains_of_ranks_that_share_cores_stay_apart():
    cores = len(cores_allowed())
    winner = Candidate("ring")

    def found(ranks, seconds):
        times = {NATIVE: Time(1.0, 1.0, 1.0, 9), winner: Time(seconds, seconds, seconds, 9)}
        return Result(Cell("allreduce", ranks, 4), winner, NATIVE, times)

    results = [found(cores, 0.5), found(cores + 1, 0.1)]
    run = TuneRun(TunePlace((cores, cores + 1), "shm"), "", ("allreduce",), 60.0, None, 1)
    for said in (library._summaries(results, run.place), command._summaries(results, run)):
        own, shared = said
        assert own.startswith("With a core for each rank, ") and "2.00 times as fast" in own
        assert shared.startswith("Where ranks take turns on ") and "10.00 times as fast" in shared
