"""Fortran programs in the three bindings, on each MPI: each call is recorded once, and as it was.

Open MPI's symbols of Fortran call PMPI, those of MPICH's mpif.h call MPI, its mpi_f08 in part
neither.
"""

import subprocess
from pathlib import Path

import pytest
from conftest import PROGRAMS
from recorded import expected, recorded, run

BINDINGS = ("MPIF_H", "USE_MPI", "USE_MPI_F08")


def compiled(mpi: str, folder: Path, *options: str) -> Path:
    program = folder / "fortran_calls"
    source = PROGRAMS / "fortran_calls.F90"
    # mpif.h and MPICH's module mpi declare no buffers: each call looks like one with wrong types.
    command = [f"mpif90.{mpi}", "-fallow-argument-mismatch", "-w", *options, source, "-o", program]
    subprocess.run(command, cwd=folder, check=True)
    return program


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
@pytest.mark.parametrize("binding", BINDINGS)
def test_each_call_is_recorded_once(tmp_path: Path, mpi: str, binding: str) -> None:
    has_large_counts = mpi == "mpich" and binding == "USE_MPI_F08"
    options = [f"-D{binding}", *(["-DLARGE_COUNTS"] if has_large_counts else [])]
    program = compiled(mpi, tmp_path, *options)
    events = tmp_path / "events"
    events.mkdir()
    mpiexec = f"mpiexec.{mpi}"
    assert run(mpiexec, [program]) == run(mpiexec, [program], events)
    listed = PROGRAMS / "fortran_calls.events"
    met = ["large"] if has_large_counts else []
    assert recorded(events, program) == [expected(listed, rank, *met) for rank in range(2)]
