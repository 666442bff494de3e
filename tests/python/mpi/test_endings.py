"""Programs that end in unusual ways, or where something is short, do as without the library."""

import re
from pathlib import Path

import pytest
from preloaded import FOLDER, Programs, compiled_programs  # noqa: F401
from tasuki.profile.event_file import EventFile, State, event_files

SENT = "MPI_Send"


def calls_of(file: EventFile, name: str) -> int:
    return int((file.events["function"] == file.function_names.index(name)).sum())


def ended_alike(programs: Programs, way: str, events: Path) -> tuple[str, list[EventFile]]:
    """What the program says on standard error, and what is recorded of it."""
    command = [programs.compiled("endings"), way]
    alone = programs.run(command)
    events.mkdir()
    under = programs.run(command, events=events)
    said = [re.sub(r"PID \d+", "PID", one.stdout) for one in (alone, under)]
    assert (under.returncode, said[1]) == (alone.returncode, said[0]), under.stderr
    assert "tasuki:" not in under.stderr
    # What MPI complains of is the program's call, and no other.
    named = [re.findall(r"MPI_\w+(?=\(\))", one.stderr) for one in (alone, under)]
    assert named[0] == named[1]
    return under.stderr, [EventFile(path) for path in events.glob("*.events")]


@pytest.mark.parametrize(
    ("way", "state"),
    [
        ("MPI_Abort", State.ABORTED),
        ("abort", State.RUNNING),
        ("exit", State.RUNNING),
        ("_exit", State.RUNNING),
        ("SIGSEGV", State.RUNNING),
        ("SIGTERM", State.RUNNING),
        ("handler", State.ABORTED),
        ("abort_before_init", State.ABORTED),
        ("send_before_init", State.BEFORE_INIT),
        ("send_after_finalize", State.FINALIZED),
        ("usual", State.FINALIZED),
    ],
)
def test_an_ending(programs: Programs, tmp_path: Path, way: str, state: State) -> None:
    _, (file,) = ended_alike(programs, way, tmp_path / "events")
    assert file.state == state
    sent = {"handler": 2, "abort_before_init": 0, "send_before_init": 0}.get(way, 1)
    assert calls_of(file, SENT) == sent
    assert file.header["abort_code"] == {"MPI_Abort": 3, "abort_before_init": 3, "handler": 5}.get(
        way, 0
    )


def test_a_program_that_does_not_come_to_mpi(programs: Programs, tmp_path: Path) -> None:
    _, files = ended_alike(programs, "exit_before_init", tmp_path / "events")
    assert files == []


def test_children_record_nothing(programs: Programs, tmp_path: Path) -> None:
    _, (file,) = ended_alike(programs, "children", tmp_path / "events")
    assert file.state == State.FINALIZED
    assert calls_of(file, SENT) == 1


def test_a_folder_that_is_not_there(programs: Programs, tmp_path: Path) -> None:
    nowhere = str(tmp_path / "nowhere")
    program = programs.compiled("endings")
    ended = programs.run([program, "usual"], events=tmp_path, **{FOLDER: nowhere})
    assert ended.returncode == 0
    assert "after: finalized 1" in ended.stdout
    assert f"recording calls: {nowhere}/" in ended.stderr
    assert ended.stderr.count("The program runs on without a profile.") == 1


def test_a_closed_standard_error(programs: Programs, tmp_path: Path) -> None:
    program = programs.compiled("endings")
    command = ["sh", "-c", 'exec 2>&-; exec "$@"', "sh", program, "usual"]
    ended = programs.run(command, events=tmp_path, **{FOLDER: str(tmp_path / "nowhere")})
    assert (ended.returncode, "after: finalized 1" in ended.stdout) == (0, True)


def test_a_limit_of_the_size_of_files(programs: Programs, tmp_path: Path) -> None:
    events = tmp_path / "events"
    events.mkdir()
    # In blocks of 512 bytes: MPICH needs files of some MiB itself.
    command = ["sh", "-c", 'ulimit -f 262144; exec "$@"', "sh", programs.compiled("endings")]
    ended = programs.run([*command, "many_calls"], events=events)
    assert (ended.returncode, ended.stderr) == (0, "")
    (file,) = event_files(events)
    assert file.path.stat().st_size <= 262144 * 512
    assert calls_of(file, SENT) + file.missing_count >= 50000


@pytest.mark.takes_root
def test_a_file_system_that_becomes_full(programs: Programs, tmp_path: Path) -> None:
    """It is mounted for the program alone; the events are copied out of it."""
    events, copied = tmp_path / "events", tmp_path / "copied"
    events.mkdir()
    copied.mkdir()
    script = (
        f'mount -t tmpfs -o size=1M tasuki {events} && {FOLDER}={events} "$@";'
        f" result=$?; LD_PRELOAD= cp {events}/* {copied}; exit $result"
    )
    command = ["unshare", "--mount", "sh", "-c", script, "sh", programs.compiled("endings")]
    ended = programs.run([*command, "many_calls"], events=events)
    assert (ended.returncode, "after: finalized 1" in ended.stdout) == (0, True), ended.stderr
    assert ended.stderr.count("no room for more events") == 1
    (file,) = event_files(copied)
    recorded = calls_of(file, SENT)
    assert 4096 <= recorded < 16384
    row = file.functions[file.function_names.index(SENT)]
    assert recorded + int(row["calls"]) == 50001
