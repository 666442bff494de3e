"""Jobs of several programs, whose ranks call each other's functions by name."""

import sys

import pytest
from running_ranks import PROGRAMS, REPOSITORY, expect_printed, run_parts
from tasuki.base.programs import BUILD_TREE, find_program

EXAMPLES = REPOSITORY / "examples"
PARTNER = BUILD_TREE / "test-bin" / "named_partner"
ALL = ["shm", "ompi", "mpich", "mpich_node"]


@pytest.mark.parametrize("transport", ALL)
def test_the_example_prints(tasuki, transport):
    python = [sys.executable, EXAMPLES / "named_functions.py"]
    parts = [(2, [find_program("example_named_functions")]), (1, python)]
    result = run_parts(tasuki, parts, transport)
    assert (result.returncode, result.stderr) == (0, "")
    expected = (EXAMPLES / "expected" / "named_functions.txt").read_text()
    # An mpiexec may put what one rank writes into a line of another.
    assert [result.stdout.count(line) for line in expected.splitlines()] == [1] * 6
    assert len(result.stdout) == len(expected)


@pytest.mark.parametrize("transport", ALL)
def test_all_calls_by_name(tasuki, transport):
    python = [sys.executable, PROGRAMS / "all_named.py"]
    result = run_parts(tasuki, [(1, [PARTNER]), (2, python)], transport)
    expect_printed(result, "all calls by name are right\n")


@pytest.mark.parametrize("transport", ["shm", "mpich"])
def test_a_call_without_a_name_is_told(tasuki, transport):
    python = [sys.executable, "-c", "from tasuki import ranks; ranks.run(ranks.barrier)"]
    result = run_parts(tasuki, [(1, [PARTNER, "unnamed"]), (1, python)], transport)
    assert result.returncode != 0
    assert "rank 1: calling a function: it lives in another program of the job" in result.stderr
    assert "give the function a name in both programs" in result.stderr


@pytest.mark.parametrize("other", ["cpp", "python"])
def test_programs_without_names_are_refused(tasuki, other):
    """They would take their own functions for those of the others."""
    python = [sys.executable, "-c", "from tasuki import ranks; ranks.run(ranks.barrier)"]
    cpp = [find_program("example_named_functions")]
    parts = [(1, cpp if other == "cpp" else python), (1, [find_program("example_first")])]
    result = run_parts(tasuki, parts)
    assert (result.returncode, result.stdout) == (69, "")
    assert "ranks of different builds: rank 0 runs build" in result.stderr
    assert "which all have a tasuki::Named function or import tasuki.ranks" in result.stderr


@pytest.mark.parametrize(
    ("rest", "text"),
    [
        ([":", "-n"], "-n : not a number of ranks"),
        ([":", "-n", "x", "true"], "-n x: not a number of ranks"),
        ([":", "-n", "1"], "a part of the job has no program"),
        ([":", "-n", "1", "/no/program"], "program /no/program not found"),
    ],
)
def test_wrong_parts_are_told(tasuki, rest, text):
    result = tasuki("run", "-n", 1, "true", *rest)
    assert result.returncode == 2
    assert text in result.stderr


def test_a_colon_may_be_an_argument(tasuki):
    code = "import sys; from tasuki import ranks; ranks.run(lambda: print(*sys.argv[1:]))"
    result = tasuki("run", "-n", 1, sys.executable, "-c", code, "a", ":", "b")
    assert (result.returncode, result.stdout) == (0, "a : b\n")
