"""Fortran programs in the three bindings wait by polls and are predicted, as programs in C are."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conftest import PROGRAMS
from preloaded import ALLOWED
from reported import on_cores, reports

ROUNDS = 10
WAITING = (
    "recv ignored absolute probe mprobe wait waitall waitall_ignored waitany waitsome sendrecv"
    " persistent"
).split()
OTHERS = "test errors nothing".split()
# What is not one message a round.
RECEIVES = {"persistent": 2 * ROUNDS, "errors": 3 * ROUNDS, "nothing": 0}


class Compiled(NamedTuple):
    mpi: str
    program: Path


@pytest.fixture(
    name="compiled",
    scope="module",
    params=[(m, b) for m in ("openmpi", "mpich") for b in ("MPIF_H", "USE_MPI", "USE_MPI_F08")],
    ids="-".join,
)
def compiled_program(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Compiled:
    mpi, binding = request.param
    program = tmp_path_factory.mktemp("receives") / "fortran_receives"
    source = PROGRAMS / "fortran_receives.F90"
    # mpif.h and MPICH's module mpi declare no buffers: each call looks like one with wrong types.
    options = ["-fallow-argument-mismatch", "-w", f"-D{binding}"]
    subprocess.run([f"mpif90.{mpi}", *options, source, "-o", program], check=True)
    return Compiled(mpi, program)


def launch(compiled: Compiled, kind: str, ranks: int = 2, cores: int = 1) -> list[Path | str]:
    mpiexec = f"mpiexec.{compiled.mpi}"
    return [*on_cores(cores), mpiexec, "-n", str(ranks), compiled.program, kind, str(ROUNDS)]


def predicted(
    command: list[Path | str], folder: Path, mode: str = "always"
) -> tuple[str, list[dict[str, Any]]]:
    """Returns what the program prints, and what each rank reports."""
    # Else Open MPI yields where ranks share cores, and guarded leaves the waits to it.
    ended, lines = reports(command, folder, mode, OMPI_MCA_mpi_yield_when_idle="0")
    assert ended.returncode == 0, ended.stderr
    return ended.stdout, lines


def rank_0(lines: list[dict[str, Any]]) -> dict[str, Any]:
    return next(line for line in lines if line["rank"] == 0)


@pytest.mark.parametrize("kind", WAITING)
def test_each_call_waits_by_polls_and_is_predicted(
    compiled: Compiled, tmp_path: Path, kind: str
) -> None:
    printed, lines = predicted(launch(compiled, kind), tmp_path)
    receives = RECEIVES.get(kind, ROUNDS)
    assert f"{receives} received, 0 wrong" in printed
    for line in lines:
        assert line["receives"] == receives
        assert line["waits"]["count"] >= receives
    # Rank 0 has to wait for each message: the others' may be there before. In `persistent` both
    # ranks send before they wait, and the first to do so waits.
    waiting = lines if kind == "persistent" else [rank_0(lines)]
    assert any(line["predicted"] > 0 for line in waiting)


@pytest.mark.parametrize("kind", OTHERS)
def test_results_are_right(compiled: Compiled, tmp_path: Path, kind: str) -> None:
    printed, lines = predicted(launch(compiled, kind), tmp_path)
    receives = RECEIVES.get(kind, ROUNDS)
    assert f"{receives} received, 0 wrong" in printed
    assert {line["receives"] for line in lines} == {receives}


def without_shift(printed: str) -> str:
    """MPICH's Fortran counts MPI_UNDEFINED, too, from one: which binding does depends on the
    version."""
    index, undefined = r"(-\d+)", r"(-\d+)"

    def unshifted(line: re.Match[str]) -> str:
        found, wanted = int(line[1]), int(line[2])
        return f"nothing {found if abs(found - wanted) > 1 else wanted} {wanted}"

    return re.sub(rf"^nothing +{index} +{undefined}$", unshifted, printed, flags=re.MULTILINE)


@pytest.mark.parametrize("kind", ["waitany", "waitsome", "nothing"])
def test_indices_are_those_of_the_library(compiled: Compiled, tmp_path: Path, kind: str) -> None:
    printed, _ = predicted(launch(compiled, kind), tmp_path)
    environment = {**os.environ, **ALLOWED}
    alone = subprocess.check_output(launch(compiled, kind), env=environment, text=True)
    assert without_shift(printed) == without_shift(alone)


@pytest.mark.parametrize("kind", ["recv", "waitall", "sendrecv"])
def test_ranks_that_share_cores_wait_by_polls(
    compiled: Compiled, tmp_path: Path, kind: str
) -> None:
    command = launch(compiled, kind, ranks=4, cores=2)
    printed, lines = predicted(command, tmp_path, "guarded")
    assert f"{ROUNDS} received, 0 wrong" in printed
    # Open MPI 5 yields where ranks share cores, whatever it is told: the waits are left to it.
    if compiled.mpi == "mpich":
        assert sum(line["idle"] for line in lines) > 0
