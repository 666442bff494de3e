"""Ranks and the cores they have: numbers of ranks that share cores are never mixed with others."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from tasuki.launcher.binding import cores_allowed

T = TypeVar("T")
OWN_CORES = "a core for each rank"


def is_oversubscribed(ranks: int) -> bool:
    return ranks > len(cores_allowed())


def cell_fields(
    collective: str, ranks: int, message_bytes: int | None, ranks_per_host: int | None = None
) -> dict[str, object]:
    """What a row of JSON says of a cell. `ranks_per_host` are those of the fullest host, None:
    all ranks are on one. Other hosts are taken to have as many cores as this one."""
    return {
        "collective": collective,
        "ranks": ranks,
        "message_bytes": message_bytes,
        "oversubscribed": is_oversubscribed(ranks_per_host or ranks),
    }


def place_of(ranks: int) -> str:
    """Names the picture or table that this number of ranks belongs to."""
    if not is_oversubscribed(ranks):
        return OWN_CORES
    cores = len(cores_allowed())
    return "ranks take turns on 1 core" if cores == 1 else f"ranks take turns on {cores} cores"


def where(place: str) -> str:
    """How a sentence about a place begins."""
    return f"With {place}" if place == OWN_CORES else f"Where {place}"


def ranks_and_place(ranks: int, hosts_count: int = 0) -> str:
    """As in "2 ranks, a core for each", "8 ranks on 2 cores", or "4 ranks on 2 hosts"; 0 hosts:
    this one."""
    if hosts_count > 0:
        return f"{ranks} ranks on {hosts_count} host{'s' if hosts_count > 1 else ''}"
    if not is_oversubscribed(ranks):
        return f"{ranks} ranks, a core for each"
    cores = len(cores_allowed())
    return f"{ranks} ranks on {cores} core{'s' if cores > 1 else ''}"


def by_place(found: Iterable[T], ranks_of: Callable[[T], int]) -> dict[str, list[T]]:
    """What was found at each place, in order."""
    groups: dict[str, list[T]] = {}
    for one in found:
        groups.setdefault(place_of(ranks_of(one)), []).append(one)
    return groups
