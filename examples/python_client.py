# examples/python_client.py
import asyncio
import sys

import numpy as np
import tasuki
from tasuki.rpc.errors import ArgumentError

url = sys.argv[1] if len(sys.argv) > 1 else "tasuki://localhost:7777"
A = np.array([[2.0, 1.0], [1.0, 3.0]])
b = np.array([5.0, 10.0])
with tasuki.connect(url) as server:
    solve = server.linpack.solve

    padded = np.zeros((4, 4))
    padded[::2, ::2] = A
    x = np.empty(2)
    solve(padded[::2, ::2], b, out=x)  # no copy of A is made; the result goes to x
    print(x)

    try:
        solve(A, b[:1])
    except ArgumentError as fault:
        print(fault)

    with server.put(A, like=solve.A) as kept:  # A stays on the ranks
        print([array.shape for array in server.arrays])
        print(solve(kept, b), solve(kept, 2 * b))

    job = solve.submit(A, b)  # goes on in the background
    print(job.result(timeout=60))

    async def both() -> list[np.ndarray]:
        return await asyncio.gather(solve.submit(A, b), solve.submit(A, 3 * b))

    print(*asyncio.run(both()))
