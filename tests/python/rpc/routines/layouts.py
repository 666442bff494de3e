"""The functions of layouts.idl."""

import os

import numpy as np


def deal(a, b, c, d, e):
    a *= 2
    b *= 2
    d[:] = d.layout.coordinates[1] + 1j * np.arange(d.shape[0])[:, None]
    e[:] = c.sum(), b[0] if len(b) else 0, np.prod(d.layout.grid)


def fail(n, x, rank, kind):
    if x.layout.coordinates[0] == rank:
        if kind:
            os._exit(3)
        raise ValueError(f"nothing for {n} numbers")
