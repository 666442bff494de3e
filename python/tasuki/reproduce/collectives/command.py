"""`tasuki reproduce collectives`."""

from pathlib import Path

from tasuki.reproduce.collectives.figures import FIGURES
from tasuki.reproduce.collectives.laboratory import Laboratory, Wishes, conditions_of
from tasuki.reproduce.command import Wanted, choose, reproduce
from tasuki.reproduce.notebook import Notebook


def reproduce_collectives(
    wanted: Wanted, only: tuple[str, ...], wishes: Wishes, resumed: Path | None
) -> int:
    """Shows the figures in `only` (all if it is empty); what is in the file `resumed` is not
    measured again, and what is measured is added to it. Returns the exit code."""
    chosen = choose("collectives", FIGURES, only)
    notebook = None if resumed is None else Notebook(resumed, conditions_of(wishes))
    return reproduce(wanted, chosen, lambda lab: Laboratory(lab, wishes), notebook)
