"""Threads, spawned processes and sessions do as without the library, and are recorded."""

from pathlib import Path

import numpy as np
import pytest
from preloaded import FOLDER, Programs, compiled_programs, library  # noqa: F401
from tasuki.profile.event_file import EventFile, State


def test_threads_that_call_at_once(programs: Programs, tmp_path: Path) -> None:
    program = programs.compiled("threads", "-pthread")
    _, (file,) = programs.compared([program], tmp_path / "events")
    names = np.array(file.function_names)[file.events["function"]]
    assert file.missing_count == 0
    assert (names == "MPI_Irecv").sum() == 2000
    received = file.events[(names == "completed") & (file.events["source"] == 0)]
    assert len(received) == 2000
    assert set(received["request"]) == set(file.events[names == "MPI_Irecv"]["request"])
    assert set(received["received_tag"]) == {1, 2, 3, 4}


@pytest.mark.takes_open_mpi_4
def test_spawned_processes(tmp_path: Path) -> None:
    """Debian's MPICH cannot spawn, and the Open MPI 5.0.7 of Debian 13 hangs in it on one host with
    or without a preloaded library."""
    programs = Programs("openmpi", tmp_path)
    # The children have the environment of the launcher.
    settings = {"LD_PRELOAD": str(library()), FOLDER: str(tmp_path)}
    ended = programs.run([programs.compiled("worlds")], **settings)
    assert (ended.returncode, ended.stdout) == (0, "children: 0 1\n"), ended.stderr
    files = [EventFile(path) for path in tmp_path.glob("*.events")]
    assert sorted((file.rank, int(file.header["rank_count"])) for file in files) == [
        (0, 1),
        (0, 2),
        (1, 2),
    ]
    assert {file.state for file in files} == {State.FINALIZED}


def test_sessions_alone(programs: Programs, tmp_path: Path) -> None:
    command = [programs.compiled("worlds"), "sessions"]
    printed, files = programs.compared(command, tmp_path / "events", rank_count=2)
    # An MPI before version 4 has none.
    assert len(files) == len(printed)
    assert sorted(file.rank for file in files) == list(range(len(files)))


def test_duplicates_that_do_not_block_have_keys_of_their_own(
    programs: Programs, tmp_path: Path
) -> None:
    _, files = programs.compared([programs.compiled("duplicates")], tmp_path / "events", 2)
    keys = []
    for file in files:
        barriers = file.events[file.events["function"] == file.function_names.index("MPI_Barrier")]
        keys.append([file.communicators[one].key for one in barriers["communicator"]])
    assert keys[0] == keys[1]
    assert len(set(keys[0])) == 3
