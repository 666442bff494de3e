"""Calls of C that few programs receive by wait by polls, and are predicted, as others are."""

import subprocess
from pathlib import Path

import pytest
from mpis import MPIS, Mpi
from preloaded import PROGRAMS
from reported import on_cores, reports

ROUNDS = 10
KINDS = "replace replace_strided persistent persistent_exchange".split()
LARGE_KINDS = (
    "large large_waited large_matched large_exchange large_replace large_persistent"
).split()
# Those that have functions for large counts (MPI 4.0).
WITH_LARGE_COUNTS = [mpi for mpi in MPIS if "mpich" in mpi.conditions]
CASES = [(mpi, kind) for mpi in MPIS for kind in KINDS]
CASES += [(mpi, kind) for mpi in WITH_LARGE_COUNTS for kind in LARGE_KINDS]


@pytest.fixture(name="programs", scope="module")
def compiled_programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("receives_by")
    compiled = {mpi.name: folder / mpi.name.replace(" ", "_") for mpi in MPIS}
    for mpi in MPIS:
        command = [mpi.compiler, "-w", PROGRAMS / "receives_by.c", "-o", compiled[mpi.name]]
        subprocess.run(command, check=True)
    return compiled


@pytest.mark.parametrize(("mpi", "kind"), CASES, ids=[f"{mpi.name} {kind}" for mpi, kind in CASES])
def test_each_call_waits_by_polls_and_is_predicted(
    programs: dict[str, Path], tmp_path: Path, mpi: Mpi, kind: str
) -> None:
    command = [*on_cores(1), mpi.mpiexec, "-n", "2", programs[mpi.name], kind, str(ROUNDS)]
    ended, lines = reports(command, tmp_path, "always")
    assert ended.returncode == 0, ended.stderr
    assert f"{ROUNDS} received, 0 wrong" in ended.stdout
    assert [line["receives"] for line in lines] == [ROUNDS] * 2
    # How many messages are there before they are waited for is a matter of time.
    assert sum(line["predicted"] for line in lines) > 0
