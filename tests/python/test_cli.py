"""The command line of `tasuki`: help, errors, and where compiled programs are looked for."""

import os
import signal

import pytest
from conftest import name_of, wait_for


def test_no_arguments_show_the_help(tasuki):
    result = tasuki()
    for command in ("run", "info", "bench", "reproduce"):
        assert command in result.stdout + result.stderr


def test_version(tasuki):
    assert tasuki("--version").stdout.startswith("tasuki 0.")


@pytest.mark.parametrize(
    "arguments",
    [
        ["fly"],
        ["bench", "npb", "ft"],
        ["bench", "npb", "cg", "--class", "Z"],
        ["bench", "npb", "cg", "--transport", "pigeon"],
        ["bench", "npb", "cg", "-n"],
        ["bench", "micro", "--mpi", "lam"],
    ],
)
def test_wrong_command_lines(tasuki, arguments):
    result = tasuki(*arguments)
    assert result.returncode == 2
    assert arguments[-1] in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("arguments", [["info"], ["bench", "micro"], ["bench", "npb", "is"]])
def test_missing_compiled_program(installed, arguments):
    result = installed(*arguments)
    assert result.returncode == 1
    assert "is not part of this build. Remedy: build it with: ./dev build." in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGINT])
def test_a_command_that_is_ended_leaves_no_job_behind(installed, number):
    installed.add_program("npb_cg_tasuki", "sleep 100")
    process = installed.start("bench", "npb", "cg", start_new_session=True)
    wait_for(lambda: sum("sleep" in name_of(pid) for pid in installed.processes()) == 2)
    os.kill(process.pid, number)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == (-9 if number == signal.SIGKILL else 128 + number)
    assert "Traceback" not in stderr
    wait_for(lambda: not installed.processes())


@pytest.mark.parametrize("arguments", [["--help"], ["info"], ["info", "--json"]])
def test_a_reader_that_goes_away_is_no_reason_for_a_traceback(tasuki, arguments):
    process = tasuki.start(*arguments)
    process.stdout.close()
    assert "Traceback" not in process.stderr.read()
    assert process.wait(timeout=60) in (0, 1)


@pytest.mark.parametrize("arguments", [["--help"], ["info"], ["info", "--json"]])
def test_a_full_disk_is_said_in_one_line(tasuki, arguments):
    with open("/dev/full", "w") as full:
        process = tasuki.start(*arguments, stdout=full)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 1
    assert stderr == (
        "tasuki: writing the output: No space left on device."
        " Remedy: make room, or send it elsewhere.\n"
    )


def test_classes_and_kernels_in_either_case(installed):
    installed.add_program("npb_is_tasuki", 'echo "$*" >&2; exit 9')
    result = installed("bench", "npb", "IS", "--class", "w", "-n", "1")
    assert "--class W --exchange auto --json\n" in result.stderr
