"""Which modules `tasuki serve --demo` has, and when it builds and starts their programs."""

import os
import shutil

import numpy as np
import pytest
from conftest import name_of
from demo_server import DemoServer, needs_server
from tasuki.base.programs import DATA
from tasuki.idl.parser import parse_file
from tasuki.rpc.programs import Launch, mpi_launcher

pytestmark = needs_server


def names_of(server: DemoServer) -> set[str]:
    return {name_of(pid) for pid in server.command.processes()}


def test_a_library_is_built_and_started_by_its_first_call() -> None:
    with DemoServer(2) as started:
        server = started.connect()
        assert "lapack" in dir(server)
        assert "lapack_routines" not in names_of(started)
        np.testing.assert_allclose(server.lapack.dgemm(2 * np.eye(2), np.eye(2)), 2 * np.eye(2))
        assert "lapack_routines" in names_of(started)


def test_modules_whose_needs_are_not_there_are_left_out(tasuki, tmp_path) -> None:
    for name in ("python3", "env"):  # No compiler is in the path.
        (tmp_path / name).symlink_to(f"/usr/bin/{name}")
    tasuki.environment["PATH"] = str(tmp_path)
    process = tasuki.start("serve", "--demo", "--port", 0)
    assert "tasuki://" in process.stdout.readline()
    process.terminate()
    _, errors = process.communicate(timeout=60)
    lines = [line for line in errors.splitlines() if "is left out" in line]
    assert any("lapack is left out: " in line and "apt install gcc" in line for line in lines)
    assert any("scalapack is left out: " in line and "libopenmpi-dev" in line for line in lines)


@pytest.mark.parametrize("file", sorted((DATA / "demo").glob("*.idl")), ids=lambda path: path.stem)
def test_every_interface_says_what_it_does(file) -> None:
    module = parse_file(file)
    assert module.name == file.stem
    assert all(len(routine.text) > 20 for _, routine in module.all_routines)


@pytest.mark.skipif(shutil.which("mpiexec") is None, reason="there is no mpiexec")
def test_ranks_of_an_mpi_divide_the_cores(monkeypatch) -> None:
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    cores = len(os.sched_getaffinity(0))
    for ranks in (1, cores, 2 * cores):
        command = mpi_launcher(Launch(ranks))
        assert f"OPENBLAS_NUM_THREADS={max(1, cores // ranks)}" in command
    assert not any("THREADS" in word for word in mpi_launcher(Launch(2, "srun")))
    monkeypatch.setenv("OMP_NUM_THREADS", "3")  # The user's word counts.
    assert not any("THREADS" in word for word in mpi_launcher(Launch(2)))
