"""Policies for MPI programs as they are: `tasuki tune --library --emit tasuki` writes them, and
`tasuki run --tuned` goes by them."""

import re
import subprocess
from pathlib import Path

import pytest
from tasuki.measurement.measurer import Candidate, Cell
from tasuki.tune.preloaded import preloaded_measurer

PROGRAMS = Path(__file__).parent / "programs"
# What `tasuki tune --mpi` calls them, their compilers and mpiexecs.
MPIS = {
    "ompi": ("mpicc.openmpi", ["mpiexec.openmpi", "--oversubscribe"]),
    "mpich": ("mpicc.mpich", ["mpiexec.mpich"]),
}


class Measured:
    """An MPI, a program for it, and what policies for it have to name."""

    def __init__(self, mpi: str, folder: Path) -> None:
        compiler, self.mpiexec = MPIS[mpi]
        self.mpi = mpi
        self.program = folder / "collectives"
        source = PROGRAMS / "collectives.c"
        subprocess.run([compiler, "-w", "-O2", source, "-o", self.program], check=True)
        with preloaded_measurer(2, mpi, with_schedules=True) as measurer:
            self.machine, self.library = measurer.machine(), measurer.library()

    def policy(self, *rows: str, machine: str | None = None, library: str | None = None) -> str:
        head = [
            "tasuki policy 1",
            f"machine {machine or self.machine}",
            "transport preloaded",
            f"library {library or self.library}",
        ]
        return "\n".join([*head, *rows, "end", ""])


@pytest.fixture(name="measured", scope="module", params=MPIS)
def measured_mpi(request, tmp_path_factory: pytest.TempPathFactory) -> Measured:
    return Measured(request.param, tmp_path_factory.mktemp(request.param))


@pytest.fixture(name="run_tuned")
def run_tuned_program(tasuki, measured: Measured, tmp_path: Path):
    """Runs the program by `tasuki run --tuned` and returns what stands on standard error, each
    line with single spaces. The user's own policies are those in `tmp_path`."""
    tasuki.environment |= {
        "XDG_CONFIG_HOME": str(tmp_path),
        "COLUMNS": "150",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }

    def run_tuned(*options: str | Path) -> str:
        command = [*measured.mpiexec, "-n", "2", measured.program]
        ended = tasuki("run", "--tuned", *options, "--", *command)
        assert (ended.stdout, ended.returncode) == ("0 wrong\n", 0), ended.stderr
        return re.sub(" +", " ", ended.stderr)

    return run_tuned


def test_all_kinds_of_algorithms_are_measured_in_one_job(measured: Measured) -> None:
    with preloaded_measurer(2, measured.mpi, with_schedules=True) as measurer:
        for collective in ("allreduce", "alltoallv"):
            cell = Cell(collective, 2, 1024)
            candidates, incumbent = measurer.candidates(cell)
            assert incumbent.algorithm.startswith("staged")
            assert Candidate("native") in candidates
            assert any(one.is_schedule for one in candidates)
            for one in candidates:
                answer = measurer.check(cell, one, 1, 0)
                assert answer["right"] and answer["same_bits"], one
                assert answer["samples_ns"], (one, answer["unavailable"])


def test_what_is_measured_is_used(measured: Measured, run_tuned, tasuki, tmp_path: Path) -> None:
    policy = tmp_path / "policy"
    ended = tasuki(
        "tune", "--library", "--schedules", "--emit", "tasuki", "--mpi", measured.mpi, "-n", "2",
        "--budget", "1", "--collective", "scan", "--collective", "barrier", "--output", policy,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    text = policy.read_text()
    assert text.startswith(measured.policy().removesuffix("end\n"))
    (barrier,) = re.findall(r"^barrier \d+ any (\w+)", text, re.MULTILINE)
    assert re.search(rf"^ barrier {barrier}\b", run_tuned("--policy", policy), re.MULTILINE)


def test_each_row_is_followed(measured: Measured, run_tuned, tmp_path: Path) -> None:
    policy = tmp_path / "policy"
    rows = (
        "allreduce 2 any recursive_doubling - by messages",
        "barrier any any native - as the library does",
        "gatherv any any native - as the library does",
        "broadcast any any single_copy - in memory",
    )
    policy.write_text(measured.policy(*rows))
    table = run_tuned("--policy", policy)
    for row in (
        "allreduce recursive_doubling messages",
        "barrier native the policy says so",
        "gatherv native the policy says so",
        "broadcast single_copy node memory",
        "scan staged node memory",  # Of which the policy says nothing.
    ):
        assert f" {row} " in table


def test_a_policy_of_another_library_is_refused(
    measured: Measured, run_tuned, tmp_path: Path
) -> None:
    policy = tmp_path / "policy"
    policy.write_text(measured.policy(library="Some MPI 1.0"))
    told = run_tuned("--policy", policy)
    assert "the program runs on without tuned collectives" in told
    assert f"another MPI library: 'Some MPI 1.0', this is '{measured.library}'" in told


def test_the_user_s_own_policy_is_found(
    measured: Measured, run_tuned, tasuki, tmp_path: Path
) -> None:
    ended = tasuki(
        "tune", "--library", "--emit", "tasuki", "--mpi", measured.mpi, "-n", "2",
        "--budget", "1", "--collective", "barrier",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    (written,) = (tmp_path / "tasuki").iterdir()
    assert f"{written} written" in ended.stderr
    written.write_text(measured.policy("barrier any any native - as the library does"))
    assert " barrier native the policy says so " in run_tuned()
    assert " barrier flag_exchange " in run_tuned("--policy", "default")
    written.write_text(measured.policy(machine="another"))
    told = run_tuned()
    assert "the built-in policy is used" in told and "'another'" in told
    assert " barrier flag_exchange " in told
