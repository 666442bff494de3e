# examples/spectra.py
import numpy as np


def spectrum(x, y):
    """Each rank gets all of x; the first rank's y goes to the client."""
    if len(x) == 0:
        raise ValueError("x has no elements")
    y[:] = np.fft.rfft(x)


def places(index, rank):
    """Each rank has a part of both arrays, as their layouts say."""
    index[:] = index.layout.global_indices(0)
    rank[:] = rank.layout.coordinates[0]
