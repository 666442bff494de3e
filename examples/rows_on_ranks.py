# examples/rows_on_ranks.py
import numpy as np
from tasuki import ranks


def main():
    # Four rows in blocks on the ranks; collective.
    array = ranks.Array(4, np.int64)
    array.local[:] = ranks.rank()  # this rank's rows, in place
    ranks.barrier()

    # Any rank reads and writes any row; the rank that has it does nothing for that.
    rows = array[:]
    counts = ranks.Array(1, np.int64)
    counts.fetch_add(0, 1)
    ranks.barrier()
    if ranks.rank() == 0:
        print("rows of", *rows, end=f", counted {counts[0]}\n")

    # A queue of one rank, which others write to.
    ready = ranks.Sync()
    if ranks.rank() == 0:
        ranks.post(ranks.size() - 1, lambda: ready.write((ranks.rank(), 1)))
        rank, count = ready.read()
        print(f"ready: {count} rows from rank {rank}")
    ranks.barrier()


ranks.run(main)
