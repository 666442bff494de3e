# examples/served_libraries.py
import sys

import numpy as np
import tasuki

url = sys.argv[1] if len(sys.argv) > 1 else "tasuki://localhost:7777"
server = tasuki.connect(url)
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

# The roads of a town, by compressed rows, as scipy.sparse.csr_array has them. Hand-off is how they
# reach the ranks of a server on another machine; on one machine ranks read the client's memory.
nodes, arcs = (int(one[0]) for one in server.sssp.town_size())
begins, targets, weights = server.sssp.town_graph(nodes, arcs)
shortest_paths = tasuki.connect(url, mode="hand-off").sssp.shortest_paths
distances = shortest_paths(begins, targets, weights, source=0)
is_right = np.array_equal(distances, server.sssp.town_paths(nodes, source=0))
print(f"sssp: {is_right}, by {shortest_paths.report['mode']}")

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
