"""Which MPI library a program loads: that of the mpiexec which starts it."""

import multiprocessing
import sys
from pathlib import Path

import pytest
from tasuki.base.errors import CommandError
from tasuki.launcher.mpi_library import library_path
from tasuki.launcher.mpiexec import run_with_mpi
from tasuki.launcher.options import Part, RunOptions


def _installation(folder, *names):
    for name in ("bin/mpiexec", *names):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    return str(folder / "bin" / "mpiexec")


def test_the_library_beside_mpiexec_comes_first(tmp_path):
    mpiexec = _installation(tmp_path, "lib/libmpi.so.40")
    assert library_path("ompi", mpiexec, {}) == f"{tmp_path}/lib"
    before = {"LD_LIBRARY_PATH": "/other"}
    assert library_path("ompi", mpiexec, before) == f"{tmp_path}/lib:/other"


def test_the_system_finds_its_own(tmp_path):
    assert library_path("ompi", _installation(tmp_path), {}) is None


def test_mpich_is_found_by_each_of_its_names(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    mpiexec = _installation(tmp_path / "mpich", "lib/libmpi.so.12", "lib/mpich/libfabric.so.1")
    for _ in range(2):  # Also when the links are there already.
        links = library_path("mpich", mpiexec, {})
        assert links is not None
        for name in ("libmpi.so.12", "libmpich.so.12"):
            assert (tmp_path / "mpich/lib/libmpi.so.12").samefile(f"{links}/{name}")
        assert (tmp_path / "mpich/lib/mpich").samefile(f"{links}/mpich")


def test_a_folder_for_links_that_cannot_be_written_is_said(tmp_path, monkeypatch):
    (tmp_path / "cache").write_text("a file where the folder would be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    mpiexec = _installation(tmp_path / "mpich", "lib/libmpi.so.12")
    with pytest.raises(CommandError, match="XDG_CACHE_HOME"):
        library_path("mpich", mpiexec, {})


def test_open_mpi_takes_the_library_to_other_nodes(tmp_path, monkeypatch):
    mpiexec = _installation(tmp_path, "lib/libmpi.so.40")
    monkeypatch.setattr("tasuki.launcher.mpiexec.find_mpiexec", lambda _: ("ompi", mpiexec))
    monkeypatch.setattr("tasuki.launcher.started_command.require_program", str)
    seen = tmp_path / "seen"
    Path(mpiexec).write_text(f'#!/bin/sh\nprintf "%s\\n" "$LD_LIBRARY_PATH" "$@" >{seen}\n')
    Path(mpiexec).chmod(0o755)
    options = RunOptions([Part(2, ["program"])], "mpi", "none", False, None, "ompi", {})
    # In a process of its own, because it takes over the signals for good.
    job = multiprocessing.get_context("fork").Process(
        target=lambda: sys.exit(run_with_mpi(options))
    )
    job.start()
    job.join()
    assert job.exitcode == 0
    library_folders, *command = seen.read_text().splitlines()
    assert library_folders.startswith(f"{tmp_path}/lib")
    exported = [command[i + 1] for i, flag in enumerate(command) if flag == "-x"]
    assert {"LD_LIBRARY_PATH", "TASUKI_TRANSPORT"} <= set(exported)
