"""The paper's what-if: communication at other bandwidths of sending and of reading.

DIMMnet-1 sends what the processor writes into a window, and the receiver's processor reads what has
arrived from memory that is not cached: two bandwidths, each of which its next chip was to raise.
The model: a rank computes and waits as long as measured, its share of the bytes leaves it at the
one bandwidth and is read at the other: computation + waiting + bytes / ranks x (1 / sending + 1 /
reading). Latency, the processor's share of communication, and that a faster network would let
others wait less are left out.
"""

from typing import Any

from tasuki.output.figure import Point
from tasuki.output.place import place_of
from tasuki.reproduce.dimmnet.applications import TASUKI, Applications
from tasuki.reproduce.dimmnet.paper import (
    COMMUNICATION,
    IN_TURN,
    NOW,
    READING,
    SHARE,
    SPEEDUP,
    THIRD,
    THIRD_SPEEDUP,
    Bandwidths,
)

MEGABYTE = 1e6
MEASURED = "as measured"
REMARK = (
    "The model: computation and waiting as measured, and the bytes of a rank / sending bandwidth +"
    " bytes / reading bandwidth. For the paper's split the bytes are those that make its 18.3 % at"
    " 11 and 26 MB/s, and the time on one node is such that the speed-up at 190 and 35 MB/s is its"
    " 3. Its shares follow if reading alone takes time; its 0.01 % may stand for 0.01."
)


def seconds_per_byte(bandwidths: Bandwidths) -> float:
    """Of sending and reading in turn."""
    return (1 / bandwidths.sending + 1 / bandwidths.reading) / MEGABYTE


def modelled_communication(found: dict[str, Any], bandwidths: Bandwidths) -> float:
    """In seconds, of a run of ours."""
    return found["bytes"] / found["ranks"] * seconds_per_byte(bandwidths)


def outlook(applications: Applications) -> list[Point]:
    """A row for each pair of bandwidths: the paper's own split, then this machine's."""
    chosen = applications.wishes.bandwidths
    points = _of_paper(IN_TURN, chosen, seconds_per_byte)
    points += _of_paper(READING, chosen, lambda pair: 1 / pair.reading / MEGABYTE)
    for application in applications.all:
        several = [ranks for ranks in applications.wishes.ranks if ranks > 1]
        for one in applications.solved(application, [TASUKI], several):
            ranks = one.found["ranks"]
            panel = f"{application.title}, {ranks} ranks here, {place_of(ranks)}"
            points += _of_run(panel, one.found, chosen, one.details)
    return points


def _of_paper(panel: str, chosen, seconds_of_byte) -> list[Point]:
    """In hundredths of the time that the paper's nodes took."""
    unmoved = 100 - COMMUNICATION
    moved = COMMUNICATION / seconds_of_byte(NOW)
    alone = THIRD_SPEEDUP * (unmoved + moved * seconds_of_byte(THIRD))
    points = []
    for bandwidths in chosen:
        communication = moved * seconds_of_byte(bandwidths)
        points += _pair(panel, str(bandwidths), communication, unmoved, alone, {})
    return points


def _of_run(
    panel: str, found: dict[str, Any], chosen: tuple[Bandwidths, ...], details: dict[str, Any]
) -> list[Point]:
    unmoved = found["compute_seconds"] + found["wait_seconds"]
    measured = {MEASURED: found["communication_seconds"]}
    modelled = {str(pair): modelled_communication(found, pair) for pair in chosen}
    points = []
    for place, communication in (measured | modelled).items():
        points += _pair(panel, place, communication, unmoved, found["sequential_seconds"], details)
    return points


def _pair(
    panel: str,
    place: str,
    communication: float,
    unmoved: float,
    alone: float,
    details: dict[str, Any],
) -> list[Point]:
    """The share of communication, and the speed-up."""
    whole = communication + unmoved
    return [
        Point(panel, SHARE, place, 100 * communication / whole, "%", details=details),
        Point(panel, SPEEDUP, place, alone / whole, "", details=details),
    ]
