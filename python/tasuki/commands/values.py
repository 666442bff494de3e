"""The values of options as users write them: durations (2.5m), sizes (64K), numbers of ranks."""

import re
from collections.abc import Callable

import typer

from tasuki.base.errors import usage_error

RANKS_MOST = 64
SIMULATED_RANKS_MOST = 65536  # In all; what `tasuki explain` and the tuner simulate.
BYTES_OF = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
BYTES_MOST = 16 << 30
MOST_S = 1e6  # Eleven days.
SECONDS_OF = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600}


def duration_from(least_s: float) -> Callable[[str | float], float]:
    """Reads a duration into seconds; raises typer.BadParameter for what is none, is
    shorter, or longer than MOST_S."""

    def read(text: str | float) -> float:
        found = re.fullmatch(rf"(\d+(?:\.\d*)?) ?({'|'.join(SECONDS_OF)})", str(text))
        if found is None:
            raise typer.BadParameter(f"{text} is no duration: as in 60, 60s, 5m or 1h")
        seconds = float(found[1]) * SECONDS_OF[found[2]]
        if seconds < least_s:
            raise typer.BadParameter(f"{text} is too short: {least_s:g}s at least")
        if seconds > MOST_S:
            raise typer.BadParameter(f"{text} is too long: {MOST_S:.0f}s at most")
        return seconds

    return read


def parse_bytes(text: str, operation: str = "explain", option: str = "-s") -> int:
    """ "64K" is 65536; a multiple of 4. Raises CommandError if it is none, or above BYTES_MOST."""
    number, unit = (text[:-1], text[-1:]) if text[-1:] in "KMG" else (text, "")
    is_number = number.isascii() and number.isdecimal() and len(number) <= len(str(BYTES_MOST))
    size = int(number) * BYTES_OF[unit] if is_number else -1
    if not 0 <= size <= BYTES_MOST or size % 4:
        raise usage_error(
            operation,
            f"{option} {text} is no size",
            f"as in 4, 64K or 1M, a multiple of 4; up to {BYTES_MOST >> 30}G",
        )
    return size


def parse_ranks(
    text: str, operation: str = "tune", option: str = "-n", most: int = RANKS_MOST
) -> list[int]:
    """ "2..4" or "2,3,8"."""
    try:
        if ".." in text:
            first, last = map(int, text.split(".."))
            found = list(range(first, last + 1))
        else:
            found = sorted({int(part) for part in text.split(",")})
    except ValueError:
        found = []
    if not found or found[0] < 1 or found[-1] > most:
        raise usage_error(
            operation,
            f"{option} {text} is no list or range of numbers",
            f"as in {option} 2..8 or {option} 2,4; 1 to {most}",
        )
    return found
