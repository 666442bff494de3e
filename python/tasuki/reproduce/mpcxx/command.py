"""`tasuki reproduce mpcxx`."""

from tasuki.errors import usage_error
from tasuki.reproduce.command import Wanted, reproduce
from tasuki.reproduce.mpcxx.figures import FIGURES, IDS
from tasuki.reproduce.mpcxx.kernels import Kernels

DEFAULT_CLASSES = ("S", "W", "A")
CLASSES = (*DEFAULT_CLASSES, "B")


def reproduce_mpcxx(
    wanted: Wanted, classes: tuple[str, ...], only: tuple[str, ...], mpi: str
) -> int:
    """Shows the figures in `only` (all if it is empty) for `classes` (the default if empty).

    Returns the exit code."""
    only = tuple(figure_id.lower() for figure_id in only)
    for figure_id in only:
        if figure_id not in IDS:
            raise usage_error(
                "reproduce mpcxx",
                f"there is no figure or table {figure_id}",
                f"choose from: {', '.join(IDS)}",
            )
    chosen = [figure for figure in FIGURES if not only or figure.figure_id in only]
    ordered = tuple(one for one in CLASSES if one in (classes or DEFAULT_CLASSES))
    return reproduce(wanted, chosen, lambda lab: Kernels(lab, ordered, mpi))
