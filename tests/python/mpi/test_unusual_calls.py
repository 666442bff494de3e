"""Calls that few programs make end as without the library, which records what there is of them."""

from pathlib import Path

import pytest
from preloaded import Programs, compiled_programs  # noqa: F401
from tasuki.profile.event_file import EventFile, State

GIBI = 2**30


def compared(programs: Programs, case: str, folder: Path, rank_count: int) -> list[EventFile]:
    program = programs.compiled("unusual_calls")
    _, files = programs.compared([program, case], folder / "events", rank_count)
    assert [file.state for file in files] == [State.FINALIZED] * rank_count
    return files


def named(file: EventFile, name: str):
    return file.events[file.events["function"] == file.function_names.index(name)]


@pytest.mark.parametrize(
    ("case", "rank_count"),
    [
        ("wrong_arguments", 1),
        ("error_handler", 1),
        ("sides", 3),
        ("requests", 2),
        ("communicators", 2),
    ],
)
def test_a_case(programs: Programs, tmp_path: Path, case: str, rank_count: int) -> None:
    compared(programs, case, tmp_path, rank_count)


def test_more_communicators_than_a_file_has_room_for(programs: Programs, tmp_path: Path) -> None:
    (file,) = compared(programs, "many_communicators", tmp_path, 1)
    assert len(named(file, "MPI_Comm_dup")) == 17001
    assert named(file, "MPI_Allreduce")["communicator"].tolist() == [65535]


def test_many_requests(programs: Programs, tmp_path: Path) -> None:
    (file,) = compared(programs, "many_requests", tmp_path, 1)
    completed = named(file, "completed")
    assert len(completed) == 70000
    assert set(completed["request"]) == set(named(file, "MPI_Irecv")["request"])


def test_counts_of_more_than_31_bits(programs: Programs, tmp_path: Path) -> None:
    (file,) = compared(programs, "large_counts", tmp_path, 1)
    assert named(file, "MPI_Send")["sent_bytes"].tolist() == [4 * GIBI, 8 * GIBI]
    assert set(named(file, "MPI_Send_c")["sent_bytes"]) <= {5 * GIBI}
