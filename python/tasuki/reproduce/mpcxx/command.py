"""`tasuki reproduce mpcxx`."""

from tasuki.reproduce.command import Wanted, choose, reproduce
from tasuki.reproduce.mpcxx.figures import FIGURES
from tasuki.reproduce.mpcxx.kernels import Kernels

DEFAULT_CLASSES = ("S", "W", "A")
CLASSES = (*DEFAULT_CLASSES, "B")


def reproduce_mpcxx(
    wanted: Wanted, classes: tuple[str, ...], only: tuple[str, ...], mpi: str
) -> int:
    """Shows the figures in `only` (all if it is empty) for `classes` (the default if empty).

    Returns the exit code."""
    chosen = choose("mpcxx", FIGURES, only)
    ordered = tuple(one for one in CLASSES if one in (classes or DEFAULT_CLASSES))
    return reproduce(wanted, chosen, lambda lab: Kernels(lab, ordered, mpi))
