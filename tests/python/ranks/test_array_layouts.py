"""Arrays of any grid and order, and over blocks of the program's, over every transport."""

import pytest
from running_ranks import PROGRAMS, REPOSITORY, expect_printed, run_ranks

TRANSPORTS = [("shm", 1), ("shm", 4), ("ompi", 2), ("mpich", 3), ("mpich_node", 2)]


@pytest.mark.parametrize("transport", ["shm", "ompi", "loopback"])
def test_the_example_prints(tasuki, transport):
    result = run_ranks(tasuki, REPOSITORY / "examples" / "blocks_of_columns.py", 2, transport)
    expect_printed(result, "grid (1, 2), first 10, last 11\n")


@pytest.mark.parametrize(("transport", "count"), [*TRANSPORTS, ("shm", 3)])
def test_random_layouts(tasuki, tmp_path, transport, count):
    program = PROGRAMS / "array_layouts.py"
    result = run_ranks(tasuki, program, count, transport, arguments=[tmp_path / "array.npy"])
    expect_printed(result, "all layouts are right\n")


@pytest.mark.parametrize("seed", [1, 2])
def test_random_layouts_with_delays(tasuki, tmp_path, seed):
    program = PROGRAMS / "array_layouts.py"
    result = run_ranks(tasuki, program, 4, "loopback", seed, [tmp_path / "array.npy"])
    expect_printed(result, "all layouts are right\n")


@pytest.mark.parametrize(("transport", "count"), TRANSPORTS)
def test_blocks_of_the_program(tasuki, transport, count):
    result = run_ranks(tasuki, PROGRAMS / "given_blocks.py", count, transport)
    expect_printed(result, "all blocks are right\n")


@pytest.mark.parametrize("seed", [1, 2])
def test_blocks_of_the_program_with_delays(tasuki, seed):
    result = run_ranks(tasuki, PROGRAMS / "given_blocks.py", 3, "loopback", seed)
    expect_printed(result, "all blocks are right\n")
