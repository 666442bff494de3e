"""What the paper's text and tables say: Y. Fukui, T. Ishii, Analysis of the overhead of collective
communication in Open MPI, 2014 (Open MPI 1.6.3, 8 nodes of gigabit Ethernet).

Its curves are given as pictures alone, so that only the numbers of its text are here.
"""

from typing import NamedTuple

from tasuki.output.figure import Published

NODES = (2, 3, 4, 5, 6, 7, 8)
CALLS = 10_000  # Of the loops of figures 1 to 3.
SAID = "name"
NAMES_PANEL = "algorithms by the paper's numbers"
ROADS_PANEL = "road networks"
BEST_PANEL = "2 to 8 simulated nodes"
BEST = "best"
ARCS_PER_NODE = "arcs / nodes"
# Tables 2 and 3, by collective.
NAMES = {
    "allreduce": {
        "AL0": "default",
        "AL1": "Basic Linear",
        "AL2": "Reduce + Bcast",
        "AL3": "Recursive Doubling",
        "AL4": "Ring",
        "AL5": "Segmented Ring",
    },
    "alltoall": {
        "AL0": "default",
        "AL1": "Basic Linear",
        "AL2": "Pairwise",
        "AL3": "Modified Bruck",
        "AL4": "Linear with Sync",
        "AL5": "Two Proc Only",
    },
}


class RoadNetwork(NamedTuple):
    """One of table 4: the file that holds it if the user has it, its nodes, its arcs, and what the
    paper gives as arcs for each node."""

    title: str
    file_name: str
    nodes: int
    arcs: int
    arcs_per_node: float


SETO = RoadNetwork("Seto", "SETO", 58_168, 62_102, 1.607631688)
# These two are the CAL and USA of the ninth DIMACS challenge.
CALIFORNIA = RoadNetwork("California", "CAL", 1_890_815, 4_657_742, 2.463351518)
USA = RoadNetwork("USA", "USA", 23_947_347, 58_333_344, 2.43590006)
ROADS = (SETO, CALIFORNIA, USA)
# Table 5: by the sizes at the ends of a row the algorithms of allreduce that are best there.
BEST_BY_SIZE = {
    (4, 4): "Basic Linear, Reduce + Bcast, Recursive Doubling",
    (16, 64): "Ring, Segmented Ring",
    (256, 4096): "Basic Linear, Recursive Doubling",
    (16384, 16384): "Recursive Doubling",
    (65536, 1048576): "Ring, Segmented Ring",
}


def names_table(number: int, collective: str) -> Published:
    """Tables 2 and 3."""
    return Published(f"table {number}", NAMES_PANEL, "", {SAID: dict(NAMES[collective].items())})


def row_title(ends: tuple[int, int]) -> str:
    """Of table 5."""
    return f"{ends[0]} bytes" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]} bytes"


TABLE_4 = Published("table 4", ROADS_PANEL, "", {
    "nodes": {road.title: road.nodes for road in ROADS},
    "arcs": {road.title: road.arcs for road in ROADS},
    ARCS_PER_NODE: {road.title: road.arcs_per_node for road in ROADS},
})  # fmt: skip
_BEST = {row_title(ends): names for ends, names in BEST_BY_SIZE.items()}
TABLE_5 = Published("table 5", BEST_PANEL, "", {BEST: _BEST})
# What section 4 says of the figures.
FIGURE_1 = "AL4 and AL5 are the slowest and grow with the processes; others win at 5 to 7."
FIGURE_2 = "AL3 is the fastest with any number of processes, AL0 far from it; AL1 grows with them."
FIGURE_3 = "AL2 and AL3 do not suit; AL0, AL1 and AL4 are alike; AL5 wins at even numbers."
FIGURE_4 = "AL5 is the fastest with 6 and 7 processes; numbers that are no power of two take long."
FIGURE_5 = "With 7 processes AL2 and AL3 are fast."
FIGURE_6 = "With 6 and 7 processes AL3 is the fastest; 3 processes take very long."
