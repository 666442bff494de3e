# examples/linear_equations.py
import sys

import numpy as np
import tasuki

server = tasuki.connect(sys.argv[1] if len(sys.argv) > 1 else "tasuki://localhost:7777")
print(server.linpack)  # the routines, their arguments and text

generator = np.random.default_rng(seed=1)
A = generator.standard_normal((1000, 1000))
b = generator.standard_normal(1000)
x = server.linpack.solve(A, b)  # each row of A goes straight to the rank that owns it
print(f"largest residual: {np.abs(A @ x - b).max():.1e}")
print(server.linpack.solve.report["mode"])  # memory on one machine, else hand-off

job = server.linpack.solve.submit(A, 2 * b)  # returns at once; the job is a Future
print(f"largest difference of twice x: {np.abs(job.result() - 2 * x).max():.1e}")

kept = server.put(A, like=server.linpack.solve.a)  # A stays on the ranks
x = server.linpack.solve(kept, b)  # only b travels
print(f"largest residual: {np.abs(A @ x - b).max():.1e}")
