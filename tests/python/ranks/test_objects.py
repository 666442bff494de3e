"""Collectives on objects, over every transport."""

import pytest
from running_ranks import PROGRAMS, expect_printed, run_ranks


@pytest.mark.parametrize(
    ("transport", "count"),
    [("shm", 1), ("shm", 3), ("ompi", 3), ("mpich", 2), ("mpich_node", 3), ("loopback", 4)],
)
def test_all_objects(tasuki, transport, count):
    result = run_ranks(tasuki, PROGRAMS / "all_objects.py", count, transport)
    expect_printed(result, "all objects are right\n")
