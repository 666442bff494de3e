"""`tasuki reproduce collectives`."""

from tasuki.reproduce.collectives.figures import FIGURES, LONG
from tasuki.reproduce.collectives.laboratory import Laboratory, Wishes, conditions_of
from tasuki.reproduce.command import Wanted, choose, reproduce


def reproduce_collectives(wanted: Wanted, only: tuple[str, ...], wishes: Wishes) -> int:
    """Shows the figures in `only` (all if it is empty). Returns the exit code."""
    chosen = choose("collectives", FIGURES, only, () if wishes.is_full else LONG)
    return reproduce(wanted, chosen, lambda lab: Laboratory(lab, wishes), conditions_of(wishes))
