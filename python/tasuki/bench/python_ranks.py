"""What the ranks of `tasuki bench python` run: collectives on arrays of NumPy by Tasuki and, in the
same processes, by mpi4py, interleaved. Rank 0 prints one object of JSON.

Tasuki begins MPI; ranks of a node use its collectives in node memory.
"""

import json
import os
import random
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tasuki import ranks

# Of one sample; shorter ones would be noise on cores that others use, too.
SAMPLE_S = 0.002
CALLS_MOST = 2000
WARM_UP_CALLS = 5
LIBRARIES = ("tasuki", "mpi4py")
Call = Callable[[], object]


def load_mpi() -> Any:
    """mpi4py's module, for the MPI library that this process has already."""
    maps = Path("/proc/self/maps").read_text()
    loaded = re.search(r"/\S*/libmpi(?:ch)?\.so\S*", maps)
    assert loaded is not None
    os.environ["MPI4PY_LIBMPI"] = loaded[0]
    import mpi4py

    mpi4py.rc.initialize = mpi4py.rc.finalize = False
    from mpi4py import MPI

    return MPI


def calls_of(mpi: Any, collective: str, count: int) -> dict[str, Call]:
    """The call of each library, on arrays of `count` float64 for each rank."""
    size, root = ranks.size(), 0
    world = mpi.COMM_WORLD
    block, all_blocks = np.zeros(count), np.zeros(count * size)
    from_all = np.zeros(count * size)
    here = ranks.rank() == root
    table: dict[str, tuple[Call, Call]] = {
        "barrier": (ranks.barrier, world.Barrier),
        "broadcast": (lambda: ranks.broadcast(block, root), lambda: world.Bcast(block, root)),
        "reduce": (
            lambda: ranks.reduce(block, from_all[:count], ranks.Sum, root),
            lambda: world.Reduce(block, from_all[:count], mpi.SUM, root),
        ),
        "allreduce": (
            lambda: ranks.allreduce(block),
            lambda: world.Allreduce(mpi.IN_PLACE, block),
        ),
        "scan": (lambda: ranks.scan(block), lambda: world.Scan(mpi.IN_PLACE, block)),
        "exscan": (lambda: ranks.exscan(block), lambda: world.Exscan(mpi.IN_PLACE, block)),
        "gather": (
            lambda: ranks.gather(block, all_blocks if here else None, root),
            lambda: world.Gather(block, all_blocks if here else None, root),
        ),
        "scatter": (
            lambda: ranks.scatter(all_blocks if here else None, block, root),
            lambda: world.Scatter(all_blocks if here else None, block, root),
        ),
        "allgather": (
            lambda: ranks.allgather(block, all_blocks),
            lambda: world.Allgather(block, all_blocks),
        ),
        "alltoall": (
            lambda: ranks.alltoall(all_blocks, from_all),
            lambda: world.Alltoall(all_blocks, from_all),
        ),
        "reduce_scatter": (
            lambda: ranks.reduce_scatter(all_blocks, block),
            lambda: world.Reduce_scatter_block(all_blocks, block),
        ),
    }
    return dict(zip(LIBRARIES, table[collective], strict=True))


def time_s(call: Call, count: int) -> float:
    """Seconds of a call, of `count` one after the other."""
    for _ in range(WARM_UP_CALLS):
        call()
    ranks.barrier()
    begin = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - begin) / count


def slowest(seconds: list[float]) -> list[float]:
    """Of each sample that of the slowest rank."""
    samples = np.array(seconds)
    ranks.allreduce(samples, op=ranks.Max)
    return [float(one) for one in samples]


def compare(
    mpi: Any, collective: str, message_bytes: int, rounds: int, order: random.Random
) -> dict[str, Any]:
    """The libraries take turns, in an order that is shuffled anew in each round."""
    calls = calls_of(mpi, collective, message_bytes // 8)
    counts = {}
    for name, call in calls.items():
        (alone_s,) = slowest([time_s(call, 10)])
        counts[name] = max(1, min(CALLS_MOST, int(SAMPLE_S / alone_s)))
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name in order.sample(LIBRARIES, len(LIBRARIES)):
            seconds[name].append(time_s(calls[name], counts[name]))
    return {
        "collective": collective,
        "message_bytes": message_bytes,
        "seconds": {name: slowest(samples) for name, samples in seconds.items()},
    }


def main() -> None:
    asked = json.loads(sys.argv[1])
    order = random.Random(asked["seed"])  # The same on all ranks.
    try:
        mpi = load_mpi()
    except ImportError as failure:  # As for Debian's MPICH, whose library has another name.
        if ranks.rank() == 0:
            print(json.dumps({"missing": str(failure), "cells": []}))
        return
    found = [compare(mpi, *cell, asked["rounds"], order) for cell in asked["cells"]]
    if ranks.rank() == 0:
        library = mpi.Get_library_version().replace("\0", "").splitlines()[0]
        print(json.dumps({"library": library, "cells": found}))


if __name__ == "__main__":
    ranks.run(main)
