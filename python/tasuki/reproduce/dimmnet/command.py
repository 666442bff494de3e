"""`tasuki reproduce dimmnet`."""

from tasuki.reproduce.command import Wanted, choose, reproduce
from tasuki.reproduce.dimmnet.applications import Applications, Wishes, conditions_of
from tasuki.reproduce.dimmnet.figures import FIGURES


def reproduce_dimmnet(wanted: Wanted, only: tuple[str, ...], wishes: Wishes) -> int:
    """Shows the figures in `only` (all if it is empty). Returns the exit code."""
    chosen = choose("dimmnet", FIGURES, only)
    return reproduce(wanted, chosen, lambda lab: Applications(lab, wishes), conditions_of(wishes))
