"""Sends arrays by all ways: python call_tapped.py URL CA_FILE MODE...

Each is full of the eight bytes "see me! "; run with connection_tap.c preloaded.
"""

import sys

import numpy as np
import tasuki

url, authority, *modes = sys.argv[1:]
matrix, right = np.eye(60) * 2, np.full(60, np.frombuffer(b"see me! ", np.float64)[0])
ca_file = authority if url.startswith("tasukis") else None
for mode in modes:
    solve = tasuki.connect(url, mode=mode, ca_file=ca_file).linpack.solve
    np.testing.assert_allclose(solve(matrix, right), right / 2)
    assert solve.report["mode"] == mode
