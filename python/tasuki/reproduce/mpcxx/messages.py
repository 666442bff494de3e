"""Tables 5-8: what a node asks of the MPI in the timed part of class A, on simulated Ethernet."""

from typing import Any

from tasuki.output.figure import Point
from tasuki.reproduce.mpcxx.kernels import Kernels
from tasuki.reproduce.mpcxx.paper import NODES, counts_panel
from tasuki.reproduce.mpcxx.variants import Variant

NETWORK = "ethernet"
KILOBYTE, MEGABYTE = 1024, 1 << 20
REMARK = (
    "Counted by MPI's profiling interface in the timed part. As in the paper only what is sent"
    " counts for sizes, of collective calls the data that the rank hands over to others; KB and MB"
    " are 1024 and 1024 x 1024 bytes, as in table 7. Tasuki posts its receives ahead and polls"
    " them with MPI_Test, so that its probes are tests."
)


def counts(variant: Variant, kernel: str, kernels: Kernels) -> list[Point]:
    """A row for each number of nodes, a column for each MPI function and for the sizes."""
    kernels.simulate_all(kernel, "A", NETWORK)
    points = []
    for nodes in NODES:
        found = kernels.simulate(variant.title, kernel, "A", nodes, NETWORK)
        if found is not None:
            panel = counts_panel(found["class"])
            details = {"kernel": kernel, "class": found["class"], "ranks": nodes}
            points += [
                Point(panel, title, nodes, value, unit, details=details)
                for title, (value, unit) in _mean(found["counts"]).items()
            ]
    used = {point.series for point in points if point.value}
    return [point for point in points if point.series in used]


def _mean(rows: list[dict[str, Any]]) -> dict[str, tuple[float, str]]:
    """By column the value of a node, mean of all, and its unit."""
    functions = rows[0]["calls"]
    columns = {name: (sum(row["calls"][name] for row in rows) / len(rows), "")
               for name in functions}  # fmt: skip
    sending = ("Send", "Isend", "Allreduce", "Alltoall", "Alltoallv")
    calls = sum(columns[name][0] for name in sending)
    size_bytes = sum(row["sent_bytes"] + row["collective_bytes"] for row in rows) / len(rows)
    columns["average, KB"] = (size_bytes / calls / KILOBYTE if calls else 0.0, "KB")
    columns["total, MB"] = (size_bytes / MEGABYTE, "MB")
    return columns
