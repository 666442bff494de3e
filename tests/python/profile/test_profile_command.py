"""`tasuki profile`: the launch, what is passed on, what is left, and what is said of failures."""

import shutil
import signal
import subprocess
import sys

import pytest
from cases import rows_named
from conftest import parse_envelope, wait_for
from profiling import COMPILER, PROGRAM, compile_library, folder_in, made_command  # noqa: F401


def test_the_report_of_a_program(profiled):
    ended = profiled.profile("job", input="some words")
    assert ended.returncode == 0
    assert "input 'some words'" in ended.stdout and ended.stdout.count("\n") == 1
    assert "Time of each rank" in ended.stderr
    folder = folder_in(ended.stdout)
    assert folder.parent == profiled.folder
    assert profiled.left_over() == []


def test_json_stands_alone_on_standard_output(profiled):
    ended = profiled.profile("job", options=("--json",))
    found = parse_envelope(ended.stdout)
    assert found["command"] == "profile" and len(rows_named(found, "rank")) == 2
    assert "written to" in ended.stderr


def test_files_are_written(profiled, tmp_path):
    report, trace, record = (tmp_path / name for name in ("a.json", "trace.json", "a.jsonl"))
    options = ("-o", report, "--trace", trace, "--record", record)
    ended = profiled.profile("job", options=options)
    assert ended.returncode == 0, ended.stderr
    assert len(rows_named(report.read_text(), "rank")) == 2
    assert '"MPI_Recv"' in trace.read_text()
    assert record.read_text().count("\n") == 3
    assert "Time of each rank" in ended.stderr


@pytest.mark.parametrize(
    ("option", "path", "said"),
    [
        ("-o", "a.txt", "the suffix says no form of the report"),
        ("-o", "/nowhere/a.json", "/nowhere is no folder that can be written"),
        ("--trace", "/nowhere/a.json", "/nowhere is no folder"),
        ("--record", "/nowhere/a.json", "/nowhere is no folder"),
    ],
)
def test_what_cannot_be_written_is_said_before_the_program_runs(profiled, option, path, said):
    ended = profiled.profile("job", options=(option, path))
    assert ended.returncode == 2 and said in ended.stderr
    assert "written to" not in ended.stdout


@pytest.mark.parametrize(("ending", "exit_code"), [("7", 7), ("0", 0)])
def test_the_exit_code_is_that_of_the_program(profiled, ending, exit_code):
    ended = profiled.profile("job", ending)
    assert ended.returncode == exit_code
    assert "Time of each rank" in ended.stderr


def test_the_library_stands_before_others_that_are_preloaded(profiled, tmp_path):
    other = tmp_path / "other.so"
    compile_library(other, "")
    profiled.environment["LD_PRELOAD"] = str(other)
    ended = profiled("profile", "sh", "-c", "echo $LD_PRELOAD")
    assert ended.stdout == f"{profiled.library}:{other}\n"
    assert "another tool" not in ended.stderr


def test_another_tool_for_mpi_programs_is_named(profiled, tmp_path):
    other = tmp_path / "other.so"
    compile_library(other, "int MPI_Init(int *c, char ***v) { return 0; }")
    profiled.environment["LD_PRELOAD"] = str(other)
    ended = profiled.profile("job")
    assert f"LD_PRELOAD also has {other}, which defines MPI_Init" in ended.stderr
    assert ended.returncode == 0


def test_a_preload_of_the_command_itself_is_named(profiled):
    ended = profiled("profile", "env", "LD_PRELOAD=", sys.executable, PROGRAM, "job")
    assert "the command gives its ranks an LD_PRELOAD of its own" in ended.stderr


def started(profiled, *arguments, **options):
    """The command with a program that waits, once it does."""
    command = (sys.executable, PROGRAM, "deadlock", "wait")
    process = profiled.start("profile", *arguments, "--", *command, **options)
    output = process.stderr if "--json" in arguments else process.stdout
    assert output.readline().startswith("written to")
    assert output.readline() == "waiting\n"
    return process


@pytest.mark.parametrize(("number", "exit_code"), [(signal.SIGTERM, 9), (signal.SIGINT, 130)])
def test_signals_reach_the_program_and_the_report_is_made(profiled, number, exit_code):
    process = started(profiled)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == exit_code
    assert "Time of each rank" in stderr
    assert profiled.left_over() == []


def test_a_program_that_goes_on_after_a_signal_goes_on(profiled):
    process = started(profiled)
    process.send_signal(signal.SIGUSR2)
    assert process.stdout.readline() == "USR2 came\n"
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 9


def test_a_program_that_is_killed(profiled):
    ended = profiled("profile", "sh", "-c", f"{sys.executable} {PROGRAM} job; kill -9 $$")
    assert ended.returncode == 128 + 9
    assert "Time of each rank" in ended.stderr
    assert profiled.left_over() == []


def test_a_signal_asks_for_the_report_so_far(profiled):
    process = started(profiled)
    process.send_signal(signal.SIGUSR1)
    lines = iter(process.stderr.readline, "")
    assert any("Time of each rank" in line for line in lines)
    deadlock = "tasuki: deadlock: rank 0 waits in MPI_Recv for rank 1, rank 1 waits"
    assert any(line.startswith(deadlock) for line in lines)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 9


def test_a_program_that_was_ended_in_mpi_tells_who_waited_for_whom(profiled):
    process = started(profiled, "--json")
    process.send_signal(signal.SIGTERM)
    stdout, _ = process.communicate(timeout=60)
    assert [row["rank"] for row in rows_named(stdout, "state")] == [0, 1]
    assert "deadlock" in rows_named(stdout, "finding")[0]["value"]


def test_a_report_that_fails_leaves_the_program_alone(profiled):
    process = started(profiled)
    (folder,) = profiled.left_over()
    (folder / "node0-1.events").write_bytes(b"TSKEVENT" + b"\xff" * 8192)
    process.send_signal(signal.SIGUSR1)
    lines = iter(process.stderr.readline, "")
    assert any("no report so far: " in line and "version" in line for line in lines)
    (folder / "node0-1.events").unlink()
    process.send_signal(signal.SIGTERM)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 9 and "Time of each rank" in stderr


def test_the_report_comes_again_and_again(profiled):
    process = started(profiled, "--every", "0.1")
    lines = iter(process.stderr.readline, "")
    for _ in range(2):
        assert any("Time of each rank" in line for line in lines)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)


def test_the_program_ends_with_the_command(profiled):
    process = started(profiled)
    process.kill()
    process.communicate(timeout=60)
    wait_for(lambda: not profiled.processes())


# ---- no events ---------------------------------------------------------------------------------


def test_no_events(profiled):
    ended = profiled.profile("nothing")
    assert ended.returncode == 1
    assert "no rank has recorded an event" in ended.stderr
    assert ended.stderr.count("tasuki:") == 1


def test_a_failure_of_the_program_is_its_own(profiled):
    ended = profiled.profile("nothing", "5")
    assert ended.returncode == 5
    assert "no rank has recorded an event" in ended.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-static",), "is linked statically, so that nothing can be preloaded into it"),
        ((), "needs no MPI library, and did not load one either"),
    ],
)
def test_causes_that_can_be_seen(profiled, tmp_path, options, said):
    program = tmp_path / "program"
    source = "int main(void) { return 0; }"
    command = [COMPILER, "-xc", "-", "-o", program, *options]
    subprocess.run(command, input=source, text=True, check=True)
    ended = profiled("profile", "env", program)
    assert ended.returncode == 1
    assert f"{program} {said}" in ended.stderr


def test_an_mpi_that_is_part_of_the_program(profiled, tmp_path):
    program = tmp_path / "program"
    source = "int MPI_Init(void) { return 0; } int main(void) { return MPI_Init(); }"
    command = [COMPILER, "-xc", "-", "-o", program]
    subprocess.run(command, input=source, text=True, check=True)
    ended = profiled("profile", program)
    assert ended.returncode == 1
    assert f"{program} has its MPI library linked into it" in ended.stderr


def test_a_program_with_the_rights_of_its_owner(profiled, tmp_path):
    program = tmp_path / "program"
    command = [COMPILER, "-xc", "-", "-o", program]
    subprocess.run(command, input="int main(void) { return 0; }", text=True, check=True)
    program.chmod(0o4755)
    ended = profiled("profile", program)
    assert ended.returncode == 1
    assert f"{program} runs with the rights of its owner" in ended.stderr


@pytest.mark.skipif(shutil.which("mpicc") is None, reason="no MPI")
def test_an_mpi_program_that_is_not_seen(profiled, tmp_path):
    """The library here does nothing, as one that does not know the MPI."""
    program = tmp_path / "program"
    source = "#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v); MPI_Finalize(); }"
    subprocess.run(["mpicc", "-xc", "-", "-o", program], input=source, text=True, check=True)
    profiled.environment["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
    profiled.environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
    ended = profiled("profile", program)
    assert ended.returncode == 1
    assert "MPI_Init with a known MPI" in ended.stderr


def test_wrong_command_lines(profiled):
    for arguments, said in (
        ((), "COMMAND"),
        (("--every", "soon", "true"), "soon is no duration"),
        (("/nowhere/program",), "/nowhere/program cannot be started: No such file or directory"),
    ):
        ended = profiled("profile", *arguments)
        assert ended.returncode == 2 and said in ended.stderr, arguments
    assert profiled.left_over() == []


def test_without_the_library(installed):
    ended = installed("profile", "true")
    assert ended.returncode == 1
    assert "libtasuki_mpi.so is not part of this build. Remedy: build it" in ended.stderr
