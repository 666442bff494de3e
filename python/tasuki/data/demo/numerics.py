"""The functions of numerics.idl: what each rank does with its blocks."""

import numpy as np


def mandelbrot(rounds, left, top, step, most_rounds):
    """Each rank fills its rows of `rounds`, and needs to know no other."""
    rows = rounds.layout.global_indices(0)
    columns = rounds.layout.global_indices(1)
    points = left + step * columns + 1j * (top - step * rows[:, np.newaxis])
    values = np.zeros_like(points)
    rounds[:] = 0
    for _ in range(most_rounds):
        inside = np.abs(values) <= 2
        rounds += inside
        values[inside] = values[inside] ** 2 + points[inside]


def histogram(x, lowest, highest, counts):
    """Each rank counts its part of `x`; the sums go to the first, whose `counts` are returned."""
    mine, _ = np.histogram(x, len(counts), (lowest, highest))
    counts[:] = mine
    if x.layout.grid[0] > 1:
        communicator().Reduce(mine, counts)


def communicator():
    """Of all ranks. Raises RuntimeError if there is no mpi4py."""
    try:
        from mpi4py import MPI
    except ImportError:
        raise RuntimeError("several ranks need mpi4py: pip install mpi4py") from None
    return MPI.COMM_WORLD
