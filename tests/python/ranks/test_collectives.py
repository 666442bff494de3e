"""Collectives on arrays, over every transport."""

import pytest
from running_ranks import PROGRAMS, REPOSITORY, expect_printed, run_ranks

EXAMPLE = REPOSITORY / "examples" / "sum_over_ranks.py"


@pytest.mark.parametrize("transport", ["shm", "ompi", "mpich", "mpich_node", "loopback"])
def test_the_example_adds(tasuki, transport):
    result = run_ranks(tasuki, EXAMPLE, 2, transport)
    expect_printed(result, "2 ranks: [3. 3. 3. 3.]\n")


@pytest.mark.parametrize(
    ("transport", "count"),
    [("shm", 1), ("shm", 3), ("shm", 4), ("ompi", 3), ("mpich", 2), ("mpich_node", 3)],
)
def test_all_collectives(tasuki, transport, count):
    result = run_ranks(tasuki, PROGRAMS / "all_collectives.py", count, transport)
    expect_printed(result, "all collectives are right\n")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_all_collectives_with_delays(tasuki, seed):
    result = run_ranks(tasuki, PROGRAMS / "all_collectives.py", 3, "loopback", seed)
    expect_printed(result, "all collectives are right\n")


@pytest.mark.parametrize(
    ("transport", "count"),
    [("shm", 1), ("shm", 3), ("shm", 4), ("ompi", 2), ("mpich", 2), ("mpich_node", 3)],
)
def test_all_operators(tasuki, transport, count):
    result = run_ranks(tasuki, PROGRAMS / "all_operators.py", count, transport)
    expect_printed(result, "all operators are right\n")


@pytest.mark.parametrize("seed", [1, 2])
def test_all_operators_with_delays(tasuki, seed):
    result = run_ranks(tasuki, PROGRAMS / "all_operators.py", 3, "loopback", seed)
    expect_printed(result, "all operators are right\n")
