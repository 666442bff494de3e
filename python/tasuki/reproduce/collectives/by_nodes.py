"""Figures 1 to 6 and tables 2 to 5 under the paper's numbers, on 8 simulated nodes."""

from collections import Counter
from typing import Any

from tasuki.output.figure import Point
from tasuki.reproduce.collectives import measured
from tasuki.reproduce.collectives.cluster import Case, told
from tasuki.reproduce.collectives.graphs import counts_in
from tasuki.reproduce.collectives.laboratory import Laboratory
from tasuki.reproduce.collectives.paper import (
    ARCS_PER_NODE,
    BEST,
    BEST_BY_SIZE,
    BEST_PANEL,
    CALLS,
    NAMES,
    NAMES_PANEL,
    ROADS,
    ROADS_PANEL,
    SAID,
    RoadNetwork,
    row_title,
)

ALIKE = 1.03  # Times the least: what table 5 calls best, too.
SIMULATED_REMARK = (
    "Simulated nodes with gigabit Ethernet, one process on each: 118.6 MB/s, 25 us from program to"
    " program, 5 us of it on each side. The algorithms are Open MPI's, as SimGrid has them, or"
    " these programs where it lacks one; these numbers repeat exactly."
)
ROADS_REMARK = (
    "California and USA are CAL and USA of the ninth DIMACS challenge: --graphs names a folder with"
    " CAL.gr.xz, USA.gr.xz and SETO.gr.xz. What stands in is made: road-like, all of it connected,"
    " each road two arcs; a tenth of California and a hundredth of the USA unless --full. The"
    " paper's Seto has 1.07 arcs a node, not 1.61 as it says: each road counts once there."
)
BEST_REMARK = (
    "How often each algorithm is the best or within 3 % of it, over the sizes at both ends of a row"
    " and the numbers of processes; the default is left out."
)
DETAILS = ("graph", "nodes", "arcs", "phases", "verified", "messages", "bytes")


def loops(collective: str, size_bytes: int, laboratory: Laboratory) -> list[Point]:
    """Figures 1 to 3: seconds of CALLS calls by number of processes, simulated and here."""
    found = laboratory.cluster.loops(collective, size_bytes)
    points = [
        Point("simulated nodes", _series(case), case.nodes, seconds, "s",
              details=_details(case, {"message_bytes": size_bytes, "seconds": seconds}))
        for case, seconds in found.items()
    ]  # fmt: skip
    return points + measured.by_ranks(collective, size_bytes, CALLS, laboratory)


def searches(collective: str, road: RoadNetwork, laboratory: Laboratory) -> list[Point]:
    """Figures 4 to 6: seconds of a search by number of processes."""
    graph = laboratory.graph_of(road)
    found = laboratory.cluster.searches(collective, graph, laboratory.graphs.nodes_of(road))
    return [
        Point(graph.name, _series(case), case.nodes, solved["seconds"], "s",
              details=_details(case, {"seconds": solved["seconds"],
                                      **{field: solved[field] for field in DETAILS}}))
        for case, solved in found.items()
    ]  # fmt: skip


def names(collective: str, _: Laboratory) -> list[Point]:
    """Tables 2 and 3: what stands for each of the paper's algorithms."""
    return [
        Point(NAMES_PANEL, SAID, number, ", ".join(told(collective, number)), "")
        for number in NAMES[collective]
    ]


def networks(laboratory: Laboratory) -> list[Point]:
    """Table 4: nodes and arcs of what stands for each road network."""
    points = []
    for road in ROADS:
        path = laboratory.graph_of(road)
        if not path.exists():  # In a plan, or out of time.
            continue
        counts = counts_in(path)
        for title, value in (("nodes", counts.nodes), ("arcs", counts.arcs),
                             (ARCS_PER_NODE, counts.arcs / counts.nodes)):  # fmt: skip
            points.append(Point(ROADS_PANEL, title, road.title, value, ""))
        points.append(Point(ROADS_PANEL, "file", road.title, counts.path.name, ""))
    return points


def best(laboratory: Laboratory) -> list[Point]:
    """Table 5: how often each algorithm of allreduce is the best of a row, over sizes and nodes."""
    points = []
    for ends in BEST_BY_SIZE:
        won: Counter[str] = Counter()
        for size in dict.fromkeys(ends):
            won.update(_winners(laboratory.cluster.loops("allreduce", size)))
        if won:
            text = ", ".join(f"{name} {count}x" for name, count in won.most_common())
            points.append(Point(BEST_PANEL, BEST, row_title(ends), text, ""))
    return points


def _winners(seconds: dict[Case, float]) -> list[str]:
    """For each number of nodes the names of those that are as good as the best, without AL0."""
    winners = []
    for nodes in dict.fromkeys(case.nodes for case in seconds):
        times = {
            case.algorithm: value
            for case, value in seconds.items()
            if case.nodes == nodes and case.algorithm != "AL0"
        }
        least = min(times.values())
        winners += [NAMES["allreduce"][one] for one in times if times[one] <= ALIKE * least]
    return winners


def _series(case: Case) -> str:
    return f"{case.algorithm} {NAMES[case.collective][case.algorithm]}"


def _details(case: Case, more: dict[str, Any]) -> dict[str, Any]:
    return {
        "collective": case.collective,
        "paper_name": case.algorithm,
        "ranks": case.nodes,
        **more,
    }
