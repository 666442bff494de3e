"""Calls the server of short_transfers.c by all ways: python transfer_all.py URL MODE,WIRE...

Run with the library preloaded; prints how many system calls it has shortened in this process.
"""

import ctypes
import sys

import numpy as np
import tasuki


def check(url: str, mode: str, wire: str) -> None:
    """Arrays of all layouts arrive and return; the longest has 1.4 MB."""
    server = tasuki.connect(url, mode=mode, wire=wire)
    m, n = 600, 301
    matrix = np.arange(m * n, dtype=float).reshape(m, n)
    small = (np.arange(m) % 60 - 30).astype(np.int8)
    sums = np.arange(n, dtype=np.float32) % 5
    padded = np.zeros((2 * m, n + 3))[::2, :n]
    padded[:] = matrix
    for given in (matrix, padded, np.asfortranarray(matrix)[::-1, ::-1]):
        doubled, small_doubled, fields, counts = server.layouts.deal(given, small, sums)
        np.testing.assert_array_equal(doubled, given * 2)
        np.testing.assert_array_equal(small_doubled, small * 2)
        owner = np.arange(m) // 2 % 3
        np.testing.assert_array_equal(fields, owner[None, :] + 1j * np.arange(n)[:, None])
        np.testing.assert_array_equal(counts, np.array([sums.sum(), small[0] * 2, 3], np.int16))
    with server.put(matrix, like=server.layouts.deal.A) as kept:
        np.testing.assert_array_equal(server.layouts.deal(kept, small, sums)[2], fields)
    assert server.layouts.deal.report["mode"] == mode


for mode_and_wire in sys.argv[2:]:
    check(sys.argv[1], *mode_and_wire.split(","))
print(ctypes.CDLL(None).short_transfers_count())
