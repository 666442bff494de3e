"""C programs on each MPI: they do as without the library, and it records what they have called."""

import subprocess
from pathlib import Path

import pytest
from conftest import PROGRAMS
from mpis import MPIS, Mpi
from recorded import expected, recorded, run


def compiled(mpi: Mpi, name: str, folder: Path) -> Path:
    program = folder / name
    source = PROGRAMS / f"{name}.c"
    command = [mpi.compiler, "-w", "-pthread", source, "-o", program]
    subprocess.run(command, cwd=folder, check=True)
    return program


@pytest.mark.parametrize("mpi", MPIS, ids=lambda mpi: mpi.name)
def test_each_call_is_recorded_once(tmp_path: Path, mpi: Mpi) -> None:
    program = compiled(mpi, "mpi_calls", tmp_path)
    events = tmp_path / "events"
    events.mkdir()
    plain = run(mpi.mpiexec, [program, tmp_path / "plain"])
    assert run(mpi.mpiexec, [program, tmp_path / "watched"], events) == plain
    printed = {line.partition(" ")[0] for line in plain}
    listed = PROGRAMS / "mpi_calls.events"
    ranks = [expected(listed, rank, *mpi.conditions, *printed) for rank in range(2)]
    assert recorded(events, program) == ranks
