# examples/calls_in_python.py
import numpy as np
from tasuki import ranks


def mean(values):
    if len(values) == 0:
        raise ValueError("mean of nothing")
    return float(values.mean())


def main():
    if ranks.rank() != 0:
        return
    last = ranks.size() - 1
    print(f"mean {ranks.invoke(last, mean, np.array([1.0, 2.0, 3.0]))}")

    # What the function raises comes back, with the traceback of its rank.
    try:
        ranks.invoke(last, mean, np.array([]))
    except ValueError as failure:
        print(f"rank {failure.__cause__.remote_rank} says: {failure}")

    # Several at once, also with lambdas and what they capture.
    futures = [ranks.ainvoke(rank, lambda: ranks.rank() ** 2) for rank in range(ranks.size())]
    print("squares", *ranks.when_all(futures).get())

    # One-way: nobody waits; the job ends when it is done.
    ranks.post(last, print, "a call")


ranks.run(main)
