"""Which MPI a program has, and what else is loaded: all goes as without Tasuki, or is said."""

import subprocess
from pathlib import Path

import pytest
from preloaded import Programs, compiled_programs, library, shared_library  # noqa: F401
from tasuki.profile.event_file import event_files

TOOL = """
int PMPI_Init(int*, char***);
int MPI_Init(int* argc, char*** argv) { return PMPI_Init(argc, argv); }
"""
UNKNOWN_MPI = """
#include <stdio.h>
int MPI_Init(int* argc, char*** argv) { return puts("initialized by another MPI") < 0; }
int PMPI_Init(int* argc, char*** argv) { return MPI_Init(argc, argv); }
int MPI_Finalize(void) { return 0; }
"""
USER = """
int MPI_Init(int* argc, char*** argv);
int MPI_Finalize(void);
int main(int argc, char** argv) { return MPI_Init(&argc, &argv) || MPI_Finalize(); }
"""


@pytest.fixture(name="events")
def made_events(tmp_path) -> Path:
    folder = tmp_path / "events"
    folder.mkdir()
    return folder


def weak_functions(programs: Programs) -> list[Path]:
    shared = programs.compiled("weak_functions", "-shared", "-fPIC", "-Wl,-z,lazy")
    return [programs.compiled("run_library", "-Wl,--as-needed", "-ldl"), shared]


def test_a_weak_function_is_there_if_the_mpi_has_it(programs: Programs, tmp_path: Path) -> None:
    _, files = programs.compared(weak_functions(programs), tmp_path / "events")
    assert files[0].function_names[files[0].events[0]["function"]] == "MPI_Init"


def test_a_call_of_a_missing_function_ends_as_without(tmp_path: Path, events: Path) -> None:
    programs = Programs("openmpi", tmp_path)
    command = [*weak_functions(programs), "call"]
    alone = programs.run(command)
    under = programs.run(command, events=events)
    assert under.returncode == alone.returncode == 127
    assert under.stdout == alone.stdout
    assert "undefined symbol: MPI_Isendrecv_c" in alone.stderr
    assert "undefined symbol: MPI_Isendrecv_c is not in /" in under.stderr


def test_functions_that_a_program_looks_up(programs: Programs, events: Path) -> None:
    program = programs.compiled("looked_up", "-ldl")
    linked = programs.compiled("hello")
    listed = subprocess.run(["ldd", linked], capture_output=True, text=True, check=True).stdout
    mpi = next(line.split()[0] for line in listed.splitlines() if "libmpi" in line)
    ended = programs.run([program, mpi], rank_count=2, events=events)
    assert (ended.returncode, ended.stdout.count("initialized")) == (0, 2)
    assert ended.stderr.count("none of\n  its MPI calls were seen") == 1, ended.stderr


@pytest.mark.parametrize(
    ("is_first", "said"), [(True, "Tasuki misses the calls that it sees"), (False, "sees no calls")]
)
def test_another_tool_is_named(
    programs: Programs, tmp_path: Path, events: Path, is_first: bool, said: str
) -> None:
    tool = shared_library(tmp_path / "libtool.so", TOOL)
    preload = f"{tool}:{library()}" if is_first else f"{library()}:{tool}"
    ended = programs.run([programs.compiled("hello")], 2, events, preload)
    assert (ended.returncode, sorted(ended.stdout.split("\n"))) == (
        0,
        ["", "rank 0: 1", "rank 1: 1"],
    )
    assert ended.stderr.count("libtool.so defines MPI_Init too") == 1
    assert said in ended.stderr
    assert len(event_files(events)) == 2


def test_an_unknown_mpi_is_left_alone(tmp_path: Path, events: Path) -> None:
    mpi = shared_library(tmp_path / "libmpi.so.99", UNKNOWN_MPI, "-Wl,-soname,libmpi.so.99")
    program = tmp_path / "program"
    command = ["cc", "-xc", "-", "-xnone", mpi, f"-Wl,-rpath,{tmp_path}", "-o", program]
    subprocess.run(command, input=USER, text=True, check=True)
    environment = {"LD_PRELOAD": str(library()), "TASUKI_PROFILE_FOLDER": str(events)}
    ended = subprocess.run([program], env=environment, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (0, "initialized by another MPI\n")
    assert f"{mpi} is no MPI that Tasuki knows" in ended.stderr
    assert list(events.iterdir()) == []
