# examples/blocks_of_columns.py
import numpy as np
from tasuki import ranks


def main():
    # Each rank has three columns of its own, in the order of Fortran.
    mine = np.full((4, 3), float(ranks.rank()), order="F")
    columns = [ranks.Whole(), ranks.Block()]
    table = ranks.Array.of_block(mine, (4, 3 * ranks.size()), columns, order="F")

    # The same elements block-cyclic on a grid of ranks, as ScaLAPACK divides a matrix.
    both = [ranks.BlockCyclic(2), ranks.BlockCyclic(2)]
    matrix = ranks.Array(table.shape, table.dtype, both, grid=(1, 0), order="F")
    matrix.assign(table)
    matrix.local[:] += 10
    table.assign(matrix)  # into `mine`

    ranks.barrier()
    if ranks.rank() == 0:
        print(f"grid {matrix.grid}, first {mine[0, 0]:.0f}, last {table[3, -1]:.0f}")


ranks.run(main)
