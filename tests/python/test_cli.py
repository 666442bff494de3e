"""The command line of `tasuki`: help, errors, and where native programs are looked for."""

import pytest


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
        ["bench", "npb", "ep"],
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
def test_missing_native_program(installed, arguments):
    result = installed(*arguments)
    assert result.returncode == 1
    assert "is not part of this build. Remedy: build it with: ./dev build." in result.stderr
    assert result.stderr.count("\n") == 1
