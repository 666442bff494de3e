# examples/served_libraries.py
import sys

import numpy as np
import tasuki

server = tasuki.connect(sys.argv[1] if len(sys.argv) > 1 else "tasuki://localhost:7777")
generator = np.random.default_rng(seed=1)
A = generator.standard_normal((300, 300))
B = generator.standard_normal((300, 2))

# Factors that stay on the ranks, for equations with several right sides.
LU, pivots = server.lu.factor(A)
with server.put(LU, like=server.lu.substitute.LU) as kept:
    X = server.lu.substitute(kept, pivots, B)
print(f"lu: {np.abs(A @ X - B).max():.0e}")

U, s, Vt = server.lapack.dgesvd(A)
print(f"lapack: {np.abs(U * s @ Vt - A).max():.0e}")

keys = generator.integers(0, 2**32, 1_000_000, dtype=np.uint32)
print("radixsort:", np.array_equal(server.radixsort.sort(keys), np.sort(keys)))

# From node 0 to node 1, and on to node 2; by compressed rows, as scipy.sparse.csr_array has them.
begins, targets, weights = [0, 1, 2, 2], np.int32([1, 2]), np.uint32([5, 7])
print("sssp:", server.sssp.shortest_paths(begins, targets, weights, source=0))

x, steps, residual = server.cg.solve(
    begins=[0, 2, 4], columns=np.int32([0, 1, 0, 1]), values=[4.0, 1.0, 1.0, 3.0], b=[1.0, 2.0],
    tolerance=1e-10, most_steps=10,
)  # fmt: skip
print("cg:", x.round(6), steps)

if "scalapack" in dir(server):  # It is left out where no ScaLAPACK is.
    C = server.scalapack.pdgemm(A, B)
    print(f"scalapack: {np.abs(C - A @ B).max():.0e}")

if "numerics" in dir(server):
    rounds = server.numerics.mandelbrot(24, 60, -2.2, 1.2, 0.05, 50)
    print("numerics:", rounds.max(), "rounds at most")
