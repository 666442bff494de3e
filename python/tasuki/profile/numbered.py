"""Keys as the numbers of their places among all different keys."""

import numpy as np

DENSE_RATIO = 4  # A table may have so many entries for each key; beyond that sorting is faster.


def numbered(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different keys, sorted, and for each key its place among them; keys are 0 or more.

    It is np.unique(keys, return_inverse=True), without sorting where keys are dense.
    """
    if not len(keys) or keys.max() >= DENSE_RATIO * len(keys):
        return np.unique(keys, return_inverse=True)
    used = np.flatnonzero(np.bincount(keys))
    places = np.empty(int(used[-1]) + 1, np.int64)
    places[used] = np.arange(len(used))
    return used, places[keys]
