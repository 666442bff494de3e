"""Tables 4-8: what each rank asks of the MPI, counted by MPI's profiling interface."""

from typing import Any

from tasuki.reproduce.figure import Point
from tasuki.reproduce.mpcxx.kernels import KERNELS, RANKS, SIMULATED_NODES, VARIANTS, Kernels
from tasuki.reproduce.simulation import NETWORKS

COUNTED_CLASS = "A"
TASUKI_OVER_MPI = next(variant for variant in VARIANTS if variant.title == "Tasuki over MPI")
TITLES = ("sends", "receives", "probes", "collectives", "average size, bytes", "sent, MB")


def by_ranks(kernels: Kernels) -> list[Point]:
    """Table 4: messages of all ranks as the programs count them, here and on simulated nodes."""
    points = []
    for kernel in KERNELS:
        for problem_class in kernels.classes:
            for ranks in RANKS:
                found = kernels.solve(TASUKI_OVER_MPI, kernel, problem_class, ranks)
                points += _total(f"{kernel.upper()} class {problem_class}", ranks, found)
            for nodes in SIMULATED_NODES[len(RANKS) :]:
                found = kernels.simulate(
                    TASUKI_OVER_MPI.title, kernel, problem_class, nodes, NETWORKS[0]
                )
                points += _total(f"{kernel.upper()} class {problem_class}", nodes, found)
    return points


def _total(panel: str, ranks: int, found: dict[str, Any] | None) -> list[Point]:
    if found is None:
        return []
    messages, size_bytes = found["messages"], found["bytes"]
    average = size_bytes / messages if messages else 0.0
    details = {"kernel": found["name"], "class": found["class"], "ranks": ranks}
    return [
        Point(panel, "messages", ranks, messages, "", details=details),
        Point(panel, "average size, bytes", ranks, average, "bytes", details=details),
        Point(panel, "MB", ranks, size_bytes / 1e6, "MB", details=details),
    ]


def counts(variant_title: str, kernel: str, kernels: Kernels) -> list[Point]:
    """Tables 5-8, one panel each: the largest number of ranks; class A if it is wanted at all."""
    variant = next(one for one in VARIANTS if one.title == variant_title)
    classes = kernels.classes
    problem_class = COUNTED_CLASS if COUNTED_CLASS in classes else classes[-1]
    found = kernels.count(variant, kernel, problem_class, RANKS[-1])
    panel = f"{kernel.upper()} class {problem_class}, {variant_title}, {RANKS[-1]} ranks"
    points = []
    for rank, row in enumerate(found or []):
        sends = row["sends"]
        values = (
            (sends, ""),
            (row["receives"], ""),
            (row["probes"], ""),
            (row["collectives"], ""),
            (row["sent_bytes"] / sends if sends else 0.0, "bytes"),
            (row["sent_bytes"] / 1e6, "MB"),
        )
        details = {"kernel": kernel, "class": problem_class, "rank": rank, "ranks": RANKS[-1]}
        points += [
            Point(panel, title, rank, value, unit, details=details)
            for title, (value, unit) in zip(TITLES, values, strict=True)
        ]
    return points
