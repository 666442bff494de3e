"""A program of mpi4py's wheel: one module for each MPI, which declares MPI's functions weak.

`./dev test --mpi4py` runs mpi4py's own tests.
"""

import sys
from pathlib import Path

from preloaded import PROGRAMS, Programs, compiled_programs  # noqa: F401


def test_a_program_of_mpi4py(programs: Programs, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("MPI4PY_MPIABI", programs.mpi)
    # The wheel asks for MPICH by the name that MPICH's own build has.
    for found in Path("/usr/lib").glob("*/libmpich.so.12"):
        (tmp_path / "libmpi.so.12").symlink_to(found)
        monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    command = [sys.executable, PROGRAMS / "from_python.py"]
    printed, files = programs.compared(command, tmp_path / "events", rank_count=2)
    assert sum("True" in line for line in printed) == 2
    for file in files:
        names = [file.function_names[event["function"]] for event in file.events]
        assert sum(name.startswith("MPI_Iallreduce") for name in names) == 1
        assert names.count("started") == 6
