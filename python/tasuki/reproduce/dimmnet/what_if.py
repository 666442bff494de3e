"""The paper's what-if: the speed-up if communication ran at a given bandwidth.

The model: a rank computes and waits as long as measured, and its share of the bytes that were moved
leaves it at the given bandwidth: computation + waiting + bytes / ranks / bandwidth. Latency, the
processor's share of communication, and that a faster network would let others wait less are left
out.
"""

from typing import Any

from tasuki.output.figure import Point
from tasuki.output.place import place_of
from tasuki.reproduce.dimmnet.applications import TASUKI, Applications
from tasuki.reproduce.dimmnet.times import details_of

MEGABYTE = 1e6
MEASURED = "measured"  # The detail that tells measured points from modelled ones.
# From a 100 Mbit/s Ethernet to a 400 Gbit/s network, three a decade.
BANDWIDTHS = (10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4)
REMARK = (
    "The model: a rank computes and waits as long as it was measured to (Tasuki over shared"
    " memory), and sends its share of the bytes at the given bandwidth: computation + waiting +"
    " bytes / ranks / bandwidth. Bandwidths besides the round ones are those at which the model"
    " gives the time that was measured here: a star in the picture."
)


def modelled_seconds(found: dict[str, Any], bandwidth_mb_s: float) -> float:
    sent_bytes = found["bytes"] / found["ranks"]
    unmoved = found["compute_seconds"] + found["wait_seconds"]
    return unmoved + sent_bytes / (bandwidth_mb_s * MEGABYTE)


def effective_bandwidth(found: dict[str, Any]) -> float | None:
    """In MB/s, at which the model gives the measured time; None if nothing was sent."""
    sent_bytes = found["bytes"] / found["ranks"]
    if not sent_bytes or not found["communication_seconds"]:
        return None
    return sent_bytes / found["communication_seconds"] / MEGABYTE


def speedups(applications: Applications) -> list[Point]:
    """A curve for each number of ranks from 2 on, with the place of this machine on it."""
    points = []
    for application in applications.all:
        for ranks in applications.wishes.ranks:
            found = applications.solve(TASUKI, application, ranks) if ranks > 1 else None
            if found is not None:
                panel = f"{application.title}, {place_of(ranks)}"
                details = details_of(application, found)
                points += _curve(panel, found, applications.wishes.bandwidths, details)
    return sorted(points, key=lambda point: point.x)


def _curve(
    panel: str, found: dict[str, Any], bandwidths: tuple[float, ...], details: dict[str, Any]
) -> list[Point]:
    series = f"{found['ranks']} ranks"
    points = []
    for bandwidth in bandwidths:
        seconds = modelled_seconds(found, bandwidth)
        more = {**details, "modelled_seconds": seconds, MEASURED: False}
        speedup = found["sequential_seconds"] / seconds
        points.append(Point(panel, series, bandwidth, speedup, "", details=more))
    here = effective_bandwidth(found)
    if here is not None:
        more = {**details, "modelled_seconds": found["seconds"], MEASURED: True}
        points.append(
            Point(panel, series, float(f"{here:.2g}"),  # Not 0, which has no place on its axis.
                  found["sequential_seconds"] / found["seconds"], "",
                  found["spread"], found["repetitions"], more)
        )  # fmt: skip
    return points
