"""What the paper's text and tables say: A. Mitsuhashi, Y. Hamada, H. Nakajo, N. Tanabe, T. Kudoh,
Evaluation with a parallel application for a fast communication interface that is the DIMMnet-1,
2002.

Its curves are given as pictures alone, so that only the numbers of its text are here.
"""

from typing import NamedTuple

from tasuki.output.figure import Published

NODES = 4  # Of table 2.
KEYS, RADIX, MATRIX_SIZE = 6_000_000, 10, 1024  # Section 4.1.
PARTS_PANEL = f"Tasuki, {NODES} ranks"
RATIO_PANEL = "times that MPI takes"
FLAGS_RATIO = "flag tree, multicast"
SHARE, SPEEDUP = "communication, %", "speed-up"
IN_TURN = f"the paper's split of radix sort on {NODES} nodes, sending and reading in turn"
READING = f"the paper's split of radix sort on {NODES} nodes, reading alone"


class Bandwidths(NamedTuple):
    """At which a node sends, and reads what it has received, in MB/s."""

    sending: float
    reading: float

    def __str__(self) -> str:
        return f"{self.sending:g}:{self.reading:g}"


# Table 2: shares of the time of radix sort and LU.
COMPUTATION, COMMUNICATION, WAITING = 80.8, 18.3, 0.9
TABLE_2 = Published("table 2", PARTS_PANEL, "%", {
    "computation, %": {"radix sort": COMPUTATION, "LU": 84.1},
    "communication, %": {"radix sort": COMMUNICATION, "LU": 0.4},
    "waiting, %": {"radix sort": WAITING, "LU": 15.5},
})  # fmt: skip
# Section 3.2: barriers by flags are almost ten times as fast as those of SCore/MPI on Myrinet.
RATIO = Published("section 3.2", RATIO_PANEL, "", {FLAGS_RATIO: dict.fromkeys((2, 3, 4), 10)})
# Section 4.4: the second Martini, then the third with plain loads, SIMD loads and CLFLUSH.
NOW, THIRD, SIMD, CLFLUSH = (
    Bandwidths(11, 26),
    Bandwidths(190, 35),
    Bandwidths(190, 74),
    Bandwidths(190, 466),
)
PAPER_BANDWIDTHS = (NOW, THIRD, SIMD, CLFLUSH)
THIRD_SPEEDUP = 3.0
WHAT_IF = tuple(
    Published("section 4.4", panel, "", {
        SHARE: {str(NOW): COMMUNICATION, str(THIRD): 14, str(SIMD): 6, str(CLFLUSH): 0.01},
        SPEEDUP: {str(THIRD): THIRD_SPEEDUP, str(SIMD): 3.4, str(CLFLUSH): 3.4},
    })
    for panel in (IN_TURN, READING)
)  # fmt: skip
