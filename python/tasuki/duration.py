"""Durations as users write them: 60, 60s, 2.5m, 1h."""

import re
from collections.abc import Callable

import typer

MOST_S = 1e6  # Eleven days.
UNITS_S = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600}


def at_least(least_s: float) -> Callable[[str | float], float]:
    """Reads a duration into seconds; raises typer.BadParameter for what is none, is
    shorter, or longer than MOST_S."""

    def read(text: str | float) -> float:
        found = re.fullmatch(rf"(\d+(?:\.\d*)?) ?({'|'.join(UNITS_S)})", str(text))
        if found is None:
            raise typer.BadParameter(f"{text} is no duration: as in 60, 60s, 5m or 1h")
        seconds = float(found[1]) * UNITS_S[found[2]]
        if seconds < least_s:
            raise typer.BadParameter(f"{text} is too short: {least_s:g}s at least")
        if seconds > MOST_S:
            raise typer.BadParameter(f"{text} is too long: {MOST_S:.0f}s at most")
        return seconds

    return read
