"""What the paper's text and tables say: Y. Sakae, Y. Ishikawa, S. Matsuoka, T. Takahashi,
Evaluation of MPC++-on-MPI on Commodity Cluster Environment, 2000.

Its curves are given as pictures alone, so that only the numbers of its text are here.
"""

from collections.abc import Sequence

from tasuki.output.figure import Published

NODES = (2, 4, 8, 16, 32)
NODES_MOST = 32
FOUND = "here"  # The column of what was measured, where the paper's stands beside it.
FEW_BYTES = 512  # Up to which size section 6 says the overhead.
OVERHEAD_PANEL = f"the largest up to {FEW_BYTES} bytes, %"
LINES_PANEL = "lines of code"
# Table 3: what was measured, by kernel and network.
COMBINATIONS = {
    ("cg", "ethernet"): ("Fortran/LAM", "C++/LAM", "MPC++/LAM"),
    ("cg", "myrinet"): ("Fortran/MPICH-PM", "C++/MPICH-PM", "MPC++/MPICH-PM", "MPC++/native-PM"),
    ("is", "ethernet"): ("C/LAM", "MPC++/LAM"),
    ("is", "myrinet"): ("C/MPICH-PM", "MPC++/MPICH-PM", "MPC++/native-PM"),
}
# Table 4: CG of class B on 32 nodes. On Ethernet MPC++ ran over MPICH-PM/PM-Ether there.
TABLE_4_S = {
    "C++/LAM": 257,
    "MPC++/MPICH-PM/PM-Ether": 265,
    "C++/MPICH-PM": 175,
    "MPC++/MPICH-PM": 194,
    "MPC++/native-PM": 210,
}


def times_panel(problem_class: str, network_title: str) -> str:
    """Of figures 8 to 13."""
    return f"class {problem_class}, simulated {network_title}"


def counts_panel(problem_class: str) -> str:
    """Of tables 5 to 8."""
    return f"class {problem_class} on Ethernet, mean of the nodes"


def _by_nodes(rows: dict[str, Sequence[float]]) -> dict[str, dict[float | str, float | str]]:
    return {name: dict(zip(NODES, values, strict=True)) for name, values in rows.items()}


OVERHEAD = Published(
    "section 6", OVERHEAD_PANEL, "%", {FOUND: {"Ethernet": 50, "fast network": 50}}
)
TABLE_4 = Published("table 4", "class B, 32 nodes", "s", {FOUND: dict(TABLE_4_S.items())})
TABLE_5 = Published("table 5", counts_panel("A"), "", _by_nodes({
    "Send": (1200, 2790, 5160, 9090, 16140),
    "Irecv": (1200, 2790, 5160, 9090, 16140),
    "Wait": (1200, 2790, 5160, 9090, 16140),
    "average, KB": (18.2, 11.7, 7.4, 4.5, 2.6),
    "total, MB": (20.8, 31.3, 36.5, 39.1, 40.4),
}))  # fmt: skip
TABLE_6 = Published("table 6", counts_panel("A"), "", _by_nodes({
    "Send": (1591, 3572, 6333, 10654, 18095),
    "Isend": (390, 1170, 2730, 0, 0),
    "Recv": (1981, 4742, 9063, 10654, 18095),
    "Iprobe": (1598, 3575, 6334, 10654, 18095),
    "Test": (390, 1170, 2730, 0, 0),
    "average, KB": (10.80, 6.77, 4.14, 3.87, 2.37),
    "total, MB": (20.9, 31.4, 36.6, 39.4, 40.8),
}))  # fmt: skip
TABLE_7 = Published("table 7", counts_panel("A"), "", _by_nodes({
    "Allreduce": (10, 10, 10, 10, 10),
    "Alltoall": (10, 10, 10, 10, 10),
    "Alltoallv": (10, 10, 10, 10, 10),
    "average, KB": (2731, 2052, 1204, 660.2, 372.3),
    "total, MB": (80.0, 60.1, 35.3, 19.3, 10.9),
}))  # fmt: skip
TABLE_8 = Published("table 8", counts_panel("A"), "", _by_nodes({
    "Send": (80, 190, 360, 650, 1170),
    "Isend": (10, 30, 70, 150, 310),
    "Recv": (90, 220, 430, 800, 1490),
    "Iprobe": (90297, 164323, 100731, 52322, 1180),
    "Test": (90267, 164193, 100511, 51972, 310),
    "average, KB": (910.5, 279.7, 83.7, 24.2, 6.84),
    "total, MB": (80.0, 60.1, 35.1, 18.9, 9.9),
}))  # fmt: skip
LINES = Published("sections 4.1.1 and 4.1.2", LINES_PANEL, "",
                  {"differ": {"CG": 60, "IS": 50}, "of": {"CG": 800, "IS": 1000}})  # fmt: skip
