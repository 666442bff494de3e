"""Arrays on ranks and queues, over every transport."""

import pytest
from running_ranks import PROGRAMS, REPOSITORY, expect_printed, run_ranks

EXAMPLE = REPOSITORY / "examples" / "rows_on_ranks.py"


@pytest.mark.parametrize("transport", ["shm", "ompi", "loopback"])
def test_the_example_prints(tasuki, transport):
    result = run_ranks(tasuki, EXAMPLE, 2, transport)
    expect_printed(result, "rows of 0 0 1 1, counted 2\nready: 1 rows from rank 1\n")


@pytest.mark.parametrize(
    ("transport", "count"),
    [("shm", 1), ("shm", 3), ("ompi", 2), ("mpich", 3), ("mpich_node", 2)],
)
def test_memory_and_queues(tasuki, transport, count):
    result = run_ranks(tasuki, PROGRAMS / "memory_and_queues.py", count, transport)
    expect_printed(result, "memory and queues are right\n")


@pytest.mark.parametrize("seed", [1, 2])
def test_memory_and_queues_with_delays(tasuki, seed):
    result = run_ranks(tasuki, PROGRAMS / "memory_and_queues.py", 3, "loopback", seed)
    expect_printed(result, "memory and queues are right\n")


@pytest.mark.parametrize(
    ("transport", "count"),
    [("shm", 1), ("shm", 3), ("shm", 4), ("ompi", 2), ("mpich", 2), ("mpich_node", 3)],
)
def test_distributed_arrays(tasuki, tmp_path, transport, count):
    program = PROGRAMS / "distributed_arrays.py"
    result = run_ranks(tasuki, program, count, transport, arguments=[tmp_path / "array.npy"])
    expect_printed(result, "all distributions are right\n")


@pytest.mark.parametrize("seed", [1, 2])
def test_distributed_arrays_with_delays(tasuki, tmp_path, seed):
    program = PROGRAMS / "distributed_arrays.py"
    result = run_ranks(tasuki, program, 3, "loopback", seed, [tmp_path / "array.npy"])
    expect_printed(result, "all distributions are right\n")
