"""Tables 4-8: what each rank asks of the MPI, counted by MPI's profiling interface."""

from typing import Any

from tasuki.output.figure import Point
from tasuki.reproduce.mpcxx.kernels import KERNELS, RANKS, SIMULATED_NODES, VARIANTS, Kernels
from tasuki.reproduce.simulation import NETWORKS

COUNTED_CLASS = "A"
TASUKI_OVER_MPI = next(variant for variant in VARIANTS if variant.title == "Tasuki over MPI")
COUNTS_REMARK = (
    "Counted by MPI's profiling interface over the whole run, start and end included. Receives are"
    " those posted. Tasuki posts its receives ahead and looks at them with MPI_Test, so that its"
    " probes are tests. What MPI does inside a collective is not seen from outside: its MB are the"
    " data that the rank hands over."
)
TOTALS_REMARK = (
    "Messages or remote writes, and collective calls, of all ranks in the timed part, as the"
    " programs count them; more than 4 ranks are simulated."
)


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
    panel = f"class {problem_class}, {RANKS[-1]} ranks"
    points = []
    for rank, row in enumerate(found or []):
        details = {"kernel": kernel, "class": problem_class, "rank": rank, "ranks": RANKS[-1]}
        points += [
            Point(panel, title, rank, value, unit, details=details)
            for title, value, unit in _columns(row)
        ]
    return points


def _columns(row: dict[str, int]) -> list[tuple[str, float, str]]:
    """Title, value and unit of what is shown of one rank's counts."""
    sends = row["sends"]
    return [
        ("sends", sends, ""),
        ("receives", row["receives"], ""),
        ("probes", row["probes"], ""),
        ("tests", row["tests"], ""),
        ("average size, bytes", row["sent_bytes"] / sends if sends else 0.0, "bytes"),
        ("sent, MB", row["sent_bytes"] / 1e6, "MB"),
        ("collectives", row["collectives"], ""),
        ("in collectives, MB", row["collective_bytes"] / 1e6, "MB"),
    ]
