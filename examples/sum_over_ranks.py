# examples/sum_over_ranks.py
import numpy as np
from tasuki import ranks


def main():
    data = np.full(4, 1.0 + ranks.rank())
    ranks.allreduce(data)  # in place: the sum over all ranks
    if ranks.rank() == 0:
        print(f"{ranks.size()} ranks: {data}")


ranks.run(main)
