"""Long messages that are received ahead of MPI_Recv reach the program as without that."""

import os
import subprocess
from pathlib import Path

import pytest
from mpis import MPIS, Mpi
from preloaded import ALLOWED, PROGRAMS, library

SECONDS = 300


@pytest.fixture(name="program", scope="module", params=MPIS, ids=lambda mpi: mpi.name)
def compiled_program(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Mpi, Path]:
    mpi = request.param
    executable = tmp_path_factory.mktemp("bounced") / "bounced"
    subprocess.run([mpi.compiler, "-w", PROGRAMS / "bounced.c", "-o", executable], check=True)
    return mpi, executable


def run(program: tuple[Mpi, Path], way: str, **settings: str) -> subprocess.CompletedProcess[str]:
    mpi, executable = program
    environment = {**os.environ, **ALLOWED, "LD_PRELOAD": str(library()), **settings}
    return subprocess.run(
        [mpi.mpiexec, "-n", "3", executable, way],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )


@pytest.mark.parametrize("way", ["recv", "any", "irecv", "strided", "short"])
def test_the_program_gets_the_message(program: tuple[Mpi, Path], way: str) -> None:
    ended = run(program, way, TASUKI_PREDICT="always", TASUKI_PREDICT_BOUNCE="10K")
    assert (ended.stdout, ended.returncode) == ("0 wrong\n", 0), ended.stderr


def test_a_probe_that_cannot_find_it_ends_the_job(
    program: tuple[Mpi, Path], tmp_path: Path
) -> None:
    mpi, executable = program
    # What ranks print goes past the launcher: Open MPI's may crash in an abort.
    told = tmp_path / "told"
    redirected = tmp_path / "redirected"
    redirected.write_text(f'#!/bin/sh\nexec "{executable}" "$@" 2>>"{told}"\n')
    redirected.chmod(0o755)
    settings = {"TASUKI_PREDICT": "always", "TASUKI_PREDICT_BOUNCE": "10K"}
    try:
        assert run((mpi, redirected), "probe", **settings).returncode != 0
    except subprocess.TimeoutExpired:
        # Open MPI 5's mpiexec may go on waiting when it has said that a rank has aborted.
        assert mpi.name == "newest openmpi"
    assert "MPI_Probe might match a message from rank 2" in told.read_text()
    assert "without --predict-bounce" in told.read_text()


def test_a_wrong_size_is_told_and_nothing_is_received_ahead(
    program: tuple[Mpi, Path], tmp_path: Path
) -> None:
    mpi, _ = program
    hello = tmp_path / "hello"
    subprocess.run([mpi.compiler, "-w", PROGRAMS / "hello.c", "-o", hello], check=True)
    ended = run((mpi, hello), "", TASUKI_PREDICT="always", TASUKI_PREDICT_BOUNCE="much")
    assert ended.returncode == 0
    assert ended.stderr.count("TASUKI_PREDICT_BOUNCE=much is not a number") == 1
    assert "nothing is received ahead" in ended.stderr
