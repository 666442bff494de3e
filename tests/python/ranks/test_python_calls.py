"""Calls of Python functions, over every transport."""

import pytest
from running_ranks import PROGRAMS, REPOSITORY, expect_printed, run_ranks

EXAMPLE = REPOSITORY / "examples" / "calls_in_python.py"


@pytest.mark.parametrize("transport", ["shm", "mpich", "loopback"])
def test_the_example_prints(tasuki, transport):
    result = run_ranks(tasuki, EXAMPLE, 2, transport)
    assert (result.returncode, result.stderr) == (0, "")
    expected = ["mean 2.0", "rank 1 says: mean of nothing", "squares 0 1", "a call"]
    assert sorted(result.stdout.splitlines()) == sorted(expected)


@pytest.mark.parametrize(
    ("transport", "count"),
    [("shm", 1), ("shm", 2), ("shm", 4), ("ompi", 3), ("mpich", 2), ("mpich_node", 2)],
)
def test_all_calls(tasuki, transport, count):
    result = run_ranks(tasuki, PROGRAMS / "all_calls.py", count, transport)
    expect_printed(result, "all calls are right\n")


@pytest.mark.parametrize("seed", [1, 2])
def test_all_calls_with_delays(tasuki, seed):
    result = run_ranks(tasuki, PROGRAMS / "all_calls.py", 3, "loopback", seed)
    expect_printed(result, "all calls are right\n")


def test_a_posted_function_that_raises_ends_the_job(tasuki, tmp_path):
    path = tmp_path / "program.py"
    path.write_text("""from tasuki import ranks
def fail():
    raise ValueError("bad input")
def main():
    if ranks.rank() == 0:
        ranks.post(1, fail)
    ranks.barrier()
    ranks.quiesce()
ranks.run(main)
""")
    result = run_ranks(tasuki, path, 2)
    assert result.returncode == 71
    assert "tasuki: rank 1: one-way call of fail from rank 0 threw: Traceback" in result.stderr
    assert 'raise ValueError("bad input")\nValueError: bad input\n' in result.stderr
