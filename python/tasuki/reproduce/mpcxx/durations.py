"""How long runs take on an idle machine, roughly.

Measured on two Xeon cores (Sapphire Rapids) with Open MPI 4.1 and SimGrid 3.32.
"""

from tasuki.reproduce.mpcxx.variants import TASUKI_OVER_MPI

STREAM_S = 3.0
WIRE_STREAM_S = 25.0
_START_S = 0.7  # Python, mpiexec, the MPI itself.

_SOLVE_S = {
    "cg": {"S": 0.1, "W": 0.2, "A": 1.0, "B": 40.0},
    "is": {"S": 0.0, "W": 0.1, "A": 0.5, "B": 2.0},
}
# Over Tasuki on 32 simulated nodes; it grows with the messages, somewhat faster than the nodes.
_SIMULATE_S = {
    "cg": {"S": 5.0, "W": 6.0, "A": 8.0, "B": 80.0},
    "is": {"S": 1.0, "W": 3.0, "A": 8.0, "B": 20.0},
}
_SIMULATED_NODES = 32
_SIMULATED_GROWTH = 1.5
_SIMULATED_MPI_SHARE = 0.4  # No announcement before each transfer.


def solve_s(kernel: str, problem_class: str) -> float:
    return _START_S + _SOLVE_S[kernel][problem_class]


def simulate_s(series: str, kernel: str, problem_class: str, nodes: int) -> float:
    messages = _SIMULATE_S[kernel][problem_class] * (nodes / _SIMULATED_NODES) ** _SIMULATED_GROWTH
    share = 1.0 if series == TASUKI_OVER_MPI.title else _SIMULATED_MPI_SHARE
    return 0.2 + _SOLVE_S[kernel][problem_class] + share * messages
