"""Halos of Arrays and of blocks in a grid of ranks, over every transport."""

import pytest
from running_ranks import PROGRAMS, expect_printed, run_ranks


@pytest.mark.parametrize(
    ("transport", "count"),
    [("shm", 1), ("shm", 2), ("shm", 4), ("ompi", 2), ("mpich", 2), ("mpich_node", 4)],
)
def test_all_halos(tasuki, transport, count):
    result = run_ranks(tasuki, PROGRAMS / "all_halos.py", count, transport)
    expect_printed(result, "all halos are right\n")


@pytest.mark.parametrize("seed", [1, 2])
def test_all_halos_with_delays(tasuki, seed):
    result = run_ranks(tasuki, PROGRAMS / "all_halos.py", 3, "loopback", seed)
    expect_printed(result, "all halos are right\n")
