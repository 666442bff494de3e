"""The policy for ranks that count as nodes of their own: collectives by messages alone.

All ranks are on this machine, and Tasuki would carry collectives out in its memory. Over TCP and
over links that would show another gain than that of prediction.
"""

import os
from pathlib import Path

from tasuki.measurement.measurer import Candidate
from tasuki.measurement.policy_file import PRELOADED, PolicyRow, text_of
from tasuki.output.machine import describe_machine

RANKS_MOST = 1 << 20
# For each collective of the kernels an algorithm that suits few ranks and any size.
ALGORITHMS = {
    "barrier": "dissemination",
    "broadcast": "binomial",
    "reduce": "binomial",
    "reduce_scatter": "pairwise",
    "allreduce": "recursive_doubling",
    "gather": "binomial",
    "allgather": "ring",
    "alltoall": "pairwise",
    "alltoallv": "pairwise",
}


def write_policy(path: Path) -> None:
    """Writes the file for this machine, as `tasuki run --policy` reads it."""
    rows = [
        PolicyRow(collective, RANKS_MOST, None, Candidate(algorithm, ""), "by messages alone")
        for collective, algorithm in ALGORITHMS.items()
    ]
    cores = os.sysconf("SC_NPROCESSORS_ONLN")
    machine = f"{cores} cores, {describe_machine()['cpu']}"
    path.write_text(text_of(rows, machine, PRELOADED))
